// Rules as they are written: tables `[[permissions.rules]]` in config.toml and constel.toml, each with a decision and one of tool,
// command or path. Read strictly: a rule that is not understood stops the verb, with file and line, because one that is passed
// over might have been the one that forbids.

import { isTable, type LocatedToml, readToml, type TomlTable } from "../toml/located-toml.ts";
import { editTools, shellTools } from "./read-request.ts";
import type { Decision, Rule } from "./rule.ts";
import { runsAnything } from "./wrappers.ts";

export interface RulesFrom {
  /** As it is shown to people. */
  readonly path: string;
  /** False for a file that agents can write: its rules may forbid and ask, never allow. */
  readonly trusted: boolean;
}

const decisions: readonly Decision[] = ["allow", "ask", "deny"];
const keys = ["decision", "tool", "command", "path", "action"];

/** The rules of a file; other tables in it are somebody else's. */
export function parseRules(text: string, from: RulesFrom): Rule[] {
  const toml = readToml(text, from.path);
  const section = toml.document["permissions"];
  if (section === undefined) return [];
  if (!isTable(section)) throw toml.refuse("permissions must be a table", "permissions");
  const unknown = Object.keys(section).find((key) => key !== "rules");
  if (unknown !== undefined) throw toml.refuseKey(unknown, ["rules"], "permissions");
  const tables = section["rules"] ?? [];
  if (!Array.isArray(tables) || !tables.every(isTable))
    throw toml.refuse("permissions.rules must be tables: [[permissions.rules]]", "permissions", "rules");
  return tables.map((table, index) => ruleOf(toml, table, ["permissions", "rules", index], from));
}

type At = readonly (string | number)[];

function ruleOf(toml: LocatedToml, table: TomlTable, at: At, { path: file, trusted }: RulesFrom): Rule {
  const unknown = Object.keys(table).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw toml.refuseKey(unknown, keys, ...at);
  const decision = decisions.find((one) => one === table["decision"]);
  if (decision === undefined) throw toml.refuse("decision must be allow, ask or deny", ...at, "decision");
  const named = ["tool", "command", "path"].filter((key) => table[key] !== undefined);
  if (named.length !== 1) throw toml.refuse("a rule names one of tool, command and path", ...at);
  if (table["action"] !== undefined && table["path"] === undefined)
    throw toml.refuse("action goes with path", ...at, "action");
  const base = { decision, from: `${file}:${toml.lineOf(...at)}`, trusted };
  const text = (key: string): string => {
    const value = table[key];
    if (typeof value !== "string" || value.trim() === "" || /\p{Cc}/u.test(value))
      throw toml.refuse(`${key} must be text in quotes`, ...at, key);
    return value.trim();
  };
  if (table["tool"] !== undefined) {
    const tool = text("tool");
    if (tool.slice(0, -1).includes("*")) throw toml.refuse("in tool, * stands only at the end", ...at, "tool");
    const covers = [...shellTools, ...editTools, "apply_patch", "patch"].some(
      (name) => tool === name || (tool.endsWith("*") && name.startsWith(tool.slice(0, -1))),
    );
    if (decision === "allow" && covers)
      throw toml.refuse("that would approve any command or any file; name commands or paths instead", ...at, "tool");
    return { ...base, tool };
  }
  if (table["command"] !== undefined) return { ...base, command: commandOf(toml, text("command"), decision, at) };
  const action = table["action"];
  if (action !== undefined && action !== "read" && action !== "edit")
    throw toml.refuse("action must be read or edit", ...at, "action");
  return { ...base, path: pathOf(toml, text("path"), at), ...(action === undefined ? {} : { action }) };
}

/** Words as they are typed; a rule says what a command begins with, and has no quotes or operators of its own. */
function commandOf(toml: LocatedToml, text: string, decision: Decision, at: At): readonly string[] {
  if (/["'`$&|;<>(){}\\*?[\]~#]/.test(text))
    throw toml.refuse(
      "command is the words a command begins with, without quotes, patterns or operators",
      ...at,
      "command",
    );
  const words = text.split(/\s+/);
  if (decision === "allow" && runsAnything(words))
    throw toml.refuse(`${text} runs any command; name the command behind it`, ...at, "command");
  return words;
}

function pathOf(toml: LocatedToml, text: string, at: At): string {
  if (text.split("/").includes("..")) throw toml.refuse("path may not go up with ..", ...at, "path");
  if (text.startsWith("~"))
    throw toml.refuse("path is absolute, or starts in the workspace; ~ is not read", ...at, "path");
  return text.replace(/^\.\//, "");
}
