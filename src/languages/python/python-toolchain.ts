// Asks pyright for the type errors of a tree. It only reads. Its settings are ours and not the repository's, which could name an
// interpreter; it finds no interpreter on its PATH either, because it would run one to learn where packages are. Packages are
// read from the virtual environments of the repository's checkouts.

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SemanticRule } from "../../ports/semantic.ts";
import { installedStamp } from "../installed-stamp.ts";
import { toolchainPrograms } from "../../protocol/compilers.ts";
import {
  type CompilerError,
  type Diagnosis,
  noDiagnosis,
  oneLine,
  type Toolchain,
  type ToolQuestion,
  whyEnded,
} from "../toolchain/toolchain.ts";

export const pythonToolchain: Toolchain = {
  language: "python",
  program: toolchainPrograms.python,
  title: "Python",
  isExpected: false,
  restsOn: (checkouts) => installedStamp(checkouts.flatMap(sitePackages)),
  wants: (path) => /(\.pyi?|(^|\/)py\.typed)$/.test(path),
  lacking: "not installed in a virtual environment of any checkout that was looked at",
  version: { arguments: ["--version"], pattern: /pyright (\S+)/ },
  variables: () => ({ PYRIGHT_PYTHON_IGNORE_WARNINGS: "1" }),
  scope: () => [],
  ask,
  read,
  isForgiven,
  isVisible: (before, after) => before !== after,
};

async function ask({ place, toolchains, program, tree, checkouts, restMs, signal }: ToolQuestion): Promise<Diagnosis> {
  const script = realpathSync(program);
  const node = toolchains.find("node");
  if (!/\.[cm]?js$/.test(script)) return noDiagnosis(`${program} is not pyright as npm installs it`);
  if (node === undefined) return noDiagnosis("it needs node, which is not on the PATH");
  const settings = place.write("pyrightconfig.json", JSON.stringify(settingsFor([...tree.blobs.keys()], checkouts)));
  const megabytes = Math.max(512, Math.round(toolchains.rules.memoryBytes / 1024 / 1024) - 256);
  const command = [node, `--max-old-space-size=${megabytes}`, script, "--project", settings, "--outputjson"];
  // Nothing but these two words of PATH: where no interpreter is found, none is run.
  const outcome = await place.run(command, { variables: { PATH: place.home }, cpuMs: restMs(), signal });
  if (outcome.kind !== "ended") return whyEnded(outcome, toolchains.rules.memoryBytes);
  if (outcome.code !== 0 && outcome.code !== 1) return noDiagnosis(oneLine(outcome.stderr || outcome.stdout));
  return pyrightErrors(outcome.stdout, place.top);
}

function settingsFor(paths: readonly string[], checkouts: readonly string[]): object {
  const roots = new Set<string>();
  // A directory that holds packages and is none itself is where imports begin: `src`, `lib`, a service of a larger repository.
  const packages = new Set(paths.filter((path) => path.endsWith("/__init__.py")).map((path) => dirname(path)));
  for (const one of packages) if (!packages.has(dirname(one))) roots.add(dirname(one));
  roots.delete(".");
  return {
    include: ["../tree"],
    exclude: [],
    ignore: [],
    executionEnvironments: [{ root: "../tree", extraPaths: [...roots].sort().map((root) => `../tree/${root}`) }],
    extraPaths: checkouts.flatMap(sitePackages),
    typeCheckingMode: "basic",
    useLibraryCodeForTypes: true,
    reportMissingModuleSource: false,
    reportTypeCommentUsage: false,
  };
}

function sitePackages(checkout: string): string[] {
  return [".venv", "venv"].flatMap((name) => {
    const library = join(checkout, name, "lib");
    if (!existsSync(library)) return [];
    return readdirSync(library)
      .map((version) => join(library, version, "site-packages"))
      .filter(existsSync);
  });
}

interface PyrightOutput {
  readonly generalDiagnostics?: readonly {
    readonly file?: string;
    readonly severity: string;
    readonly message: string;
    readonly rule?: string;
    readonly range?: { readonly start: { readonly line: number } };
  }[];
}

export function pyrightErrors(text: string, top: string): Diagnosis {
  let said: PyrightOutput;
  try {
    said = JSON.parse(text.slice(Math.max(0, text.indexOf("{")))) as PyrightOutput;
  } catch {
    return noDiagnosis(oneLine(text) || "it printed nothing that can be read");
  }
  const errors: CompilerError[] = [];
  const missing = new Set<string>();
  for (const { file = "", severity, message, rule, range } of said.generalDiagnostics ?? []) {
    const [, outside] = /^Import "([^".]+)[^"]*" could not be resolved/.exec(message) ?? [];
    if (outside !== undefined) missing.add(outside);
    if (severity !== "error" || !file.startsWith(`${top}/`) || range === undefined) continue;
    const named = rule === undefined ? "" : ` (${rule})`;
    errors.push({
      path: file.slice(top.length + 1),
      line: range.start.line + 1,
      message: oneLine(`${message}${named}`),
    });
  }
  return { errors, unchecked: [], missing: [...missing].sort() };
}

/** An import that may fail: somebody catches it, or it stands in a block that leaves out what fails. */
function isForgiven({ line, message }: CompilerError, lines: readonly string[]): boolean {
  if (!/unknown import symbol|could not be resolved/.test(message)) return false;
  let depth = indentOf(lines[line - 1] ?? "");
  for (let at = line - 2; at >= 0 && depth > 0; at--) {
    const text = lines[at] ?? "";
    if (text.trim() === "" || indentOf(text) >= depth) continue;
    depth = indentOf(text);
    if (/^\s*with\b.*\bsuppress\(.*\b(ImportError|ModuleNotFoundError|Exception)\b/.test(text)) return true;
    if (/^\s*try\s*:/.test(text)) return catchesImport(lines.slice(at + 1), depth);
  }
  return false;
}

function catchesImport(after: readonly string[], depth: number): boolean {
  for (const text of after) {
    if (text.trim() === "" || indentOf(text) > depth) continue;
    if (indentOf(text) < depth || !/^\s*(except|else|finally)\b/.test(text)) return false;
    if (/^\s*except\s*(:|.*\b(ImportError|ModuleNotFoundError|AttributeError|Exception|BaseException)\b)/.test(text))
      return true;
  }
  return false;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const kinds: readonly (readonly [RegExp, SemanticRule])[] = [
  [/obscured by a declaration/, "duplicate-definition"],
  [/reportAbstractUsage|not implemented/, "requires-more"],
  [/reportCallIssue|No parameter named|missing for parameter|Expected \d+ positional/, "signature"],
  [/reportAttributeAccessIssue.*|Cannot access attribute|is not a known attribute/, "removed-member"],
  [/unknown import symbol|could not be resolved|is not defined/, "removed"],
];

function read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule } {
  const rule =
    (/unknown import symbol/.test(message) ? "removed" : kinds.find(([pattern]) => pattern.test(message))?.[1]) ??
    "type-mismatch";
  const holder = [/in function "(\w+)"/, /for class "type\[(\w+)\]"/, /attribute "(\w+)"/].flatMap(
    (pattern) => pattern.exec(message)?.[1] ?? [],
  );
  // A parameter of a function that is named says nothing that the function does not.
  const quoted = message.replaceAll(/(parameter "\w+")( of type "[^"]*")?(?= in function)/g, "$2");
  const told = [...quoted.matchAll(/"([^"]+)"/g)].flatMap(([, inside = ""]) => {
    const words = inside.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
    return [words.at(-1), ...words].filter((word) => word !== undefined);
  });
  return { names: [...new Set([...holder, ...told])], rule };
}
