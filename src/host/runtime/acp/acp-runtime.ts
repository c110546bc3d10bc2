// A program that constel only drives over ACP, as a runtime like any other. It has no terminal of ours to read: the holder tells what it is at,
// and keeps what it used.

import type { Driver } from "../../../ports/driver.ts";
import type { Runtime } from "../../../ports/runtime.ts";
import { detectProgram } from "../detect.ts";
import { judge } from "../judge-status.ts";
import { readPrompt } from "../codex/launch.ts";
import { hookRecordOf } from "../hook-record.ts";
import { observeHeld, prepareHeld, proveHeld, injectHeld } from "../driving/held.ts";
import { readUsageRow, usageKept } from "../driving/usage-file.ts";
import { openAcp } from "./drive.ts";
import type { AcpProgram } from "./programs.ts";

export function acpRuntime(program: AcpProgram): Runtime {
  const { name, command, checkedVersions } = program;
  return {
    name,
    checkedVersions,
    drives: "only",
    ...(program.modes === undefined ? {} : { holdsTo: ["readOnly"] }),
    abilities: {
      systemPrompt: "first-turn",
      hooks: false,
      hears: false,
      mcp: true,
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
      throw new Error(`${name} is driven over ACP; it has no single turn`);
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

export function acpDriver(program: AcpProgram): Driver {
  return {
    prepare: (launch) =>
      Promise.resolve({
        files: [],
        argv: [launch.program, ...program.words, ...(launch.model === undefined ? [] : ["--model", launch.model])],
        env: { CONSTEL_AGENT: launch.agent, CONSTEL_HOME: launch.home },
        unset: [],
        notes: [],
      }),
    open: (pipe, start) =>
      openAcp(pipe, start, {
        introduction: readPrompt(start.launch.promptFile),
        ...(program.modes === undefined ? {} : { modes: program.modes }),
        ...(program.tellsContextAfter === undefined ? {} : { tellsContextAfter: program.tellsContextAfter }),
      }),
  };
}
