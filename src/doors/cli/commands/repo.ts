// Which repositories are observed, on the command line.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RunCommand } from "../command.ts";
import { table } from "../present/table.ts";

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("repository.add", { path: resolve(context.cwd, input.optional("path") ?? ".") });
  const text = receipt.added
    ? `Observing ${receipt.name}. \`constel conflicts\` says what will collide.`
    : `${receipt.name} is observed; ${receipt.path} is now a way into it.`;
  return { json: receipt, text };
};

export const forget: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const word = input.argument("repo");
  const path = resolve(context.cwd, word);
  const receipt = await caller.call("repository.forget", { repository: existsSync(path) ? path : word });
  return { json: receipt, text: `No longer observing ${receipt.name}; ${receipt.closed} findings closed.` };
};

export const list: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("repository.list", {});
  const { repositories } = answer;
  const text = (): string => {
    if (repositories.length === 0) return "No repository is observed. `constel repo add` in one begins.";
    if (!input.has("worktrees")) {
      const rows = repositories.map((one) => [
        one.name,
        String(one.worktrees.length),
        String(one.open_findings),
        one.default_branch ?? "",
        one.problem ?? "",
      ]);
      const head = ["repository", "worktrees", "open", "lands on", "problem"];
      return table(head, rows, { ...context.output, right: new Set([1, 2]) });
    }
    const rows = repositories.flatMap(({ name, worktrees }) =>
      worktrees.map((one) => [
        name,
        one.branch ?? "(detached)",
        one.agent ?? "",
        one.ahead === null ? "" : `+${one.ahead} -${one.behind}`,
        stateOf(one),
        one.path,
      ]),
    );
    return table(["repository", "branch", "agent", "commits", "state", "worktree"], rows, context.output);
  };
  return { json: answer, text };
};

function stateOf(one: { skipped: string | null; operation: string | null; uncommitted: boolean }): string {
  if (one.skipped !== null) return one.skipped;
  if (one.operation !== null) return `in a ${one.operation}`;
  return one.uncommitted ? "uncommitted work" : "clean";
}
