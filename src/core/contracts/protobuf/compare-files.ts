// Files: package, syntax, public imports, and the options that decide what generated code is called.

import { optionValue } from "./features.ts";
import type { LinkedFile } from "./linked.ts";
import { entryKey } from "./load.ts";
import type { Pairing } from "./pairing.ts";
import type { Report } from "./report.ts";

/** Options that change generated code, and what holds when they are not said. */
const fileOptions: Readonly<Record<string, string>> = {
  cc_enable_arenas: "true",
  cc_generic_services: "false",
  csharp_namespace: '""',
  go_package: '""',
  java_generic_services: "false",
  java_multiple_files: "false",
  java_outer_classname: '""',
  java_package: '""',
  objc_class_prefix: '""',
  optimize_for: "SPEED",
  php_class_prefix: '""',
  php_generic_services: "false",
  php_metadata_namespace: '""',
  php_namespace: '""',
  py_generic_services: "false",
  ruby_package: '""',
  swift_prefix: '""',
};

export function compareFiles({ before, after }: Pairing, report: Report): void {
  for (const [key, old] of before.files) {
    const young = after.files.get(key);
    if (young === undefined) fileDeleted(old, report);
    else {
      comparePackage(old, young, report);
      compareSyntax(old, young, report);
      compareImports(old, young, report);
      compareOptions(old, young, report);
    }
  }
  for (const [key, young] of after.files) {
    if (before.files.has(key)) continue;
    report.compatible("file-added", {
      path: young.path,
      after: young.path,
      text: `The file ${young.path} was added.`,
      names: [],
    });
  }
}

function fileDeleted({ key, path }: LinkedFile, report: Report): void {
  if (key === entryKey) return;
  report.breaking("file-deleted", {
    path,
    before: path,
    text: `The file ${path} was deleted: code that imports what is generated from it no longer compiles.`,
    names: [path.slice(path.lastIndexOf("/") + 1).replace(/\.proto$/, "")],
  });
}

function comparePackage(old: LinkedFile, young: LinkedFile, report: Report): void {
  const [was, is] = [old.syntax.package, young.syntax.package];
  if (was === is) return;
  report.breaking("file-package-changed", {
    path: young.path,
    before: was || "(none)",
    after: is || "(none)",
    text: `The package of ${young.path} changed from ${was || "none"} to ${is || "none"}: every type and service in it has another full name, also in Any and in RPC paths.`,
    names: was === "" ? [] : [was],
  });
}

function compareSyntax(old: LinkedFile, young: LinkedFile, report: Report): void {
  const [was, is] = [old.syntax.syntax, young.syntax.syntax];
  if (was === is) return;
  const told = { path: young.path, before: was, after: is, names: [] };
  // If an edition changes something in a field or an enum, that is told there.
  if (!was.startsWith("proto") && !is.startsWith("proto")) {
    report.compatible("file-edition-changed", { ...told, text: `${young.path} went from edition ${was} to ${is}.` });
    return;
  }
  report.breaking("file-syntax-changed", {
    ...told,
    text: `The syntax of ${young.path} changed from ${was} to ${is}: generated code differs in many languages.`,
  });
}

function compareImports(old: LinkedFile, young: LinkedFile, report: Report): void {
  const publicly = ({ syntax }: LinkedFile): Set<string> =>
    new Set(syntax.imports.filter(({ kind }) => kind === "public").map(({ path }) => path));
  const still = publicly(young);
  for (const path of publicly(old)) {
    if (still.has(path)) continue;
    report.dangerous("file-public-import-removed", {
      path: young.path,
      before: path,
      text: `${young.path} no longer imports ${path} publicly: files that reached its types through this one must import it themselves.`,
      names: [],
    });
  }
}

function compareOptions(old: LinkedFile, young: LinkedFile, report: Report): void {
  for (const [option, unsaid] of Object.entries(fileOptions)) {
    const was = optionValue(old.syntax.options, option) ?? unsaid;
    const is = optionValue(young.syntax.options, option) ?? unsaid;
    if (was === is) continue;
    report.breaking(`file-${option.replaceAll("_", "-")}-changed`, {
      path: young.path,
      before: was === '""' ? null : was,
      after: is === '""' ? null : is,
      text: `${option} of ${young.path} changed from ${was === '""' ? "unset" : was} to ${is === '""' ? "unset" : is}: generated code is named or shaped differently.`,
      names: was === '""' ? [] : [was.replaceAll('"', "")],
    });
  }
  compareDeprecated(old, young, report);
}

function compareDeprecated(old: LinkedFile, young: LinkedFile, report: Report): void {
  const [was, is] = [old, young].map(({ syntax }) => optionValue(syntax.options, "deprecated") === "true");
  if (was === is) return;
  const text = is === true ? `${young.path} is deprecated now.` : `${young.path} is no longer deprecated.`;
  report.compatible(is === true ? "file-deprecated" : "file-deprecation-removed", {
    path: young.path,
    text,
    names: [],
  });
}
