import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { redisStore } from "@aforo/core/redis";
import type { Source, StoreErrorPolicy } from "@aforo/core";
import express from "express";
import { rateLimit } from "../../src/index.ts";
import type { Fault } from "./faults.ts";
import type { World } from "./world.ts";

/** What each limiter allows on the day that the drill lies in. */
const LIMIT = 40;
/** Longer than any decision may take by far, and shorter than a client would wait. */
const HUNG_AFTER_MS = 5_000;
const FAULT_MS = 1_500;

/** A row of the table: one fault under one policy. */
export interface Row {
  readonly fault: string;
  readonly policy: StoreErrorPolicy;
  readonly requests: number;
  /** Requests by who decided them. */
  readonly decidedBy: Readonly<Partial<Record<Source, number>>>;
  readonly slowestMs: number;
  /** Admitted beyond what the store and, under `"local"`, this process may admit. */
  readonly wrong: number;
  readonly hung: number;
  readonly status500: number;
  readonly unhandled: number;
  /** From the end of the fault until Redis decided again. */
  readonly recoveredMs: number;
}

/** Breaks Redis under a running server for each of the three policies at once, and counts what clients see. */
export async function drill(fault: Fault): Promise<readonly Row[]> {
  const world = await fault.world();
  const policies: readonly StoreErrorPolicy[] = ["local", "allow", "deny"];
  let unhandled = 0;
  const count = (): void => void unhandled++;
  process.on("unhandledRejection", count);
  const patients = await Promise.all(policies.map((policy) => Patient.admit(world, policy, fault)));
  try {
    for (const patient of patients) await patient.ask("warm up");
    await fault.inject(world);
    const end = performance.now() + FAULT_MS;
    const burst = patients.map((patient) => Promise.all(Array.from({ length: 20 }, () => patient.ask("k"))));
    while (performance.now() < end) {
      for (const patient of patients) void patient.ask("k");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await fault.heal(world);
    const healed = performance.now();
    const recoveredMs = await Promise.all(patients.map((patient) => patient.recover(healed)));
    await Promise.all(burst);
    for (const patient of patients) for (let i = 0; i < LIMIT + 10; i++) await patient.ask("k");
    return patients.map((patient, index) => ({
      ...patient.report(fault),
      fault: fault.name,
      unhandled,
      recoveredMs: Math.round(recoveredMs[index] ?? NaN),
    }));
  } finally {
    await Promise.all(patients.map((patient) => patient.discharge()));
    await world.stop();
    process.off("unhandledRejection", count);
  }
}

/** One server under one policy, and what its clients saw. */
class Patient {
  readonly #policy: StoreErrorPolicy;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #close: () => unknown;
  readonly #admitted: Partial<Record<Source, number>>;
  readonly #decidedBy: Partial<Record<Source, number>>;
  #requests = 0;
  #slowestMs = 0;
  #hung = 0;
  #status500 = 0;
  #fresh = 0;

  static async admit(world: World, policy: StoreErrorPolicy, fault: Fault): Promise<Patient> {
    const client = world.connect();
    await once(client, "ready");
    const decidedBy: Partial<Record<Source, number>> = {};
    const admitted: Partial<Record<Source, number>> = {};
    const app = express();
    const limit = rateLimit({
      name: `drill-${policy}`,
      store: redisStore(client),
      limit: `${LIMIT}/day`,
      algorithm: "fixed-window",
      key: (view) => view.header("x-key"),
      onStoreError: policy,
      // What does no harm must show nothing, on a machine that is busy too.
      storeTimeoutMs: fault.harmless === true ? HUNG_AFTER_MS : 100,
      onDecision({ decision, source, policies }) {
        decidedBy[source] = (decidedBy[source] ?? 0) + 1;
        if (decision === "admitted" && policies[0]?.cost === 1) admitted[source] = (admitted[source] ?? 0) + 1;
      },
    });
    app.use(limit);
    app.get("/", (req, res) => void res.send(req.rateLimit.decision?.source));
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Patient(policy, server, () => limit.limiter.close(), decidedBy, admitted);
  }

  constructor(
    policy: StoreErrorPolicy,
    server: Server,
    close: () => unknown,
    decidedBy: Partial<Record<Source, number>>,
    admitted: Partial<Record<Source, number>>,
  ) {
    this.#policy = policy;
    this.#server = server;
    this.#close = close;
    this.#decidedBy = decidedBy;
    this.#admitted = admitted;
  }

  /** Resolves with the body, whatever becomes of the request. */
  ask(key: string): Promise<string> {
    const { port } = this.#server.address() as AddressInfo;
    const sent = performance.now();
    this.#requests++;
    return new Promise((resolve) => {
      const asked = request({ port, host: "127.0.0.1", agent: this.#agent, headers: { "x-key": key } }, (response) => {
        if (response.statusCode === 500) this.#status500++;
        let body = "";
        response.on("data", (chunk) => (body += String(chunk)));
        response.on("end", () => {
          this.#slowestMs = Math.max(this.#slowestMs, performance.now() - sent);
          resolve(body);
        });
      });
      asked.setTimeout(HUNG_AFTER_MS, () => asked.destroy());
      asked.on("error", () => {
        this.#hung++;
        resolve("hung");
      });
      asked.end();
    });
  }

  /** Asks with keys that no cache of denials knows, until the store decides. */
  async recover(healed: number): Promise<number> {
    for (;;) {
      if ((await this.ask(`fresh ${this.#fresh++}`)) === "store") return performance.now() - healed;
      if (performance.now() > healed + 30_000) return Infinity;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  report(fault: Fault): Pick<Row, "policy" | "requests" | "decidedBy" | "slowestMs" | "wrong" | "hung" | "status500"> {
    // Each fresh key and the warm-up may be admitted once by whoever decides.
    const others = this.#fresh + 1;
    const byStore = (this.#admitted.store ?? 0) - others;
    const byThisProcess = this.#admitted.local ?? 0;
    const mayStore = LIMIT * (fault.forgets === true ? 2 : 1);
    const mayLocal = (this.#policy === "local" ? LIMIT : 0) + others;
    return {
      policy: this.#policy,
      requests: this.#requests,
      decidedBy: this.#decidedBy,
      slowestMs: Math.round(this.#slowestMs),
      wrong: Math.max(0, byStore - mayStore) + Math.max(0, byThisProcess - mayLocal),
      hung: this.#hung,
      status500: this.#status500,
    };
  }

  async discharge(): Promise<void> {
    this.#agent.destroy();
    this.#server.close();
    await this.#close();
  }
}
