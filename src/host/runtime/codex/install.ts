// Codex's hooks for sessions that people start: `hooks.json`, and the trust in exactly these hooks in `config.toml`, because hooks that
// nobody trusted are silently skipped. What it would be trusted by is asked of the program itself, in a home of its own for the question.

import { join } from "node:path";
import type { InstallTarget, InstallWish, Runtime } from "../../../ports/runtime.ts";
import { detectProgram } from "../detect.ts";
import { codexEvents } from "../hook-record.ts";
import { hooksTarget } from "../install-hooks.ts";
import { listHooks } from "./hook-trust.ts";
import { codexHome } from "./rollout.ts";

const hookSeconds = 3;

export function codexInstalls({ env, project, line, instructions }: InstallWish): readonly InstallTarget[] {
  const directory = project === undefined ? codexHome(env) : join(project, ".codex");
  const hook = { hooks: [{ type: "command", command: line, timeout: hookSeconds }] };
  const path = join(project ?? codexHome(env), "AGENTS.md");
  return [
    hooksTarget("codex", join(directory, "hooks.json"), codexEvents, () => hook, { mark: false }),
    { kind: "instructions", runtime: "codex", path, text: instructions },
  ];
}

export const codexTrusts: NonNullable<Runtime["trusts"]> = async (hooks, wish, machine, scratch) => {
  const config = join(codexHome(wish.env), "config.toml");
  if (wish.undo) return [{ kind: "toml", runtime: "codex", path: config, tables: [] }];
  const { path: program } = await detectProgram("codex", [], machine);
  if (program === undefined) return [];
  const quiet = ["analytics.enabled=false", "features.plugins=false"];
  const asked = { ...machine, env: { ...machine.env, CODEX_HOME: scratch } };
  const found = await listHooks(program, quiet, scratch, asked);
  const ours = (found ?? []).filter(({ command }) => command === wish.line);
  const tables = ours.map(({ key, hash }) => ({
    // The same hook at the same place in the file that is meant.
    keys: ["hooks", "state", key.replace(join(scratch, "hooks.json"), hooks.path)],
    body: `trusted_hash = ${JSON.stringify(hash)}\n`,
  }));
  if (tables.length === 0) return [];
  return [{ kind: "toml", runtime: "codex", path: config, tables }];
};
