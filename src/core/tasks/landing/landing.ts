// One task's place on the stack of a train, and what is to be said of it when it lands.

import { counted } from "../../../protocol/counted.ts";
import type { FoundBranch, LandingNote } from "../../../ports/harvest.ts";

export interface Landing<Member> {
  readonly member: Member;
  readonly tip: string;
  readonly commits: number;
  /** The commits, each with the one it became. */
  readonly picks: readonly { readonly from: string; readonly to: string }[];
  readonly notes: readonly LandingNote[];
  /** The tip of the branch by then, if somebody committed after it was called ready. */
  readonly later: Extract<FoundBranch, { kind: "found" }>["later"] | undefined;
}

/** In words, for the event and for whoever waits. */
export function sayings({ notes, later }: Pick<Landing<unknown>, "notes" | "later">): string[] {
  const said = notes.map(({ says }) => says);
  if (later === undefined) return said;
  const { commits } = later;
  const what =
    commits === 0
      ? "the branch was changed after it was called ready"
      : `${counted(commits, "commit")} made after it was called ready did not land`;
  return [...said, `${what}: it stands at ${later.tip.slice(0, 12)} in its workspace; what was ready has landed`];
}
