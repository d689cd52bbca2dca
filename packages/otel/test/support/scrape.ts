import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scrape answered. */
export class Scrape {
  readonly text: string;
  readonly samples: readonly Sample[];

  constructor(text: string) {
    this.text = text;
    this.samples = text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map(parseSample);
  }

  /** The sum of all samples of that name that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples
      .filter(
        (sample) => sample.name === name && Object.entries(labels).every(([label, is]) => sample.labels[label] === is),
      )
      .reduce((sum, { value }) => sum + value, 0);
  }

  get names(): Set<string> {
    return new Set(this.samples.map(({ name }) => name));
  }
}

function parseSample(line: string): Sample {
  const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line);
  if (match === null) throw new Error(`no sample: ${line}`);
  const labels = [...(match[2] ?? "").matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)];
  return {
    name: match[1] as string,
    labels: Object.fromEntries(labels.map(([, label, value]) => [label as string, value as string])),
    value: Number(match[3]),
  };
}

/** The real SDK and the real exporter, scraped over HTTP. */
export interface Monitoring {
  readonly meterProvider: MeterProvider;
  scrape(): Promise<Scrape>;
  stop(): Promise<void>;
}

export async function startMonitoring(): Promise<Monitoring> {
  const exporter = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({ readers: [exporter] });
  const server = createServer((req, res) => exporter.getMetricsRequestHandler(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    meterProvider,
    async scrape() {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      return new Scrape(await response.text());
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await meterProvider.shutdown();
    },
  };
}
