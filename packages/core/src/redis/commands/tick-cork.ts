/** What is used of a socket; whatever is written through may lack it. */
interface Corkable {
  cork?(): void;
  uncork?(): void;
}

const held = new Set<Corkable>();

/**
 * Holds back what is written to a socket until the tick ends, so that the calls of one turn to one node of a Cluster,
 * one for each slot, go out together: writing each by itself takes longer than all the rest.
 */
export function corkForTick(socket: object): void {
  const corkable = socket as Corkable;
  if (typeof corkable.cork !== "function" || typeof corkable.uncork !== "function" || held.has(corkable)) return;
  if (held.size === 0) process.nextTick(release);
  held.add(corkable);
  corkable.cork();
}

function release(): void {
  const sockets = [...held];
  held.clear();
  for (const socket of sockets) socket.uncork?.();
}
