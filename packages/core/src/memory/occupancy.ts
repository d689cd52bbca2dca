/** What a store holds over all its tables; each table keeps its share up to date. */
export interface Occupancy {
  /** States and blocks. */
  states: number;
  /** Numbers in sliding logs; an entry takes two. */
  logCells: number;
  /** Rises whenever a slot that was looked up may have become another's. */
  moves: number;
}
