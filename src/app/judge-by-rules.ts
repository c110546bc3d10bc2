// The judgement of a request by rules and places, whoever found them: the daemon and `approvals check` in the database
// (judge-permission.ts), a hook in the file that lies there for its agent (judge-for-hook.ts). Rules are read anew each time, so that
// one holds from the moment it is saved. Those of config.toml may allow; those of constel.toml in the root directory and in the
// workspace, which agents can write, may only forbid and ask.

import { judgeInPlaces } from "../core/permissions/judge-in-places.ts";
import type { Places } from "../core/permissions/place.ts";
import { noRule, type Rule } from "../core/permissions/rule.ts";
import { parseRules } from "../core/permissions/rules-text.ts";
import { tomlInDirectory } from "../host/gate/find-constel-toml.ts";
import { placeFacts } from "../host/shell/place-facts.ts";
import { readShell } from "../languages/shell/read-shell.ts";
import { Refusal } from "../protocol/errors.ts";
import type { AskedPermission, JudgedPermission } from "../protocol/permission.ts";
import { inHome } from "../settings/paths.ts";
import { configText } from "../settings/settings.ts";

/** `common`: the rules that hold in every place. */
export function judgeByRules(
  asked: AskedPermission,
  { task, places }: Places,
  common: () => readonly Rule[],
): JudgedPermission {
  try {
    const everywhere = common();
    const ruled = places.map((place) => ({
      place,
      rules: place.workspace === undefined ? everywhere : [...everywhere, ...rulesIn(place.workspace, "constel.toml")],
    }));
    const { tool, input, cwd } = asked;
    return { ...judgeInPlaces({ tool, input, cwd }, ruled, { facts: placeFacts, parse: readShell }), task };
  } catch (cause) {
    // A rule that is not understood might be the one that forbids: until it is mended, everything is asked.
    if (!(cause instanceof Refusal)) throw cause;
    return { decision: "ask", rule: noRule, part: asked.tool, why: cause.message, task };
  }
}

/** The rules that hold wherever an agent works. */
export function commonRules(home: string, root: string): readonly Rule[] {
  const text = configText(home);
  const owners = text === undefined ? [] : parseRules(text, { path: inHome.config, trusted: true });
  return [...owners, ...rulesIn(root, "constel.toml of the root directory")];
}

export function rulesIn(directory: string, path: string): Rule[] {
  const found = tomlInDirectory(directory);
  if (found.kind === "missing") return [];
  if (found.kind !== "file") {
    const instead =
      found.kind === "unfit" ? `is ${found.what}` : `is missing, and ${found.name} is not read in its place`;
    throw new Refusal("config.malformed", `${path} ${instead}`, { path });
  }
  return parseRules(new TextDecoder().decode(found.bytes), { path, trusted: false });
}
