// While a forge cannot be asked, it is asked ever more rarely.

const pausesMs = [15_000, 60_000, 120_000, 300_000];

/** The pause after so many failures in a row. */
export const patience = (outages: number): number => pausesMs[Math.min(outages, pausesMs.length) - 1] ?? 300_000;
