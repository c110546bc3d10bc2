// The mark that a verb of a schedule leaves while it runs and when it has ended: who runs it, and how it ended.

export interface FiringMark {
  readonly pid: number;
  readonly token: string;
  readonly exit?: number;
  /** The end of what it printed. */
  readonly says?: string;
}

/** A file's name for a firing's key. Keys are made of labels and times; what else is in one is written as its number. */
export const firingName = (key: string): string =>
  key.replaceAll(/[^a-zA-Z0-9-]/g, (one) => `_${one.codePointAt(0)?.toString(16) ?? ""}`).slice(0, 200);

export function readMark(text: string): FiringMark | undefined {
  try {
    const { pid, token, exit, says } = JSON.parse(text) as Partial<FiringMark>;
    if (typeof pid !== "number" || typeof token !== "string") return undefined;
    const how = typeof exit === "number" ? { exit, says: typeof says === "string" ? says : "" } : {};
    return { pid, token, ...how };
  } catch {
    return undefined;
  }
}
