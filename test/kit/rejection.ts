// How a promise was rejected, as a value. Bun answers `expect(promise).rejects` by waiting inside the turn, and what the promise waits
// for may stand in line behind that turn: then the test hangs for ever. A plain `await` lets everything else go on.

/** Returns what the promise was rejected with. A promise that was kept fails the test. */
export async function rejection(promise: PromiseLike<unknown> | undefined): Promise<unknown> {
  let kept: unknown;
  try {
    kept = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, and it answered ${Bun.inspect(kept)}`);
}

/** Returns a function that throws what the promise was rejected with, for `expect(…).toThrow(…)`. */
export async function throwing(promise: PromiseLike<unknown> | undefined): Promise<() => never> {
  const error = await rejection(promise);
  return () => {
    throw error;
  };
}
