// A program that constel only drives over a pipe, as a runtime like any other. It has no terminal of ours to read: the holder tells what it is at,
// and keeps what it used.

import type { Runtime } from "../../../ports/runtime.ts";
import { detectProgram } from "../detect.ts";
import { hookRecordOf } from "../hook-record.ts";
import { judge } from "../judge-status.ts";
import { injectHeld, observeHeld, prepareHeld, proveHeld } from "./held.ts";
import { readUsageRow, usageKept } from "./usage-file.ts";

export interface DrivenProgram extends Pick<Runtime, "name" | "checkedVersions" | "holdsTo"> {
  /** As it is found on the PATH. */
  readonly command: string;
  /** It is given constel's tools at its start. */
  readonly mcp: boolean;
}

export function drivenOnly({ name, command, checkedVersions, holdsTo, mcp }: DrivenProgram): Runtime {
  return {
    name,
    checkedVersions,
    drives: "only",
    ...(holdsTo === undefined ? {} : { holdsTo }),
    abilities: {
      systemPrompt: "first-turn",
      hooks: false,
      hears: false,
      mcp,
      resume: true,
      headless: false,
      usageReport: true,
      idleDetection: true,
      push: true,
      ownSessionId: false,
    },
    detect: (machine) => detectProgram(command, checkedVersions, machine),
    prepare: (launch) => prepareHeld(launch, name),
    headless: () => {
      throw new Error(`${name} is driven over a pipe; it has no single turn`);
    },
    parseHeadless: (_, stderr) => ({ ok: false, text: "", sessionId: undefined, usage: [], error: stderr, denied: [] }),
    hookRecord: hookRecordOf("script"),
    observe: observeHeld,
    status: (evidence) => judge(evidence, { title: () => undefined, screen: () => undefined }),
    currentSession: (session) => Promise.resolve(session.sessionId ?? session.launch.resume),
    canResume: () => Promise.resolve("unknown"),
    transcript: () => Promise.resolve(undefined),
    rowReader: () => readUsageRow,
    inject: injectHeld,
    proof: (session, messageId) => Promise.resolve(proveHeld(session, messageId)),
    usage: ({ launch }) => Promise.resolve(usageKept(launch)),
    commands: () => [],
    installs: () => [],
  };
}
