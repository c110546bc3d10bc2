// Builds the quick program (src/quick/quick.ts) of this clone:  build-quick.ts [--if-stale]
// The list of its sources is part of it, so it is built twice: once to learn what it is made of, once with that list.

import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { BuiltFrom } from "../src/quick/built-from.ts";
import { withNativeParser } from "./native-parser.ts";

const top = join(import.meta.dir, "..");
const directory = join(top, "node_modules/.constel");
const entry = "src/quick/quick.ts";
const program = join(directory, "quick");
const listing = join(directory, "quick.json");

/**
 * What only some commands begin with, and compare for themselves (src/quick/whole.ts): their many sources would cost every other
 * command a millisecond.
 */
const onlySome = [
  "src/daemon/run.ts",
  "src/app/check-pair.ts",
  "src/app/contracts/contracts.ts",
  "src/app/try-repository.ts",
  "src/app/judge-permission.ts",
];
/** The thread that looks at repositories is started by its file, so it is a beginning of its own. */
const thread = "src/app/sensing-worker.ts";

/** Left to the sources: what runs files of the clone. It is the first thing its command does, so nothing is done twice. */
const handedOver: Readonly<Record<string, readonly string[]>> = {
  "src/doors/cli/commands/clone-scripts.ts": ["bench", "evaluate", "replay"],
};

const handingOver: Bun.BunPlugin = {
  name: "hand over to the sources",
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const name = relative(top, path);
      const names = handedOver[name];
      const from = (file: string): string => JSON.stringify(`${top}/src/quick/${file}`);
      if (onlySome.includes(name))
        return { loader: "ts", contents: `import ${from("whole.ts")};\n${readFileSync(path, "utf8")}` };
      if (names === undefined) return undefined;
      const exports = names.map((one) => `handOver as ${one}`).join(", ");
      return { loader: "ts", contents: `export { ${exports} } from ${from("hand-over.ts")};` };
    });
  },
};

process.chdir(top); // Bun names inputs relative to where it stands
if (process.argv.includes("--if-stale") && isUpToDate()) process.exit(0);
mkdirSync(directory, { recursive: true, mode: 0o700 });
chmodSync(directory, 0o700);
for (const name of readdirSync(directory)) if (isLeftOver(name)) rmSync(join(directory, name), { force: true });
const built = await build();
const temporary = `${program}.${process.pid}.tmp`;
try {
  const result = await bundle(built, { outfile: temporary, autoloadDotenv: false, autoloadBunfig: false });
  if (!result.success) throw new AggregateError(result.logs);
  const since = changesOf(built.names);
  if (since.some((changed, index) => changed !== built.changedMs[index]))
    throw new Error("the sources changed meanwhile");
  chmodSync(temporary, 0o700);
  writeFileSync(`${temporary}.json`, JSON.stringify(built));
  renameSync(temporary, program);
  renameSync(`${temporary}.json`, listing);
} finally {
  for (const left of [temporary, `${temporary}.json`]) rmSync(left, { force: true });
}

/** What it is made of, with the times taken before it is read for good. */
async function build(): Promise<BuiltFrom> {
  const nothing: BuiltFrom = { bun: "", names: [], changedMs: [], hookCount: 0, commandCount: 0 };
  const { metafile } = await bundle(nothing);
  if (metafile === undefined) throw new Error("Bun told nothing of what it bundled");
  const ours = Object.keys(metafile.inputs).filter(isOurs);
  const ofHook = reachable(metafile.inputs, "src/doors/hook/hook.ts");
  const ofCommands = reachable(metafile.inputs, entry);
  const first = ours.filter((name) => ofHook.has(name) || /^(package\.json|src\/main\.ts|src\/quick\/)/.test(name));
  const second = ours.filter((name) => ofCommands.has(name) && !first.includes(name));
  const names = [...new Set([...first, ...second, ...ours])];
  return {
    bun: relative(top, process.execPath),
    names,
    changedMs: changesOf(names),
    hookCount: first.length,
    commandCount: first.length + second.length,
  };
}

function bundle(from: BuiltFrom, compile?: Bun.CompileBuildOptions): Promise<Bun.BuildOutput> {
  return Bun.build({
    entrypoints: [join(top, entry), join(top, thread)],
    root: join(top, "src"),
    target: "bun",
    format: "esm",
    splitting: true,
    minify: { syntax: true, whitespace: true }, // names stay, for who reads a stack
    metafile: true,
    define: { CONSTEL_BUILT_FROM: JSON.stringify(from) },
    plugins: [handingOver, withNativeParser()],
    ...(compile === undefined ? {} : { compile, bytecode: true }),
  });
}

function isOurs(name: string): boolean {
  return !name.includes("node_modules/") && !Object.hasOwn(handedOver, name);
}

/** Without what only some commands begin with. */
function reachable(inputs: Bun.BuildMetafile["inputs"], from: string): Set<string> {
  const found = new Set<string>();
  const queue = [from];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name) || onlySome.includes(name)) continue;
    found.add(name);
    // What is loaded later is named by the piece it ends up in; only its original name says which source that is.
    for (const { path, original = path } of inputs[name]?.imports ?? [])
      queue.push(original.startsWith(".") ? join(dirname(name), original) : path);
  }
  return found;
}

function changesOf(names: readonly string[]): number[] {
  return names.map((name) => statSync(join(top, name)).ctimeMs);
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
    const before = JSON.parse(readFileSync(listing, "utf8")) as BuiltFrom;
    statSync(program);
    return JSON.stringify(changesOf(before.names)) === JSON.stringify(before.changedMs);
  } catch {
    return false; // never built, or a source is gone
  }
}
