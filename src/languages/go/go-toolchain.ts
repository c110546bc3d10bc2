// Asks the Go compiler for the type errors of a tree: `go list -export -test` compiles every package with its tests, links nothing, runs
// nothing, and has all errors of a package where `go vet` has the first. Nothing is fetched, cgo is off, and of what could make
// go run another program (a toolexec, a toolchain that go.mod names, version control, the owner's own go settings) nothing is left.

import { join, relative } from "node:path";
import type { SemanticRule } from "../../ports/semantic.ts";
import type { Toolchains } from "../../ports/toolchains.ts";
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
import { withoutBodies } from "../toolchain/without-bodies.ts";

/** Modules that are asked one after another. */
const maxModules = 8;

export const goToolchain: Toolchain = {
  language: "go",
  program: toolchainPrograms.go,
  title: "Go",
  isExpected: true,
  restsOn: () => "",
  wants: (path) => !/(^|\/)node_modules\//.test(path),
  lacking: "the Go module cache does not have them",
  version: { arguments: ["version"], pattern: /go version go(\S+)/ },
  variables: (toolchains) => settled(toolchains, ""),
  scope: (merged, changed) => {
    const modules = [...merged.blobs.keys()]
      .filter((path) => /(^|\/)go\.mod$/.test(path) && !/(^|\/)(vendor|testdata)\//.test(path))
      .map((path) => path.slice(0, -"go.mod".length));
    const sources = changed.filter((path) => /\.go$|(^|\/)go\.mod$/.test(path));
    const nearest = sources.map((path) => modules.filter((one) => path.startsWith(one)).sort(longestFirst)[0]);
    return [...new Set(nearest.filter((one) => one !== undefined))].sort();
  },
  ask,
  read,
  isVisible: (before, after) => surface(before) !== surface(after),
};

const longestFirst = (one: string, other: string): number => other.length - one.length;
const surface = (text: string): string => withoutBodies(text, /^func\b/);

async function ask(question: ToolQuestion): Promise<Diagnosis> {
  const { scope, tree } = question;
  if (scope.length === 0) return noDiagnosis("no go.mod stands above the changed files");
  const all: Diagnosis[] = [];
  for (const module of scope.slice(0, maxModules)) {
    if (!tree.blobs.has(`${module}go.mod`)) continue;
    const said = await askModule(question, module);
    if (said.failed !== undefined) return said;
    all.push(said);
  }
  const left = scope.slice(maxModules);
  return {
    errors: all.flatMap(({ errors }) => errors),
    unchecked: [
      ...all.flatMap(({ unchecked }) => unchecked),
      ...(left.length === 0 ? [] : [`${left.length} more Go modules were not asked about, ${left[0]} among them`]),
    ],
    missing: [...new Set(all.flatMap(({ missing }) => missing))].sort(),
    leftOut: all.flatMap((one) => one.leftOut ?? []),
  };
}

/** One line for each package that could not be loaded; what does not compile goes to the standard error. */
const one = `{{printf "[%q, %q]\\n" .Pos .Err}}`;
const leftOut = `{{$dir := .Dir}}{{range .IgnoredGoFiles}}{{printf "[%q, %q]\\n" "left out" (print $dir "/" .)}}{{end}}`;
const template = `{{with .Error}}${one}{{end}}{{range .DepsErrors}}${one}{{end}}${leftOut}`;

async function askModule(
  { place, toolchains, program, tree, restMs, signal }: ToolQuestion,
  module: string,
): Promise<Diagnosis> {
  const isWorkspace = tree.blobs.has("go.work");
  const command = [program, "list", "-e", "-export", "-test", "-gcflags=-e", "-f", template, "./..."];
  const outcome = await place.run(command, {
    cwd: join(place.top, module),
    variables: {
      ...settled(toolchains, place.shared),
      GOWORK: isWorkspace ? join(place.top, "go.work") : "off",
    },
    cpuMs: restMs(),
    signal,
  });
  if (outcome.kind !== "ended") return whyEnded(outcome, toolchains.rules.memoryBytes);
  const loaded = loadErrors(outcome.stdout, module);
  const errors = [...compileErrors(outcome.stderr, module), ...loaded.errors];
  const refused = /^go: (.*)$/m.exec(outcome.stderr)?.[1];
  if (outcome.code !== 0 && errors.length === 0 && loaded.missing.length === 0) {
    return noDiagnosis(oneLine(refused ?? (outcome.stderr || `it ended with ${outcome.code}`)));
  }
  const ignored = loaded.leftOut.map((path) => relative(place.top, path));
  return { errors: once(errors), unchecked: [], missing: loaded.missing, leftOut: ignored };
}

/**
 * Everything that steers go, said here, so that neither the repository nor an environment says it. The owner's own cache is not read
 * either: agents that build under the same account write to it, and what is taken from there is believed unread.
 */
function settled(toolchains: Toolchains, cache: string): Record<string, string> {
  const home = toolchains.variable("HOME") ?? "/nonexistent";
  const goPath = toolchains.variable("GOPATH") ?? join(home, "go");
  return {
    GOENV: "off",
    GOFLAGS: "-buildvcs=false",
    GO111MODULE: "on",
    GOPROXY: "off",
    GOSUMDB: "off",
    GOVCS: "*:off",
    GOTOOLCHAIN: "local",
    CGO_ENABLED: "0",
    GOPATH: goPath,
    GOMODCACHE: toolchains.variable("GOMODCACHE") ?? join(goPath.split(":")[0] ?? goPath, "pkg/mod"),
    GOMEMLIMIT: String(Math.round(toolchains.rules.memoryBytes / 2)),
    ...(cache === "" ? {} : { GOCACHE: join(cache, "go-build") }),
  };
}

/** `b/b.go:5:26: too many arguments in call to a.F`, and what belongs to it on the lines that begin with a tab. */
export function compileErrors(text: string, module: string): CompilerError[] {
  const found: { path: string; line: number; message: string }[] = [];
  for (const row of text.split("\n")) {
    const [, path, line, message] = /^(?:\.\/)?([^\s:][^:]*\.go):(\d+)(?::\d+)?: (.*)$/.exec(row) ?? [];
    const last = found.at(-1);
    if (path !== undefined) found.push({ path: module + path, line: Number(line), message: message ?? "" });
    else if (last !== undefined && row.startsWith("\t")) last.message += ` ${row.trim()}`;
  }
  return found.map((one) => ({ ...one, message: oneLine(one.message) })).filter(({ message }) => !isEcho.test(message));
}

/** Said beside an error, of its other half. */
const isEcho = /^(other declaration of|too many errors)/;

const notHere =
  /(?:no required module provides package|cannot find module providing package|cannot find package|missing go\.sum entry (?:for module providing package|needed to verify contents of module)?|package) "?([^\s";:]+)"?/;

/** A package that is not there: of another module it is only not installed here, of this one it is an error. */
export function loadErrors(
  text: string,
  module: string,
): {
  readonly errors: readonly CompilerError[];
  readonly missing: readonly string[];
  readonly leftOut: readonly string[];
} {
  const errors: CompilerError[] = [];
  const missing = new Set<string>();
  const leftOut = new Set<string>();
  for (const [at, said] of text.split("\n").flatMap(quotedPair)) {
    if (at === "left out") {
      leftOut.add(said);
      continue;
    }
    const outside = /no required module|module lookup disabled|missing go\.sum|cannot find module/.test(said)
      ? notHere.exec(said)?.[1]
      : undefined;
    if (outside !== undefined && !/is replaced but not required|module .* found/.test(said)) {
      missing.add(outside.split("@")[0] ?? outside);
      continue;
    }
    const [, path, line] = /^(.*\.go):(\d+)/.exec(at) ?? [];
    if (path !== undefined) errors.push({ path: module + path, line: Number(line), message: oneLine(said) });
  }
  return { errors, missing: [...missing].sort(), leftOut: [...leftOut] };
}

/** Go quotes as JSON does, but for bytes that are no text. */
function quotedPair(row: string): (readonly [at: string, said: string])[] {
  try {
    return row.startsWith("[") ? [JSON.parse(row) as [string, string]] : [];
  } catch {
    return [];
  }
}

/** A package is compiled alone and with its tests, and says the same both times. */
function once(errors: readonly CompilerError[]): CompilerError[] {
  return [...new Map(errors.map((one) => [`${one.path}:${one.line}:${one.message}`, one])).values()];
}

const kinds: readonly (readonly [RegExp, SemanticRule])[] = [
  [/redeclared|already declared|duplicate (method|field|case|key)/, "duplicate-definition"],
  [/missing (method|return)|does not implement|too few values/, "requires-more"],
  [/(not enough|too many) arguments|assignment mismatch|not used as value|too many values/, "signature"],
  [/unexported|not exported/, "made-private"],
  [/has no field or method|unknown field|undefined \(type/, "removed-member"],
  [/undefined:|undeclared name|is not in (GOROOT|std)|no required module|no Go files/, "removed"],
];

function read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule } {
  const rule = kinds.find(([pattern]) => pattern.test(message))?.[1] ?? "type-mismatch";
  const told = [
    /no field or method (\w+)/,
    /missing method (\w+)/,
    /unknown field (\w+)/,
    /undefined: (?:\w+\.)?(\w+)/,
    /in call to (?:[\w.()*]+\.)?(\w+)/,
    /\b(\w+) redeclared/,
    /name (\w+) not exported/,
    /does not implement (?:[\w/]+\.)?(\w+)/,
    /cannot use (?:[\w.]*\.)?(\w+)/,
    /argument to (?:[\w.]+\.)?(\w+)/,
    /type (?:\*|\[\])*(?:[\w/]+\.)?(\w+)/,
    /\b(\w+)\(/,
  ].flatMap((pattern) => pattern.exec(message)?.[1] ?? []);
  return { names: [...new Set(told.filter((name) => !plain.has(name)))], rule };
}

/** Types that nobody of the repository defined. */
const plain = new Set(
  "int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 string bool byte rune error any float32 float64 func map chan struct interface untyped value variable of type nil".split(
    " ",
  ),
);
