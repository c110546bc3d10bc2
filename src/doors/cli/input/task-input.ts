// What commands about tasks read from the command line.

import { join, resolve } from "node:path";
import { Refusal } from "../../../protocol/errors.ts";
import { inRoot } from "../../../settings/paths.ts";
import type { CommandInput } from "./command.ts";
import type { CliContext } from "../context.ts";
import { repositoryAround } from "./repository-around.ts";

export function taskNumber(text: string): number {
  const digits = /^(?:#|task:)?(\d{1,9})$/.exec(text)?.[1];
  if (digits === undefined || Number(digits) === 0)
    throw new Refusal("usage.bad-value", `a task is named by its number, not ${text.slice(0, 100)}`, { text });
  return Number(digits);
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** 90m, 2h, 1h30m, 1d. */
export function estimateMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(m|h|d)/g)];
  const total = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * (units[unit] ?? 0), 0);
  if (parts.map(([part]) => part).join("") !== text || total < 60_000)
    throw new Refusal(
      "usage.bad-value",
      `--estimate takes a time of at least a minute, such as 90m or 2h, not ${text}`,
    );
  return Math.round(total);
}

/**
 * The repository that a new task is about when none is named: the one that its author stands in. undefined where that is the
 * root directory, which is what a task is about anyway, and in an agent's workspace, which is a copy of some other.
 */
export function repositoryHere({ cwd, places }: Pick<CliContext, "cwd" | "places">): string | undefined {
  const workspaces = join(places.root, inRoot.workspaces);
  if (cwd === workspaces || cwd.startsWith(`${workspaces}/`)) return undefined;
  const here = repositoryAround(cwd);
  return here === places.root ? undefined : here;
}

/** The flags that describe a task; only those that were given. */
export function taskDetails(context: CliContext, input: CommandInput) {
  const { cwd } = context;
  const flag = (name: string): string | undefined => input.flag(name);
  const [text, brief, target] = [flag("text"), flag("brief"), flag("target")];
  const [priority, estimate] = [flag("priority"), flag("estimate")];
  return {
    ...(text === undefined ? {} : { directive: text }),
    ...(brief === undefined ? {} : { brief: resolve(cwd, brief) }),
    ...(input.has("repo") ? { repositories: input.flags("repo").map((repo) => resolve(cwd, repo)) } : {}),
    ...(target === undefined ? {} : { target }),
    ...(priority === undefined ? {} : { priority: priority as "P0" }),
    ...(estimate === undefined ? {} : { estimate_ms: estimateMs(estimate) }),
    ...(input.has("scope") ? { scope: [...input.flags("scope")] } : {}),
    ...(input.has("after") ? { after: input.flags("after").map(taskNumber) } : {}),
  };
}
