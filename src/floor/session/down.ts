// `constel session down`: leaves notes for the next session, a resume file when the session was under a loop, and a record.
// The notes come first: they are what the next session cannot do without.

import type { Clock, Random } from "../../ports/machine.ts";
import type { Identity } from "../../protocol/agent-id.ts";
import { writeLoopResume } from "../markers/loop-resume.ts";
import { type NotesEntry, appendNotes } from "../notes.ts";
import { tryAppendRecord } from "../records.ts";
import { sessionsSoFar } from "./session-count.ts";

export interface SessionDown {
  /** Relative to the root directory. */
  readonly notes: string;
  /** The loop the next session takes up again. */
  readonly resumes: string | undefined;
  readonly lines: readonly string[];
}

export function sessionDown(
  context: {
    home: string;
    root: string;
    constellation: string;
    identity: Identity;
    clock: Clock;
    random: Random;
  },
  /** `loop` is the loop this session runs under, if any. */
  entry: NotesEntry & { loop?: string | undefined },
): SessionDown {
  const { home, root, identity, clock } = context;
  const { agent } = identity;
  const nowMs = clock.nowMs();
  const notes = appendNotes(root, agent, nowMs, entry);
  const lines = [`notes appended to ${notes}`];
  // Only the root takes a loop up from the file; a clone's loop lives on in its own file and wakes it again.
  const resumes = identity.role === "root" ? entry.loop : undefined;
  if (resumes !== undefined) {
    writeLoopResume(home, { loop: resumes, agent, writtenAtMs: nowMs, pickup: entry.pickup });
    lines.push(`loop ${resumes} will be taken up again if the next session comes within 12 hours`);
  }
  const session = sessionsSoFar(home, agent);
  const recorded = tryAppendRecord(context, "sessions", { event: "down", agent, session, notes, loop: entry.loop });
  if (!recorded.ok) lines.push(`the session was not recorded: ${recorded.reason}`);
  return { notes, resumes, lines };
}
