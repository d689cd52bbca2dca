import type { Decision, PolicyDecision } from "../../domain/decision.ts";
import type { Visit } from "../visit.ts";
import type { DraftItem } from "./draft.ts";
import { exposedNames } from "./expose.ts";
import type { HeaderSink } from "./header-sink.ts";
import { setLegacyHeaders } from "./legacy.ts";
import { secondsOf, waitOf } from "./seconds.ts";

/** Sets the headers of everything that was decided for this request so far. @param latest - the newest visit. */
export function showDecisions(latest: Visit, sink: HeaderSink): void {
  const tightest = latest.next === undefined ? latest : tightestOf(latest);
  const { told: decision, owner } = tightest;
  // Where nobody counted there is nothing to tell, and a quota is not made up.
  if (decision?.binding === undefined) return;
  if (owner.headers.legacy) setLegacyHeaders(sink, decision, decision.binding, owner.headers.reset);
  if (owner.headers.draft !== undefined) showDraft(latest, tightest, decision.binding, sink);
}

/** Merges the names into what the application exposes already. */
export function exposeHeaders(visit: Visit, sink: HeaderSink): void {
  const { exposed } = visit.owner.headers;
  if (exposed === undefined) return;
  sink.setHeader(
    "Access-Control-Expose-Headers",
    exposedNames(visit.port.getHeader("access-control-expose-headers"), exposed),
  );
}

/** The visit whose answer is the tightest: a denial before all, the longest wait among those, else the least share left. */
function tightestOf(latest: Visit): Visit {
  let tightest = latest;
  for (let visit = latest.next; visit !== undefined; visit = visit.next) {
    // On a tie the earlier limiter stays.
    if (isAtLeastAsTight(visit, tightest)) tightest = visit;
  }
  return tightest;
}

function isAtLeastAsTight({ told: a }: Visit, { told: b }: Visit): boolean {
  if (a?.binding === undefined) return false;
  if (b?.binding === undefined) return true;
  if (a.allowed !== b.allowed) return !a.allowed;
  return a.allowed ? shareLeft(a.binding) <= shareLeft(b.binding) : a.retryAfterMs >= b.retryAfterMs;
}

function shareLeft({ remaining, capacity }: PolicyDecision): number {
  return capacity === 0 ? 0 : remaining / capacity;
}

function showDraft(latest: Visit, tightest: Visit, binding: PolicyDecision, sink: HeaderSink): void {
  const { draft } = tightest.owner.headers;
  const visits: Visit[] = [];
  for (let visit: Visit | undefined = latest; visit !== undefined; visit = visit.next) {
    if (visit.owner.headers.draft === draft) visits.unshift(visit);
  }
  const items: DraftItem[] = [];
  const taken = new Set<string>();
  let shown: DraftItem | undefined;
  for (const visit of visits) {
    for (const policy of enforced(visit.told)) {
      const name = freeName(taken, policy.name, visit.owner.name);
      const item = {
        name,
        policy,
        reset: secondsOf(waitOf(visit.told as Decision, policy)),
        partition: visit.owner.partitionOf(visit, policy.name),
      };
      items.push(item);
      if (policy === binding) shown = item;
    }
  }
  draft?.setHeaders(sink, items, shown as DraftItem);
}

/** One for each policy: while a secret is being rotated a policy counts under two keys, and the tighter one is shown. */
function enforced(decision: Decision | undefined): PolicyDecision[] {
  const shown: PolicyDecision[] = [];
  for (const policy of decision?.policies ?? []) {
    if (policy.shadow) continue;
    const twin = shown.findIndex((each) => each.name === policy.name);
    if (twin < 0) shown.push(policy);
    else if (
      policy === decision?.binding ||
      (shown[twin] !== decision?.binding && policy.remaining < (shown[twin] as PolicyDecision).remaining)
    )
      shown[twin] = policy;
  }
  return shown;
}

/** Policies of several limiters may have one name; an item's name must be its own. */
function freeName(taken: Set<string>, policy: string, limiter: string): string {
  let name = policy;
  for (let count = 1; taken.has(name); count++)
    name = count === 1 ? `${limiter}.${policy}` : `${limiter}.${policy}.${count}`;
  taken.add(name);
  return name;
}
