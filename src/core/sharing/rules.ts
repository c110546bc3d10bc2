// What of a line of work is said to others, and how theirs is named here. Pure.

import { createHash } from "node:crypto";
import type { OthersSide, SideToTake } from "../../ports/sides.ts";
import { isSideRef } from "../../protocol/elsewhere.ts";

/** Sixteen digits for a worktree, which say nothing of where it is. */
export const keyOf = (mark: string, worktree: string): string =>
  createHash("sha256").update(`${mark}\0${worktree}`).digest("hex").slice(0, 16);

const minute = 60_000;
/** A daemon says that it lives more often than that. */
const staleMs = 3 * minute;
/** Work of a machine that was silent for so long says nothing of what is done there now. */
const tooOldMs = 24 * 60 * minute;
const longestWord = 60;

/** A side as it is to be taken in; why it is not, otherwise. `ageMs`: how long nothing has been heard of its machine. */
export function sideToTake(
  side: OthersSide,
  ageMs: number,
): SideToTake | { readonly ref: string; readonly why: string } {
  const { constellation, key, ref, commit, route, heardMs } = side;
  if (!isSideRef(ref) || !ref.endsWith(`/${key}`)) return { ref: "", why: "its name is not a side's" };
  if (commit === null) return { ref, why: side.detail ?? "it is being sent" };
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit)) return { ref, why: "its commit is not one" };
  if (route === "nowhere") return { ref, why: side.detail ?? "its objects are not sent" };
  if (ageMs > tooOldMs) return { ref, why: `nothing was heard of ${word(constellation)} for over a day` };
  const label = labelOf(side);
  return { ref, commit, label, doubt: ageMs > staleMs ? doubtOf(label, constellation, heardMs) : null };
}

/** For people: who does what where. All of it was chosen by others. */
export function labelOf({ constellation, words }: Pick<OthersSide, "constellation" | "words">): string {
  const { branch, agent, machine } = words;
  const who = agent === null ? "" : `${word(agent)}, `;
  return `${branch === null ? "work" : word(branch)} (${who}${word(constellation)} on ${word(machine)})`;
}

function doubtOf(label: string, constellation: string, heardMs: number): string {
  const at = new Date(Math.min(Math.max(heardMs, 0), 8.64e15)).toISOString().slice(0, 16).replace("T", " ");
  return `${label} is as of ${at} UTC: nothing was heard of ${word(constellation)} since`;
}

/** One short word of somebody else's: no line of its own, and no sign that has no shape. */
function word(text: string): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  const signs = [...plain];
  return signs.length <= longestWord ? plain : `${signs.slice(0, longestWord - 1).join("")}…`;
}

/** Since when nothing was heard of others, by our own clock: theirs may be wrong. */
export class HeardOthers {
  readonly #seen = new Map<string, { readonly heardMs: number; readonly atMs: number }>();

  ageMs(
    constellation: string,
    heardMs: number,
    now: { readonly wallMs: number; readonly monotonicMs: number },
  ): number {
    const before = this.#seen.get(constellation);
    if (before?.heardMs === heardMs) return now.monotonicMs - before.atMs;
    // The first time there is only their clock to go by; then each sign of life counts from when it was seen.
    const ageMs = before === undefined ? Math.max(0, now.wallMs - heardMs) : 0;
    this.#seen.set(constellation, { heardMs, atMs: now.monotonicMs - ageMs });
    return ageMs;
  }
}
