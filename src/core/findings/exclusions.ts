// Finds the files that nobody writes by hand: lock files, build output, vendored and generated code. Collisions in them are solved by
// running the tool again: a textual conflict there is told as `low`, because git stops at it and so does a landing, and the other reviewers
// pass them over.
//
// What counts, the later outranking the earlier:
//   1. the names below;
//   2. .gitattributes: `linguist-generated` and `linguist-vendored` say yes, `-linguist-generated` says no, and `-diff` on
//      something that is not `binary` (an image nobody can regenerate is `binary`) is taken as a hint that it is generated.
//      `-merge` alone says that merging needs a person, which is a reason to alarm, so it changes nothing here;
//   3. the owner's own patterns (`[findings] exclude` and `include` in constel.toml).

import { type PathPattern, pathPattern } from "./path-pattern.ts";

export interface AttributesFile {
  /** The directory it stands in: "" is the top. */
  readonly directory: string;
  readonly text: string;
}

export interface OwnPatterns {
  readonly exclude: readonly string[];
  readonly include: readonly string[];
}

/** The owner wants to hear nothing of it. */
export const byOwner = "excluded by constel.toml";

/** Returns the reason why a file is passed over. Undefined if it is somebody's work. */
export interface Excluded {
  (path: string): string | undefined;
  /** Says how git is to merge the file, as `merge=` names it: `union` keeps the lines of both, whatever they say. */
  readonly mergedBy?: (path: string) => string | undefined;
}

export function exclusions(attributes: readonly AttributesFile[], own: OwnPatterns): Excluded {
  // Deeper files outrank those above them.
  const files = [...attributes].sort((a, b) => depth(a.directory) - depth(b.directory));
  const rules = files.flatMap(rulesOf);
  const exclude = own.exclude.map((pattern) => pathPattern(pattern));
  const include = own.include.map((pattern) => pathPattern(pattern));
  const known = new Map<string, string | undefined>();
  const judge = (path: string): string | undefined => {
    if (include.some((matches) => matches(path))) return undefined;
    if (exclude.some((matches) => matches(path))) return byOwner;
    const said = new Map<string, boolean | undefined>();
    for (const rule of rules) if (rule.matches(path)) for (const [name, value] of rule.values) said.set(name, value);
    if (said.get("linguist-generated") === true) return "generated, says .gitattributes";
    if (said.get("linguist-vendored") === true) return "vendored, says .gitattributes";
    if (said.get("diff") === false && said.get("text") !== false) return "not worth a diff, says .gitattributes";
    if (said.get("linguist-generated") === false || said.get("linguist-vendored") === false) return undefined;
    return byName(path);
  };
  const excluded = (path: string): string | undefined => {
    if (!known.has(path)) known.set(path, judge(path));
    return known.get(path);
  };
  const mergedBy = (path: string): string | undefined => {
    const said = rules.findLast((rule) => rule.merge !== undefined && rule.matches(path))?.merge;
    return said === "" ? undefined : said;
  };
  return Object.assign(excluded, { mergedBy });
}

const lockFiles = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "Pipfile.lock",
  "Cargo.lock",
  "go.sum",
  "Gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "Podfile.lock",
  "Package.resolved",
  "packages.lock.json",
  "gradle.lockfile",
  "flake.lock",
]);

const builtDirectories =
  /(^|\/)(node_modules|dist|vendor|third_party|__pycache__|\.venv|\.next|\.yarn|bower_components)\//;
const generatedNames =
  /(\.min\.(js|css|mjs)|\.(js|css|mjs)\.map|\.pb\.(go|cc|h)|_pb2(_grpc)?\.pyi?|_pb\.(js|ts|d\.ts)|\.pb\.gw\.go|\.generated\.[a-z]+|\.g\.dart|\.freezed\.dart|\.snap)$|(^|\/)(__generated__|__snapshots__)\//;

function byName(path: string): string | undefined {
  if (lockFiles.has(path.slice(path.lastIndexOf("/") + 1))) return "a lock file";
  if (builtDirectories.test(path)) return "built or vendored, by its directory";
  return generatedNames.test(path) ? "generated, by its name" : undefined;
}

interface AttributeRule {
  readonly matches: PathPattern;
  readonly values: readonly (readonly [name: string, value: boolean | undefined])[];
  /** The text after `merge=`; "" for `merge`, `-merge` and `!merge`. */
  readonly merge: string | undefined;
}

/** A hostile file may have millions of lines, and every one is tried on every path. */
const maxRulesPerFile = 2_000;

function rulesOf({ directory, text }: AttributesFile): AttributeRule[] {
  const rules: AttributeRule[] = [];
  for (const line of text.split("\n")) {
    if (rules.length >= maxRulesPerFile) break;
    const [pattern, ...words] = line.trim().split(/\s+/);
    // Negative patterns are forbidden in .gitattributes, and quoted ones are for names with odd characters.
    if (pattern === undefined || pattern === "" || /^[#!"[]/.test(pattern)) continue;
    const values = words.flatMap(readAttribute).filter(([name]) => matters.has(name));
    const way = words.findLast((word) => /^[-!]?merge(=|$)|^binary$/.test(word));
    // git does not let a pattern with a slash at its end match anything here.
    if ((values.length > 0 || way !== undefined) && !pattern.endsWith("/"))
      rules.push({
        matches: pathPattern(pattern, directory),
        values,
        merge: way === undefined ? undefined : (way.split("=")[1] ?? ""),
      });
  }
  return rules;
}

const matters = new Set(["linguist-generated", "linguist-vendored", "diff", "text"]);

function readAttribute(word: string): [name: string, value: boolean | undefined][] {
  if (word === "binary")
    return [
      ["diff", false],
      ["text", false],
    ];
  if (word.startsWith("-")) return [[word.slice(1), false]];
  if (word.startsWith("!")) return [[word.slice(1), undefined]];
  const [name = "", value] = word.split("=");
  return [[name, value !== "false"]];
}

const depth = (directory: string): number => (directory === "" ? 0 : directory.split("/").length);
