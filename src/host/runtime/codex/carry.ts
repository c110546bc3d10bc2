// Takes a conversation of Codex along to another account: its rollout, at the same place below the other directory. The program finds it there
// by the thread's id (`codex resume`).

import { join, relative } from "node:path";
import type { AccountWays } from "../../../ports/runtime.ts";
import { carryFiles } from "../carry-files.ts";
import { codexHome, envOf, findRollout } from "./rollout.ts";

export const carryCodex: AccountWays["carry"] = (session, next, { env }) => {
  const own = envOf(session.launch, env);
  const from = findRollout(own, session);
  if (from === undefined) return Promise.resolve();
  const name = relative(join(codexHome(own), "sessions"), from);
  carryFiles(codexHome(envOf(next, env)), "sessions", [{ from, name }]);
  return Promise.resolve();
};
