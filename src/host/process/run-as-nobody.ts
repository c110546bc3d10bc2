// Commands that a setting names (a pager, a keeper of the audit's heads, a look at main). Any process of the account can write the settings, so
// such a command acts for nobody: it carries the mark of agents' processes from its first moment, and `constel` called from it may only read.

import type { Processes } from "../../ports/machine.ts";
import { markedFromTheStart } from "./limit-mark.ts";
import { systemProcesses } from "./run.ts";

export const processesOfNobody: Processes = {
  run: (command, options) =>
    systemProcesses.run([...markedFromTheStart("agent", options.env?.["PATH"] ?? ""), ...command], options),
};
