// Asks javac for the errors of a tree. All sources are read together, as one program, up to the point where code would be made: types,
// checked exceptions, missing returns. No annotation processor and no compiler plugin can run: there is nothing on the
// processor path, and it is said, because javac would else look on the class path. What is not on this machine is unknown to it
// in every tree alike.

import { join } from "node:path";
import type { SemanticRule } from "../../ports/semantic.ts";
import { toolchainPrograms } from "../../protocol/compilers.ts";
import { isBuildFile, jarsFor } from "./java-packages.ts";
import {
  type CompilerError,
  type Diagnosis,
  noDiagnosis,
  oneLine,
  type Toolchain,
  type ToolQuestion,
  whyEnded,
} from "../toolchain/toolchain.ts";
import { withoutBodies } from "../toolchain/without-bodies.ts";

/** Past this it takes longer than anybody waits. */
const maxSources = 12_000;

export const javaToolchain: Toolchain = {
  language: "java",
  program: toolchainPrograms.java,
  title: "Java",
  isExpected: true,
  restsOn: () => "",
  wants: (path) => path.endsWith(".java") || isBuildFile(path),
  lacking: "neither Maven nor Gradle has kept them on this machine",
  version: { arguments: ["-J-Xshare:auto", "-version"], pattern: /javac (\S+)/ },
  variables: () => ({}),
  scope: () => [],
  ask,
  read,
  isVisible: (before, after) => surface(before) !== surface(after),
};

const method =
  /^\s+(?!if\b|for\b|while\b|switch\b|try\b|catch\b|else\b|do\b|synchronized\b|return\b|new\b|\})[\w<@].*\)\s*(throws [\w.,\s]+)?\{\s*$/;
const surface = (text: string): string => withoutBodies(text, method);

async function ask({ place, toolchains, program, tree, restMs, signal }: ToolQuestion): Promise<Diagnosis> {
  const sources = [...tree.blobs.keys()].filter(
    (path) => path.endsWith(".java") && !isApart.test(path) && path.isWellFormed(),
  );
  if (sources.length > maxSources) return noDiagnosis(`there are more than ${maxSources} Java files`);
  const here = sources.filter((path) => !place.missing.includes(path));
  if (here.length === 0) return { errors: [], unchecked: [], missing: [] };
  const list = place.write("sources", here.map((path) => quoted(join(place.top, path))).join("\n"));
  const megabytes = Math.max(256, Math.round(toolchains.rules.memoryBytes / 1024 / 1024 / 2));
  const command = [
    program,
    `-J-Xmx${megabytes}m`,
    ...machine,
    ...rules(place.empty, jarsFor({ place, toolchains, tree })),
    `@${list}`,
  ];
  const outcome = await place.run(command, { cpuMs: restMs(), signal });
  if (outcome.kind !== "ended") return whyEnded(outcome, toolchains.rules.memoryBytes);
  const { errors, missing } = javacErrors(outcome.stderr, place.top);
  // Programs beside each other, as samples are: javac would take the one's class for the other's.
  const twice = errors.find(({ message }) => message.startsWith("duplicate class: "));
  if (twice !== undefined) {
    return noDiagnosis(`all sources are read as one program, and ${twice.path} has a class that is there twice`);
  }
  if (outcome.code !== 0 && errors.length === 0)
    return noDiagnosis(oneLine(outcome.stderr || `it ended with ${outcome.code}`));
  return { errors, unchecked: [], missing };
}

/** Of a module system that all sources together are not in. */
const isApart = /(^|\/)module-info\.java$/;

/** A short life: the JIT and the parallel collector cost more than they bring. */
const machine = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Duser.language=en", "-J-Dfile.encoding=UTF-8"];

/** The options that keep everything of the repository, and of the jars it names, from running inside javac. */
export const rules = (none: string, jars: readonly string[]): string[] => [
  "-proc:none",
  "-processorpath",
  none,
  "-sourcepath",
  none,
  "-classpath",
  [none, ...jars].join(":"),
  "-d",
  none,
  "-implicit:none",
  "-nowarn",
  "-Xlint:none",
  "-Xmaxerrs",
  "20001",
  "-encoding",
  "UTF-8",
  // Errors of one kind do not keep others from being looked for, and no code is made.
  "-XDshould-stop.ifError=FLOW",
  "-XDcompilePolicy=check",
];

/** As javac reads a list of arguments. The name begins with a slash, so that none is taken for an option or a list of its own. */
function quoted(path: string): string {
  const safe = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${safe}"`;
}

/** A head, the source line, a caret, and more on what is wrong. */
export function javacErrors(
  text: string,
  top: string,
): { readonly errors: readonly CompilerError[]; readonly missing: readonly string[] } {
  const errors: { path: string; line: number; message: string }[] = [];
  const missing = new Set<string>();
  let isPastCaret = false;
  for (const row of text.split("\n")) {
    const [, path, line, message = ""] = /^(\/.*\.java):(\d+): error: (.*)$/.exec(row) ?? [];
    const last = errors.at(-1);
    if (path !== undefined) {
      isPastCaret = false;
      errors.push({ path: path.slice(top.length + 1), line: Number(line), message });
    } else if (/^\s*\^$/.test(row)) isPastCaret = true;
    else if (isPastCaret && last !== undefined && /^\s/.test(row)) last.message += ` ${row.trim()}`;
  }
  for (const { message } of errors) {
    const [, name] = /^package (\S+) does not exist/.exec(message) ?? [];
    if (name !== undefined) missing.add(name.split(".").slice(0, 3).join("."));
  }
  return { errors: errors.map((one) => ({ ...one, message: oneLine(one.message) })), missing: [...missing].sort() };
}

const kinds: readonly (readonly [RegExp, SemanticRule])[] = [
  [/already defined|duplicate class|name clash/, "duplicate-definition"],
  [
    /is not abstract and does not override|does not cover all|unreported exception|missing return statement/,
    "requires-more",
  ],
  [
    /does not override or implement|cannot be applied|no suitable (method|constructor)|overridden method does not throw|cannot override/,
    "signature",
  ],
  [/has (private|protected) access|is not public|is not visible/, "made-private"],
  [/cannot find symbol.*symbol: (method|variable).*location: (class|interface|variable|enum)/, "removed-member"],
  [/cannot find symbol|does not exist/, "removed"],
];

function read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule } {
  const rule = kinds.find(([pattern]) => pattern.test(message))?.[1] ?? "type-mismatch";
  const told = [
    /symbol: +(?:method|variable|class|static) +(\w+)/,
    /(?:method|constructor) (\w+) in /,
    /no suitable (?:method|constructor) found for (\w+)/,
    /does not override abstract method (\w+)/,
    /^(\w+)\(.*\) in .* cannot (?:override|implement)/,
    /(?:method|class|variable|constructor) (\w+)(?:\(.*\))? is already defined/,
    /\b(\w+)(?:\([^)\n]{0,400}\))? has (?:private|protected) access/,
    /unreported exception (?:[\w.]+\.)?(\w+)/,
    /incompatible types: (?:[\w.]+\.)?(\w+)/,
    /cannot be converted to (?:[\w.]+\.)?(\w+)/,
    /location: .* of type (\w+)/,
    /location: (?:class|interface|enum) (?:[\w.]+\.)?(\w+)/,
  ].flatMap((pattern) => pattern.exec(message)?.[1] ?? []);
  return { names: [...new Set(told.filter((name) => !plain.has(name)))], rule };
}

/** Types that nobody of the repository defined. */
const plain = new Set(
  "int long short byte char boolean float double void String Object Integer Long Boolean Double List Map Set Optional Collection Iterable Stream T E K V R".split(
    " ",
  ),
);
