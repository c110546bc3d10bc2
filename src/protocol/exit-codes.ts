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

/**
 * Of an answer about collisions: so many were found, and so much could not be looked at. What nobody was asked, because the owner wants it so, is not
 * complete and is said, but is no reason to stop a script.
 */
export function exitFor(found: number, open: number): number {
  if (found > 0) return exitCodes.negative;
  return open === 0 ? exitCodes.ok : exitCodes.incomplete;
}
