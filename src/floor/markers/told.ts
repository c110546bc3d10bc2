// `told-<hash>`: when the owner was told something, so that the same is not told again a moment later. The body holds the moment,
// because a clock that tests move is not the file system's.

import { markersNamed, putMarker, readMarker, removeMarker } from "./marker-files.ts";

const prefix = "told-";
const keptMs = 86_400_000;

export interface Told {
  readonly subject: string;
  readonly body: string;
}

const nameOf = ({ subject, body }: Told): string =>
  prefix + new Bun.CryptoHasher("sha256").update(`${subject}\n${body}`).digest("hex").slice(0, 24);

/** Returns the time when the same was told, if that is no longer ago than `withinMs`. A home that cannot be read remembers nothing. */
export function lastTold(home: string, page: Told, nowMs: number, withinMs: number): number | undefined {
  try {
    const atMs = Number(readMarker(home, nameOf(page)) ?? Number.NaN);
    return nowMs >= atMs && nowMs - atMs < withinMs ? atMs : undefined;
  } catch {
    return undefined;
  }
}

export function noteTold(home: string, page: Told, nowMs: number): void {
  try {
    putMarker(home, nameOf(page), String(nowMs));
    for (const name of markersNamed(home, prefix)) {
      if (nowMs - Number(readMarker(home, name) ?? 0) > keptMs) removeMarker(home, name);
    }
  } catch {
    // A full disk costs a second page, not the first one.
  }
}
