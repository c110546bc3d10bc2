/** Exit codes of the program. 1 is a plain negative answer (a finding, a red doctor), not an error. */
export const exitCodes = {
  ok: 0,
  negative: 1,
  usage: 2,
  refused: 3,
  outage: 4,
  bug: 70,
} as const;
