// A telling: one thing that is said to one agent at once, by a hook of its or as a message, and what of which notices it
// says. It is `offered` while it lies ready, `sent` as a message, `told` on proof, `dropped` when it was taken away before
// anybody took it up, `lost` when a hook took it up and ended before it spoke.

import type { Severity } from "../../protocol/findings.ts";
import type { HearMoment } from "../../protocol/hear.ts";
import type { TellingsTable } from "../../store/tables/notices.ts";

/** A part of a notice as a telling says it. */
export interface Cover {
  readonly notice: string;
  readonly source: string;
  readonly kinds: readonly string[];
  readonly as: Severity;
  /** It says that the part is over. */
  readonly over: boolean;
}

export interface Telling extends Omit<TellingsTable, "covers" | "moments" | "files" | "denies" | "way" | "state"> {
  readonly way: "hook" | "message";
  readonly state: "offered" | "sent" | "told" | "lost" | "dropped";
  readonly covers: readonly Cover[];
  readonly moments: readonly HearMoment[];
  readonly files: readonly string[];
  readonly denies: boolean;
}

/** It lies ready or is under way: what it covers is not offered again. */
export const isOpen = ({ state }: Pick<Telling, "state">): boolean => state === "offered" || state === "sent";
