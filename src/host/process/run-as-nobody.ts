// Commands that a setting names (a pager, a keeper of the audit's heads, a look at main). Any process of the account can write the settings, so
// such a command acts for nobody: it carries the mark of agents' processes from its first moment, and `constel` called from it may only read.

import type { Processes } from "../../ports/machine.ts";
import { Outage } from "../../protocol/errors.ts";
import { markedFromTheStart } from "./limit-mark.ts";
import { systemProcesses } from "./run.ts";

export const processesOfNobody: Processes = {
  run: async (command, options) => {
    const path = options.env?.["PATH"] ?? "";
    const [program = ""] = command;
    // The words of the mark would say it in their own name, as a command that ended badly.
    if (Bun.which(program, { PATH: path, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) }) === null)
      throw new Outage("start", program, "there is no such program");
    return await systemProcesses.run([...markedFromTheStart("agent", path), ...command], options);
  },
};
