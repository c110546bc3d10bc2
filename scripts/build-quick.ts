// Builds the quick program (src/quick/quick.ts) of this clone:  build-quick.ts [--if-stale]
// The list of its sources is part of it, so it is built twice: once to learn what it is made of, once with that list.

import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { buildOf, contentOf } from "../src/ports/build.ts";
import { withNativeParser } from "./native-parser.ts";
import { inStretches, type ListedSources, packed, quickSources } from "./quick-sources.ts";

const top = join(import.meta.dir, "..");
const directory = join(top, "node_modules/.constel");
const entry = "src/quick/quick.ts";
const program = join(directory, "quick");
const listing = join(directory, "quick.json");
const builders = ["build-quick.ts", "native-parser.ts", "quick-sources.ts"];

/**
 * The modules that only some commands begin with, and compare for themselves (src/quick/whole.ts): their many sources would cost every
 * other command a millisecond.
 */
const onlySome = [
  "src/daemon/run.ts",
  "src/app/look-apart.ts",
  "src/app/check-open-pulls.ts",
  "src/app/looker.ts",
  "src/app/judge-permission.ts",
];
/** The process that reads repositories is of the program that started it, whatever has changed since. */
const looker = "src/app/looker.ts";

/** Left to the sources: what runs files of the clone. It is the first thing its command does, so nothing is done twice. */
const handedOver: Readonly<Record<string, readonly string[]>> = {
  "src/doors/cli/commands/clone-scripts.ts": ["bench", "evaluate", "replay"],
};

/**
 * Bun makes a piece of whatever two parts of the program share, and each piece takes time to load: of a hook's start, half a millisecond in
 * nine. So the beginning of every command and the hook have all that they always load in one piece each, which is safe for files
 * that keep nothing others must see.
 */
const inOnePiece: Readonly<Record<string, string>> = {
  [entry]: "src/main.ts",
  "src/doors/hook/hook.ts": "src/doors/hook/speak.ts",
};

/**
 * The engine's reluctance to compile what it runs: most commands end before it would pay. What stays takes it back (src/quick/stays.ts).
 */
const jitPolicy = 8;

const replacing = (texts: ReadonlyMap<string, string>): Bun.BunPlugin => ({
  name: "hand over to the sources",
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = texts.get(relative(top, path)) ?? changed(path);
      return contents === undefined ? undefined : { loader: "ts", contents };
    });
  },
});

function changed(path: string): string | undefined {
  const name = relative(top, path);
  const from = (file: string): string => JSON.stringify(`${top}/src/quick/${file}`);
  if (name === looker)
    return `import { compileAsUsual } from ${from("stays.ts")};\ncompileAsUsual();\n${readFileSync(path, "utf8")}`;
  if (onlySome.includes(name)) return `import ${from("whole.ts")};\n${readFileSync(path, "utf8")}`;
  const exports = handedOver[name]?.map((one) => `handOver as ${one}`).join(", ");
  return exports === undefined ? undefined : `export { ${exports} } from ${from("hand-over.ts")};`;
}

/** A beginning and all that it always loads, with one part that it loads a moment later, as one text. What it loads at times only stays apart. */
async function onePiece(beginning: string, later: string): Promise<string> {
  const leavingTheRest: Bun.BunPlugin = {
    name: "leave what is loaded at times",
    setup(builder) {
      builder.onResolve({ filter: /^\./ }, ({ kind, path, importer }) => {
        const found = resolve(dirname(importer), path);
        const isKept = kind !== "dynamic-import" || relative(top, found) === later;
        return isKept ? undefined : { path: found, external: true };
      });
    },
  };
  const { outputs } = await Bun.build({
    entrypoints: [join(top, beginning)],
    target: "bun",
    format: "esm",
    plugins: [leavingTheRest],
  });
  const [output] = outputs;
  if (output === undefined || outputs.length > 1) throw new Error(`${beginning} is not one piece`);
  return output.text();
}

process.chdir(top); // Bun names inputs relative to where it stands
if (process.argv.includes("--if-stale") && isUpToDate()) process.exit(0);
mkdirSync(directory, { recursive: true, mode: 0o700 });
chmodSync(directory, 0o700);
for (const name of readdirSync(directory))
  if (isLeftOver(name) || name === "quick.times") rmSync(join(directory, name), { force: true });
const built = await build();
const temporary = `${program}.${process.pid}.tmp`;
try {
  const compile = { outfile: temporary, autoloadDotenv: false, autoloadBunfig: false, jitPolicy };
  const pieces = Object.entries(inOnePiece).map(
    async ([beginning, later]) => [beginning, await onePiece(beginning, later)] as const,
  );
  const result = await bundle(built, new Map(await Promise.all(pieces)), compile);
  if (!result.success) throw new AggregateError(result.logs);
  if (!isAsItWas(built)) throw new Error("the sources changed meanwhile");
  chmodSync(temporary, 0o700);
  writeFileSync(`${temporary}.json`, JSON.stringify(built));
  renameSync(temporary, program);
  renameSync(`${temporary}.json`, listing);
} finally {
  for (const left of [temporary, `${temporary}.json`]) rmSync(left, { force: true });
}

/** Returns the sources it is made of, with the times taken before it is read for good. */
async function build(): Promise<ListedSources> {
  const { metafile } = await bundle(
    { bun: "", build: "", names: [], changedMs: [], contents: [], commandCount: 0, rangesOfWord: {} },
    new Map(),
  );
  if (metafile === undefined) throw new Error("Bun told nothing of what it bundled");
  const transpiler = new Bun.Transpiler({ loader: "ts" }); // leaves comments and types out
  const codeOf = (name: string): string =>
    name.endsWith(".ts") ? transpiler.transformSync(readFileSync(join(top, name), "utf8")) : "";
  const names = Object.keys(metafile.inputs).filter(isOurs);
  const wordsOf = await wordsOfManifests();
  const made = inStretches(quickSources({ inputs: metafile.inputs, names, onlySome, wordsOf, codeOf }));
  const changedMs = changesOf(made.names);
  const contents = made.names.map((name) => contentOf(join(top, name)));
  return { bun: relative(top, process.execPath), build: buildOf(top) ?? "unknown", ...made, changedMs, contents };
}

async function wordsOfManifests(): Promise<Map<string, string[]>> {
  const { commandsFor, firstWords } = await import("../src/doors/cli/manifest/all.ts");
  const found = new Map<string, string[]>();
  const manifests = "src/doors/cli/manifest";
  for (const file of readdirSync(manifests).filter((name) => name !== "all.ts" && name.endsWith(".ts"))) {
    const { commands } = (await import(
      `../${manifests}/${file}`
    )) as typeof import("../src/doors/cli/manifest/config.ts");
    const isFrom = async (word: string): Promise<boolean> =>
      (await commandsFor(word)).some((command) => commands.includes(command));
    const words = await Promise.all(firstWords.map(async (word) => ((await isFrom(word)) ? [word] : [])));
    found.set(`${manifests}/${file}`, words.flat());
  }
  return found;
}

function bundle(
  from: ListedSources,
  texts: ReadonlyMap<string, string>,
  compile?: Bun.CompileBuildOptions,
): Promise<Bun.BuildOutput> {
  return Bun.build({
    entrypoints: [join(top, entry)],
    root: join(top, "src"),
    target: "bun",
    format: "esm",
    splitting: true,
    minify: { syntax: true, whitespace: true }, // names stay, for who reads a stack
    metafile: true,
    define: {
      CONSTEL_BUILT_FROM: JSON.stringify(JSON.stringify(packed(from))),
      CONSTEL_BUILD: JSON.stringify(from.build),
    },
    plugins: [replacing(texts), withNativeParser({ beside: program })],
    ...(compile === undefined ? {} : { compile, bytecode: true }),
  });
}

function isOurs(name: string): boolean {
  return !name.includes("node_modules/") && !Object.hasOwn(handedOver, name);
}

function changesOf(names: readonly string[]): number[] {
  return names.map((name) => statSync(join(top, name)).ctimeMs);
}

function isAsItWas({ names, changedMs }: ListedSources): boolean {
  return JSON.stringify(changesOf(names)) === JSON.stringify(changedMs);
}

/** Of a build that was killed. */
function isLeftOver(name: string): boolean {
  const pid = /^quick\.(\d+)\.tmp/.exec(name)?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch {
    return true;
  }
}

function isUpToDate(): boolean {
  try {
    const before = JSON.parse(readFileSync(listing, "utf8")) as ListedSources;
    const builtMs = statSync(program).ctimeMs;
    return builders.every((name) => statSync(join(import.meta.dir, name)).ctimeMs < builtMs) && isAsItWas(before);
  } catch {
    return false; // never built, or a source is gone
  }
}
