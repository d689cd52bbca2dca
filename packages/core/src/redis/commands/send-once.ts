import { corkForTick } from "./tick-cork.ts";

/** What is used of a command object of ioredis. */
export interface IoredisCommand {
  args: readonly unknown[];
  promise: Promise<unknown>;
  reject: (this: IoredisCommand, error: Error) => void;
  toWritable: (this: IoredisCommand, socket: object) => string | Buffer;
}

/** Goes out in the place of a command that must not go out again. It keeps replies and commands in step. */
const PING = "*1\r\n$4\r\nPING\r\n";

/** What a `PING` answers; nothing that a script of ours does. */
export const NOT_SENT = "PONG";

/** A node says so instead of executing a command. */
const NOT_EXECUTED = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN) /;

/**
 * Keeps ioredis from executing a command twice. It sends what had no reply when a connection broke once
 * more when it is back (`autoResendUnfulfilledCommands`, a Cluster also by `retryDelayOnFailover`),
 * whereas the server may have executed it the first time. The client's options are not ours to change;
 * the command object is: when it is asked again for its bytes, or after its deadline, it is a `PING`.
 *
 * @param bytes - of the command, where that is quicker than its own way; else nothing.
 */
export function sendOnce(
  command: IoredisCommand,
  bytes: () => Buffer | undefined,
  deadline: number,
  clustered: boolean,
): void {
  const { toWritable } = command;
  let sent = false;

  command.toWritable = (socket) => {
    if (sent || (deadline !== Infinity && performance.now() > deadline)) return PING;
    sent = true;
    if (clustered) corkForTick(socket);
    return bytes() ?? toWritable.call(command, socket);
  };
  if (!clustered) return;

  // A Cluster puts its own function here, which follows redirections by sending the same object again.
  let { reject } = command;
  Object.defineProperty(command, "reject", {
    get: () => {
      // As it is now: what replaces it calls what it read here, and must not find itself.
      const current = reject;
      return (error: Error) => {
        if (NOT_EXECUTED.test(error.message)) sent = false;
        current.call(command, error);
      };
    },
    set: (next: IoredisCommand["reject"]) => {
      reject = next;
    },
  });
}
