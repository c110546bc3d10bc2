/**
 * Exit codes of the program. 1 is a plain negative answer (a finding, a red doctor), not an error. 5: nothing was found, and not
 * everything was looked at, so that says little.
 */
export const exitCodes = {
  ok: 0,
  negative: 1,
  usage: 2,
  refused: 3,
  outage: 4,
  incomplete: 5,
  bug: 70,
} as const;

/** Of an answer about collisions: so many were found, and whether everything was looked at. */
export function exitFor(found: number, complete: boolean): number {
  if (found > 0) return exitCodes.negative;
  return complete ? exitCodes.ok : exitCodes.incomplete;
}
