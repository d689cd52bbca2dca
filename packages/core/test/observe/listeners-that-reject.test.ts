import { limit } from "../http/serve.ts";

/** What a process would die of. */
async function unhandledWhile(work: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (error: unknown): void => void seen.push(error);
  process.on("unhandledRejection", note);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", note);
  return seen;
}

const rejects = async (): Promise<never> => {
  throw new Error("the log is full");
};

test.each(["onDecision", "onResponse", "onEvent"] as const)(
  "an asynchronous %s that rejects ends no process",
  async (listener) => {
    const seen = await unhandledWhile(async () => {
      const subject = limit({ limit: "1/minute", skip: rejects, [listener]: rejects as never });
      const { exchange } = await subject.get();
      exchange.end?.(200);
    });
    expect(seen).toEqual([]);
  },
);
