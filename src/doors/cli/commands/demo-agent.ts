// The agent of `constel demo`: a script agent that does the edits its brief lists, in the workspace it was given and nowhere
// else, and reports each as an agent's hooks would. Everything else it acknowledges.

import { appendFileSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { counted } from "../../../protocol/counted.ts";
import { Outage } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { type Step, stepsIn } from "../demo/steps.ts";
import { type Note, runScriptAgent } from "./script-agent.ts";

const deadlineMs = 60_000;

export const demoAgent: RunCommand = (context) =>
  runScriptAgent(context, async (framed, note) => {
    // The words of others come with a bar before each line, and a brief inside a message with two.
    const text = framed.replaceAll(/^(?:\| ?)+/gm, "");
    const task = /^Task (\d+) is yours\./m.exec(text)?.[1];
    const workspace = /^Workspace: (.+) \(a clone of your own/m.exec(text)?.[1];
    if (task === undefined || workspace === undefined) return undefined;
    const steps = stepsIn(text);
    for (const step of steps) await take(step, { context, note, task, workspace: realpathSync(workspace) });
    return `did ${counted(steps.length, "step")} of task ${task}`;
  });

interface Place {
  readonly context: CliContext;
  readonly note: Note;
  readonly task: string;
  readonly workspace: string;
}

async function take(step: Step, place: Place): Promise<void> {
  const { workspace, note } = place;
  if (step.kind === "commit") {
    await run(place, ["git", "add", "-A"]);
    await run(place, ["git", "commit", "-q", "-m", step.message]);
    note("tool-ended", { tool: "Bash", cwd: workspace });
  } else if (step.kind === "ready") {
    await run(place, ["constel", "task", "ready", place.task]);
  } else {
    const path = inside(workspace, step.file);
    if (step.kind === "append") appendFileSync(path, `${step.line}\n`);
    else
      writeFileSync(
        path,
        readFileSync(path, "utf8").replaceAll(step.from, () => step.to),
      );
    note("tool-ended", { tool: "Edit", cwd: workspace, file: path });
  }
}

function inside(workspace: string, file: string): string {
  const plain = normalize(file);
  if (isAbsolute(plain) || plain.startsWith("..")) throw new Error(`${file} is outside the workspace`);
  return join(workspace, plain);
}

async function run({ context, workspace }: Place, command: readonly string[]): Promise<void> {
  const env = childEnvironment(context.env);
  const { code, stderr } = await systemProcesses.run(command, { cwd: workspace, env, deadlineMs });
  if (code !== 0) throw new Outage("run", command.join(" "), stderr.trim());
}
