// Tasks from elsewhere and to elsewhere: a markdown list, GitHub issues through gh, JSON out.

import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { counted } from "../../../protocol/counted.ts";
import { Outage, Refusal, systemCode } from "../../../protocol/errors.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { importIssues } from "./issue.ts";
import { type ListedTask, readMarkdownTasks } from "../input/markdown-tasks.ts";

export const exportAll: RunCommand = async (context) => {
  const { tasks } = await (await context.caller()).call("task.export", {});
  return { json: { tasks }, text: () => JSON.stringify({ tasks }, null, 2) };
};

export const importAll: RunCommand = async (context, input) => {
  const [file, github, from, label] = [
    input.optional("file"),
    ...["github", "from", "filter"].map((name) => input.flag(name)),
  ];
  const ways = [file, github, from].filter((way) => way !== undefined).length;
  if (ways > 1) throw new Refusal("usage.bad-value", "a file, --github and --from are three ways: take one of them");
  if (file !== undefined && (label !== undefined || input.has("follow")))
    throw new Refusal("usage.bad-value", "--filter and --follow are about issues; a file has none");
  if (ways === 0 && label === undefined)
    throw new Refusal(
      "usage.missing-argument",
      "constel task import needs a markdown file, --filter LABEL for issues of this repository, --from ADDRESS, or --github OWNER/NAME",
    );
  if (file === undefined && (github === undefined || input.has("follow"))) return await importIssues(context, input);
  const tasks = github === undefined ? fromMarkdown(context, file ?? "-") : await fromGitHub(context, github, label);
  refuseTooMuch(tasks);
  if (input.has("dry-run")) {
    return {
      json: { tasks },
      text: tasks.map((task) => `${task.priority ?? "P2"}  ${task.title}`).join("\n") || "Nothing to import.",
    };
  }
  const { root } = context.places;
  const answer = await (await context.caller()).call("task.import", input.asked("task.import", { root, tasks }));
  const known = answer.known === 0 ? "" : `; ${answer.known} known already`;
  return { json: answer, text: `Created ${counted(answer.created.length, "task")}${known}.` };
};

/** The limits of `task.import`. gh says nothing of issues past the number it was asked for, so it is asked for one more. */
const most = { title: 10_000, directive: 100_000, tasks: 10_000 };

/** A text that is cut is another task, and a list that is cut another plan. */
function refuseTooMuch(tasks: readonly ListedTask[]): void {
  if (tasks.length > most.tasks)
    throw new Refusal("usage.bad-value", `there are more than ${most.tasks} tasks: import them in parts`);
  for (const task of tasks)
    for (const part of ["title", "directive"] as const) {
      if (task[part].length <= most[part]) continue;
      const what = `the ${part === "title" ? "title" : "text"} of "${task.title.slice(0, 60)}"`;
      const found = `${task[part].length} characters; a task takes at most ${most[part]}`;
      throw new Refusal("usage.bad-value", `${what} has ${found}. Nothing was imported`, {
        title: task.title.slice(0, 200),
      });
    }
}

function fromMarkdown(context: CliContext, file: string): ListedTask[] {
  const path = file === "-" ? "/dev/stdin" : resolve(context.cwd, file);
  try {
    return readMarkdownTasks(readFileSync(path, "utf8"), file === "-" ? "stdin" : basename(path));
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") throw new Refusal("usage.bad-value", `there is no file ${path}`, { path });
    throw new Outage("read", path, cause);
  }
}

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly labels: readonly { readonly name: string }[];
}

async function fromGitHub(context: CliContext, repository: string, label: string | undefined): Promise<ListedTask[]> {
  const args = [
    "issue",
    "list",
    "--repo",
    repository,
    "--state",
    "open",
    "--limit",
    String(most.tasks + 1),
    "--json",
    "number,title,body,labels",
    ...(label === undefined ? [] : [`--label=${label}`]),
  ];
  const run = systemProcesses.run(["gh", ...args], {
    env: childEnvironment(context.env),
    deadlineMs: 60_000,
    signal: context.signal,
  });
  const outcome = await run.catch((cause: unknown) => {
    throw new Refusal("import.no-program", `gh cannot be started: ${cause instanceof Error ? cause.message : ""}`);
  });
  if (outcome.code !== 0)
    throw new Refusal(
      "import.no-program",
      `gh could not list the issues of ${repository}: ${outcome.stderr.trim().slice(0, 300)}`,
    );
  const issues = JSON.parse(new TextDecoder().decode(outcome.stdout)) as readonly Issue[];
  return issues.map(({ number, title, body, labels }) => {
    const named = labels
      .map(({ name }) => /^(?:priority[:/ ]*)?(p[0-3])$/i.exec(name)?.[1]?.toUpperCase())
      .find(Boolean);
    return {
      key: `github:${repository}#${number}`,
      title,
      directive: body ?? "",
      ...(named === undefined ? {} : { priority: named as "P0" }),
    };
  });
}
