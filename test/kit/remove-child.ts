// Removes or restores a workspace in a process of its own and ends itself with SIGKILL at the step it was told, for tests of
// what a kill leaves behind: `remove-child.ts <verb> <wish as JSON> <step> <how many times>`.

import { systemProcesses } from "../../src/host/process/run.ts";
import { systemWorkspaces } from "../../src/host/workspace/workspaces.ts";

const [verb, wish = "", step, times = "1"] = process.argv.slice(2);
let left = Number(times);
const environment = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
const workspaces = systemWorkspaces({ processes: systemProcesses, environment });
const withStep = {
  ...JSON.parse(wish),
  step: (name: string) => {
    if (name === step && --left === 0) process.kill(process.pid, "SIGKILL");
  },
};
const answer = verb === "remove" ? await workspaces.remove(withStep) : await workspaces.restore(withStep);
process.stdout.write(JSON.stringify(answer ?? null));
