// Says why a workspace must not be removed: work that is nowhere else. What cannot be told counts as work.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../protocol/counted.ts";
import { messageOf } from "../../protocol/errors.ts";
import { systemProcesses } from "../process/run.ts";
import { uncommittedFiles } from "./uncommitted.ts";
import { WorkGit } from "./work-git.ts";

/** undefined when everything in it is at its origin. */
export async function holdsWork(path: string, environment: Record<string, string>): Promise<string | undefined> {
  if (!existsSync(join(path, ".git"))) return "it is no workspace of constel's";
  const git = new WorkGit({ processes: systemProcesses, environment });
  const variables = { GIT_DIR: join(path, ".git"), GIT_WORK_TREE: path };
  const read = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await git.try({ args, variables, cwd: path });
    if (code !== 0) throw new Error(stderr.trim());
    return Buffer.from(stdout).toString("utf8").trim();
  };
  try {
    const head = await read("rev-parse", "-q", "--verify", "HEAD").catch(() => undefined);
    const uncommitted = await uncommittedFiles(git, path, head);
    if (uncommitted.length > 0) return counted(uncommitted.length, "uncommitted file");
    const stashed = await read("stash", "list");
    if (stashed !== "") return "it has stashes";
    const unlanded = await read("rev-list", "--count", "HEAD", "--branches", "--not", "--remotes");
    return unlanded === "0" ? undefined : `${counted(Number(unlanded), "commit")} not at its origin`;
  } catch (cause) {
    return `it cannot be told whether it holds work: ${messageOf(cause)}`;
  }
}
