// Compares what messages, enums, fields and methods have in common: JSON support, visibility, deprecation.

import { optionValue } from "./features.ts";
import type { LinkedEnum, LinkedMessage } from "./linked.ts";
import type { Report } from "./report.ts";
import { lastName } from "./report.ts";
import type { Option, Visibility } from "./syntax.ts";

type Type = LinkedMessage | LinkedEnum;

export function compareJsonFormat(kind: "message" | "enum", old: Type, young: Type, report: Report): void {
  const [was, is] = [old.features.json_format, young.features.json_format];
  if (was === is) return;
  const told = { path: young.fullName, before: was, after: is, names: [lastName(young.fullName)] };
  const rule = `${kind}-json-format-changed`;
  // The way back only promises more.
  if (was === "ALLOW") {
    const text = `JSON of ${young.fullName} is only best effort now: what was promised to be read may be refused.`;
    report.breaking(rule, { ...told, text });
  } else report.compatible(rule, { ...told, text: `JSON of ${young.fullName} is fully supported now.` });
}

export function compareVisibility(kind: "message" | "enum", old: Type, young: Type, report: Report): void {
  const [was, is] = [visibilityOf(old), visibilityOf(young)];
  if (was === is) return;
  const told = { path: young.fullName, before: was, after: is, names: [lastName(young.fullName)] };
  if (is === "local") {
    const text = `The ${kind} ${young.fullName} is local now: other files that use it no longer compile.`;
    report.breaking(`${kind}-no-longer-exported`, { ...told, text });
  } else
    report.compatible(`${kind}-exported`, { ...told, text: `Other files may use the ${kind} ${young.fullName} now.` });
}

/** Visibility came with edition 2024. */
const exportsAll = new Set(["proto2", "proto3", "2023"]);

function visibilityOf({ syntax, file, fullName }: Type): NonNullable<Visibility> {
  if (syntax.visibility !== null) return syntax.visibility;
  const said = optionValue(file.syntax.options, "features.default_symbol_visibility");
  const rule = said ?? (exportsAll.has(file.syntax.syntax) ? "EXPORT_ALL" : "EXPORT_TOP_LEVEL");
  if (rule === "EXPORT_ALL") return "export";
  const inPackage = file.syntax.package === "" ? fullName : fullName.slice(file.syntax.package.length + 1);
  return rule === "EXPORT_TOP_LEVEL" && !inPackage.includes(".") ? "export" : "local";
}

export function compareDeprecated(
  kind: string,
  path: string,
  names: readonly string[],
  before: readonly Option[],
  after: readonly Option[],
  report: Report,
): void {
  const [was, is] = [before, after].map((options) => optionValue(options, "deprecated") === "true");
  if (was === is) return;
  if (is === true)
    report.compatible(`${kind}-deprecated`, { path, after: "deprecated", text: `${path} is deprecated now.`, names });
  else
    report.compatible(`${kind}-deprecation-removed`, {
      path,
      before: "deprecated",
      text: `${path} is no longer deprecated.`,
      names,
    });
}
