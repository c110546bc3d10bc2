// Lets go of one rescue: its ref in the source, or its bundle. Only what is named like a rescue is ever deleted.

import { existsSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import type { ForgetWish } from "../../ports/workspace.ts";
import type { WorkGit } from "./work-git.ts";

export async function forgetRescue(git: WorkGit, wish: ForgetWish): Promise<string | undefined> {
  const { source, where, bundles } = wish;
  if (where.startsWith("bundle:")) {
    const path = where.slice("bundle:".length);
    const isOurs = dirname(path) === bundles && basename(path).endsWith(".bundle");
    if (!isOurs) throw noRescue(where);
    rmSync(path, { force: true });
    return undefined;
  }
  const ref = where.slice("ref:".length);
  if (!where.startsWith("ref:refs/constel/rescue/")) throw noRescue(where);
  if (!existsSync(join(source, "objects"))) return undefined;
  const variables = { GIT_DIR: source };
  const found = await git.try({ args: ["rev-parse", "-q", "--verify", ref], variables });
  const commit = Buffer.from(found.stdout).toString("utf8").trim();
  if (found.code !== 0 || commit === "") return undefined;
  await git.bytes({ args: ["update-ref", "--no-deref", "-d", ref, commit], variables });
  return commit;
}

const noRescue = (where: string): Refusal => new Refusal("workspace.no-rescue", `${where} is no rescue`, { where });
