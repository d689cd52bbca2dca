import { SubjectProcess } from "./subject-process.js";

/**
 * Starts a process for each subject, has all take turns, round by round, and stops them.
 *
 * @template {{ name: string }} Subject
 * @param {object} plan
 * @param {string} plan.worker a file of `workers/`
 * @param {readonly Subject[]} plan.subjects
 * @param {(subject: Subject) => object} plan.options what its process is started with
 * @param {number} plan.rounds
 * @param {(process: SubjectProcess, subject: Subject, round: number) => Promise<Record<string, number>>} plan.round
 * @param {(process: SubjectProcess, subject: Subject) => Promise<unknown>} [plan.warmUp]
 * @returns {Promise<Map<string, Record<string, number[]>>>} what each round measured, by subject and by name
 */
export async function interleave({ worker, subjects, options, rounds, round, warmUp }) {
  /** @type {{ subject: Subject, process: SubjectProcess }[]} */
  const running = [];
  /** @type {Map<string, Record<string, number[]>>} */
  const series = new Map();
  try {
    for (const subject of subjects) {
      const process = await SubjectProcess.start(worker, options(subject));
      running.push({ subject, process });
      await warmUp?.(process, subject);
    }
    for (let number = 0; number < rounds; number++) {
      // The other way round every other time, so that nobody is always behind the same neighbour.
      for (const { subject, process } of number % 2 === 0 ? running : running.toReversed()) {
        const measured = await round(process, subject, number);
        const all = series.get(subject.name) ?? {};
        for (const [what, value] of Object.entries(measured)) (all[what] ??= []).push(value);
        series.set(subject.name, all);
      }
    }
    return series;
  } finally {
    for (const { process } of running) await process.stop();
  }
}
