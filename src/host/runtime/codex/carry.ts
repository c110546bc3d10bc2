// Takes a conversation of Codex along to another account: its rollout, at the same place below the other directory. The program finds it there
// by the thread's id (`codex resume`).

import { cpSync, mkdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { AccountWays } from "../../../ports/runtime.ts";
import { Outage } from "../../../protocol/errors.ts";
import { codexHome, envOf, findRollout } from "./rollout.ts";

export const carryCodex: AccountWays["carry"] = (session, next, { env }) => {
  const own = envOf(session.launch, env);
  const from = findRollout(own, session);
  if (from === undefined) return Promise.resolve();
  const to = join(codexHome(envOf(next, env)), relative(codexHome(own), from));
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    cpSync(from, to);
  } catch (cause) {
    throw new Outage("copy the conversation to", to, cause);
  }
  return Promise.resolve();
};
