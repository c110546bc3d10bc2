// Answers a permission request by the rules: those of config.toml, which may allow, and those of constel.toml in the root directory
// and in the workspace, which agents can write and which may only forbid and ask. The daemon calls it, and a command does when no
// daemon runs. Files are read anew each time, so that a rule holds from the moment it is saved.

import { join } from "node:path";
import type { ReadContext } from "../core/context.ts";
import { judgeInPlaces } from "../core/permissions/judge-in-places.ts";
import { placesOf } from "../core/permissions/place.ts";
import { parseRules } from "../core/permissions/rules-text.ts";
import { noRule, type Rule } from "../core/permissions/rule.ts";
import { tomlInDirectory } from "../host/gate/find-constel-toml.ts";
import { placeFacts } from "../host/shell/place-facts.ts";
import { Refusal } from "../protocol/errors.ts";
import type { AskedPermission, JudgedPermission } from "../protocol/permission.ts";
import type { ParseShell } from "../protocol/shell-script.ts";
import { inHome } from "../settings/paths.ts";
import { configText, type Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { storeOptions } from "./store-options.ts";

type Places = Pick<Settings, "home" | "root">;

export async function judgeRequest(
  store: ReadContext["store"],
  { home, root }: Places,
  asked: AskedPermission,
): Promise<JudgedPermission> {
  const program = join(home, inHome.programs, "constel");
  const { task, places } = await placesOf(store, asked.agent, { root, program }, placeFacts);
  try {
    const common = [...ownersRules(home), ...rulesIn(root, "constel.toml of the root directory")];
    const ruled = places.map((place) => ({
      place,
      rules: place.workspace === undefined ? common : [...common, ...rulesIn(place.workspace, "constel.toml")],
    }));
    const { tool, input, cwd } = asked;
    return { ...judgeInPlaces({ tool, input, cwd }, ruled, { facts: placeFacts, parse: await shellParser() }), task };
  } catch (cause) {
    // A rule that is not understood might be the one that forbids: until it is mended, everything is asked.
    if (!(cause instanceof Refusal)) throw cause;
    return { decision: "ask", rule: noRule, part: asked.tool, why: cause.message, task };
  }
}

/** With no daemon. The request is read only once this runs, because the quick program hands over before. */
export async function judgePermission(
  settings: Settings,
  request: () => Promise<AskedPermission>,
): Promise<JudgedPermission> {
  const options = storeOptions(settings);
  const asked = await request();
  const snapshot = await openSnapshot(options).catch(() => undefined);
  // Without its database nobody knows which workspace is whose; rules that name commands still answer.
  if (snapshot === undefined) return judgeWithoutStore(settings, asked);
  try {
    return await judgeRequest(
      { db: snapshot.db, dialect: snapshot.dialect, constellation: options.constellation },
      settings,
      asked,
    );
  } finally {
    await snapshot.close();
  }
}

async function judgeWithoutStore(settings: Places, asked: AskedPermission): Promise<JudgedPermission> {
  const place = { role: "clone", readable: [], program: join(settings.home, inHome.programs, "constel") } as const;
  try {
    const rules = [...ownersRules(settings.home), ...rulesIn(settings.root, "constel.toml of the root directory")];
    const machine = { facts: placeFacts, parse: await shellParser() };
    return { ...judgeInPlaces(asked, [{ place, rules }], machine), task: null };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return { decision: "ask", rule: noRule, part: asked.tool, why: cause.message, task: null };
  }
}

function ownersRules(home: string): Rule[] {
  const text = configText(home);
  return text === undefined ? [] : parseRules(text, { path: inHome.config, trusted: true });
}

function rulesIn(directory: string, path: string): Rule[] {
  const found = tomlInDirectory(directory);
  if (found.kind === "missing") return [];
  if (found.kind === "unfit") throw new Refusal("config.malformed", `${path} is ${found.what}`, { path });
  return parseRules(new TextDecoder().decode(found.bytes), { path, trusted: false });
}

let parser: Promise<ParseShell> | undefined;

/** Loading the grammar takes longer than judging a hundred commands. */
function shellParser(): Promise<ParseShell> {
  parser ??= import("../languages/shell/load-shell-parser.ts").then(({ loadShellParser }) => loadShellParser());
  return parser;
}
