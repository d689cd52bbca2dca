import { guarded } from "../identity/guard.ts";
import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { Denial } from "./denial.ts";
import { exposeHeaders, showDecisions } from "./headers/show.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { RejectionView } from "./options.ts";
import { GO, STOP, type Outcome } from "./outcome.ts";
import { RecordingSink, RejectionRecord, setRejectionHeaders, type RejectionBody } from "./rejection.ts";
import { customBody, NO_HEADERS, OrdinaryBodies } from "./rejection-body.ts";
import { newestOf, type Visit } from "./visit.ts";

/** Puts what was decided on responses. */
export class Answers<Raw, Res> {
  readonly #parts: LimiterParts<Raw, string, Res>;
  readonly #bodies = new OrdinaryBodies();

  constructor(parts: LimiterParts<Raw, string, Res>) {
    this.#parts = parts;
  }

  admit(visit: Visit): Outcome {
    const { port } = visit;
    // A handler before the limiter may have answered already; the count stands, and there is nothing to write to.
    if (port.headSent) return GO;
    showDecisions(newestOf(visit), port);
    if (this.#parts.headers.exposed !== undefined) exposeHeaders(visit, port);
    return GO;
  }

  /** Plain unless `respond` is asynchronous. */
  reject(visit: Visit, denial: Denial): MaybePromise<Outcome> {
    const { port } = visit;
    if (port.closed) return STOP;
    const sink = new RecordingSink(port);
    showDecisions(newestOf(visit), sink);
    setRejectionHeaders(sink, port, denial, this.#parts.headers.retryAfter);
    exposeHeaders(visit, sink);
    const { respond } = this.#parts.options;
    if (respond === undefined) return this.#rejected(visit, denial, sink, this.#ordinary(visit, denial));
    return guarded(
      () => respond(visit.view as RequestView<Raw>, rejectionView<Res>(visit, denial)),
      (answer) =>
        this.#rejected(
          visit,
          denial,
          sink,
          answer === undefined ? this.#ordinary(visit, denial) : customBody(denial, answer),
        ),
      (error) => {
        this.#parts.event("respond-failed", error);
        return this.#rejected(visit, denial, sink, this.#ordinary(visit, denial));
      },
    );
  }

  #ordinary(visit: Visit, denial: Denial): RejectionBody {
    return this.#bodies.of(denial, visit.view.header("accept"));
  }

  #rejected({ port }: Visit, denial: Denial, sink: RecordingSink, body: RejectionBody): Outcome {
    // `respond` may have ended the response itself, or the client may have left in the meantime.
    if (port.closed) return STOP;
    if (body.headers !== NO_HEADERS)
      for (const [name, value] of Object.entries(body.headers)) sink.setHeader(name, value);
    const thrown = this.#parts.checked.rejectWith === "throw";
    // Who throws lets an error handler write the body, and name its type.
    if (!thrown && body.type !== undefined) sink.setHeader("Content-Type", body.type);
    return { action: "reject", rejection: new RejectionRecord(denial, body, sink, thrown) };
  }
}

function rejectionView<Res>(
  { told: decision, port }: Visit,
  { status, violated, retryAfter }: Denial,
): RejectionView<Res> {
  return { status, decision, violated, retryAfter, response: port.response as Res };
}
