// A program that constel drives over ACP.

import type { Driver } from "../../../ports/driver.ts";
import type { DriveLimit } from "../../../ports/drive.ts";
import type { Runtime } from "../../../ports/runtime.ts";
import { readPrompt } from "../codex/launch.ts";
import { drivenOnly } from "../driving/driven-only.ts";
import { openAcp } from "./drive.ts";
import type { AcpProgram } from "./programs.ts";

export function acpRuntime({ name, command, checkedVersions, modes, copies }: AcpProgram): Runtime {
  const holdsTo: DriveLimit[] = [];
  if (modes !== undefined) holdsTo.push("readOnly");
  if (copies === true) holdsTo.push("fork");
  return drivenOnly({ name, command, checkedVersions, mcp: true, holdsTo });
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
