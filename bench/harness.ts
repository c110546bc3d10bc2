// One figure: what we do, against a floor that is the least work that could do the job, measured in the same run and
// interleaved, so that a busy machine slows both. A figure is a ratio; absolute times are printed for people.

export interface Measured {
  /** Our value and the floor's, in `unit`. */
  readonly value: number;
  readonly floor: number;
  readonly unit: string;
  /** More for people: p99, absolute figures. */
  readonly note?: string;
}

/** What it needs is not on this machine. */
export interface Skipped {
  readonly skipped: string;
}

export interface Entry {
  readonly name: string;
  readonly what: string;
  readonly floorIs: string;
  /** The ratio to reach: at most this for times, at least this for rates. */
  readonly bar: number;
  readonly better: "lower" | "higher";
  readonly lane: "quick" | "full";
  readonly measure: (rounds: number) => Promise<Measured | Skipped>;
}

export interface Row extends Measured {
  readonly entry: Entry;
  readonly ratio: number;
  readonly verdict: "pass" | "gap" | "FAIL" | "skip";
}

/**
 * Past twice the bar is a failure; between the bar and that, a gap to be explained. A failure is measured once more, because
 * the machine may have been busy with something else for one of the two sides; the better of the two counts.
 */
export async function runEntry(entry: Entry, rounds: number): Promise<Row> {
  const first = await entry.measure(rounds);
  if ("skipped" in first)
    return { value: 0, floor: 0, unit: "", note: `SKIPPED, ${first.skipped}`, entry, ratio: 0, verdict: "skip" };
  const { past, ...row } = judge(entry, first);
  if (row.verdict !== "FAIL") return row;
  const second = await entry.measure(rounds);
  if ("skipped" in second) return row;
  const { past: pastAgain, ...again } = judge(entry, second);
  const [better, worse] = pastAgain < past ? [again, row] : [row, again];
  const twice = `measured twice, the other time ${worse.ratio.toFixed(2)}×`;
  return { ...better, note: better.note === undefined ? twice : `${better.note}; ${twice}` };
}

/** `past` is how far from the bar it is: 1 at the bar, more beyond it, whichever way is better. */
function judge(entry: Entry, measured: Measured): Row & { readonly past: number } {
  const ratio = measured.floor === 0 ? measured.value : measured.value / measured.floor;
  const past = entry.better === "lower" ? ratio / entry.bar : entry.bar / ratio;
  return { ...measured, entry, ratio, past, verdict: past <= 1 ? "pass" : past <= 2 ? "gap" : "FAIL" };
}

/** Run before anything is timed. */
export const warmRounds = 3;

/** Runs ours and the floor in turn and answers the sorted times of each, in milliseconds. */
export async function interleave(
  rounds: number,
  ours: () => Promise<unknown> | unknown,
  floor: () => Promise<unknown> | unknown,
): Promise<{ ours: number[]; floor: number[] }> {
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let warm = 0; warm < warmRounds; warm++) {
    await ours();
    await floor();
  }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await timed(ours));
    times.floor.push(await timed(floor));
  }
  times.ours.sort(ascending);
  times.floor.sort(ascending);
  return times;
}

export async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}

export const median = (sorted: readonly number[]): number => percentile(sorted, 0.5);
export const ascending = (a: number, b: number): number => a - b;

/** CPU time (user and system) of a program run to its end, in milliseconds: steadier than wall time on a busy machine. */
export function cpuOf(command: readonly string[], env: Readonly<Record<string, string>>): number {
  const { resourceUsage, exitCode, stderr } = Bun.spawnSync([...command], {
    env: { ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${stderr.toString()}`);
  return Number(resourceUsage.cpuTime.total) / 1000;
}
