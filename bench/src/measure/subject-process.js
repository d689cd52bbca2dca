import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const worker = fileURLToPath(new URL("worker.js", import.meta.url));

/** One subject in a process of its own, so that none inherits the heap and the compiled code of another. */
export class SubjectProcess {
  #child;

  /** @param {import("node:child_process").ChildProcess} child */
  constructor(child) {
    this.#child = child;
  }

  /**
   * @param {string} name of a file of `workers/`, which exports `start(options)` and answers an object of commands
   * @param {object} options plain data
   */
  static async start(name, options) {
    const file = new URL(`../workers/${name}.js`, import.meta.url).href;
    const child = fork(worker, [file, JSON.stringify(options)], {
      execArgv: ["--expose-gc", "--max-old-space-size=6144"],
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const subject = new SubjectProcess(child);
    await subject.#answer();
    return subject;
  }

  /**
   * Has the process do something and gives what it answered.
   * @param {string} command
   * @param {unknown} [argument]
   */
  async call(command, argument) {
    const answer = this.#answer();
    this.#child.send({ command, argument });
    return answer;
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  /** @returns {Promise<any>} */
  async #answer() {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onExit = (/** @type {number | null} */ code) => settle(() => reject(new Error(`ended with code ${code}`)));
      const onMessage = (/** @type {{ value?: unknown, error?: string }} */ { value, error }) =>
        settle(() => (error === undefined ? resolve(value) : reject(new Error(error))));
      function settle(/** @type {() => void} */ then) {
        child.off("message", onMessage).off("exit", onExit);
        then();
      }
      child.once("message", onMessage).once("exit", onExit);
    });
  }
}
