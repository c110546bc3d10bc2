// Lets others have the thread in the middle of long work. Everybody is answered on one thread, and a promise that is already kept gives
// nobody else a turn: work that asks SQLite a hundred questions would hold all others until its end. Whoever has a step behind it asks here
// before it takes the next.

/** Long enough that a pause costs little beside it, and short enough that nobody notices the wait. */
const longestMs = 10;

/** The time when this turn of the event loop was first asked about. */
let beganMs: number | undefined;

/** Tells whether this turn has lasted so long that the next step belongs into another. */
export function isTurnOver(): boolean {
  const nowMs = performance.now();
  if (beganMs !== undefined) return nowMs - beganMs > longestMs;
  beganMs = nowMs;
  setImmediate(ended);
  return false;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Between two steps of long work. */
export async function letOthers(): Promise<void> {
  if (isTurnOver()) await nextTurn();
}

/** As `Array.map`, for steps that together may take long. */
export async function mapInTurns<One, Made>(all: readonly One[], make: (one: One) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const [at, one] of all.entries()) {
    if (at % stepsAtOnce === 0) await letOthers();
    made.push(make(one));
  }
  return made;
}

/** Steps of some microseconds: asking each time would cost as much as they do. */
const stepsAtOnce = 50;

function ended(): void {
  beganMs = undefined;
}
