// The rules' answer to an agent's hook, from files alone: the owner's rules as they stand, and the agent's place as the daemon wrote it
// down. Nobody is asked, so a daemon that is stopped, gone or confused takes nothing from an agent and lets nothing through that
// a rule forbids.

import { join } from "node:path";
import { mayForbid } from "../core/permissions/may-forbid.ts";
import { placesIn } from "../core/permissions/place.ts";
import type { Rule } from "../core/permissions/rule.ts";
import { readPlace } from "../floor/hear/place-file.ts";
import { sealedHome } from "../host/keys/seal-for-constel.ts";
import { placeFacts } from "../host/shell/place-facts.ts";
import { type AgentPlace, lastRules } from "../protocol/agent-place.ts";
import { Refusal } from "../protocol/errors.ts";
import type { AskedPermission, HookQuestion, JudgedPermission } from "../protocol/permission.ts";
import { readEnv } from "../settings/env.ts";
import { inHome } from "../settings/paths.ts";
import { loadSettings } from "../settings/settings.ts";
import { commonRules, judgeByRules, rulesIn } from "./judge-by-rules.ts";

export async function judgeForHook(question: HookQuestion): Promise<JudgedPermission | undefined> {
  const { home, asked, confined, onlyForbidding } = question;
  const laid = readPlace(sealedHome(home), asked.agent);
  if (confined && laid === undefined) return undefined;
  const root = laid?.root ?? (await loadSettings(readEnv(), "/", { home })).root;
  const stand = confined ? () => laidRules(laid) : () => commonRules(home, root);
  const common = onlyForbidding ? () => stillForbidding(stand, lastRules(laid)) : stand;
  const work = { task: laid?.task ?? null, workspaces: laid?.workspaces ?? [] };
  const program = join(home, inHome.programs, "constel");
  const places = placesIn(work, asked.agent, { root, program }, placeFacts);
  if (onlyForbidding && !couldForbid(asked, [common, ...places.places.map(({ workspace }) => ownRules(workspace))]))
    return undefined;
  return judgeByRules(asked, places, common);
}

const ownRules = (workspace: string | undefined) => () =>
  workspace === undefined ? [] : rulesIn(workspace, "constel.toml");

/** Rules that could never be read forbid nothing by themselves: what no rule answers is left to the agent's program. */
function couldForbid(asked: AskedPermission, sources: readonly (() => readonly Rule[])[]): boolean {
  try {
    return mayForbid(
      sources.flatMap((read) => read()),
      asked,
    );
  } catch (cause) {
    if (cause instanceof Refusal) return false;
    throw cause;
  }
}

/** Keeps forbidden what was forbidden while the rules cannot be read: a slip in the file must not open what it was to keep shut. */
function stillForbidding(read: () => readonly Rule[], last: readonly Rule[] | undefined): readonly Rule[] {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof Refusal) || last === undefined) throw cause;
    return last.filter(({ decision }) => decision !== "allow");
  }
}

function laidRules(place: AgentPlace | undefined): readonly Rule[] {
  const rules = place?.rules ?? [];
  if (typeof rules === "string") throw new Refusal("config.malformed", rules, { path: inHome.config });
  return rules;
}
