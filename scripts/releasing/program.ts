// Builds constel into one file: its code, the readers of all languages, the compiler, the window and the guides. It stands in an empty directory and needs
// nothing beside it. The autoload switches keep bunfig.toml, .env and the like of the current directory out of it
// (docs/decisions/0002-hostile-directories.md), and its runtime is deaf to Bun's variables (deaf-runtime.ts).

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { buildOf } from "../../src/ports/build.ts";
import { pagesBelow } from "../../src/doors/cli/docs/pages.ts";
import { withBuiltWindow } from "../built-window.ts";
import { withNativeParser } from "../native-parser.ts";
import { deafened } from "./deaf-runtime.ts";
import { isMachO, signed } from "./mach-o.ts";
import { piece } from "./pieces.ts";
import { ownTarget, type Target } from "./targets.ts";

const top = join(import.meta.dir, "../..");

/** Sources that work for long: from them on, the program is compiled as everything is (src/quick/stays.ts). */
const stays = ["src/daemon/run.ts", "src/app/looker.ts", "src/app/look-apart.ts", "src/app/compiler-run.ts"];
/** The engine's reluctance to compile: most commands end before it would pay. As in the quick program. */
const jitPolicy = 8;

/** What a release writes into its programs; one that is built by hand has none of it, and cannot upgrade itself. */
export interface ReleaseMarks {
  readonly version: string;
  /** The address below which releases lie. */
  readonly releases: string;
  /** The public half of the key that releases are signed with. */
  readonly publicKey: string;
  /** The newest schema of the database that it knows. */
  readonly schema: number;
}

export async function buildProgram(target: Target, output: string, marks?: ReleaseMarks): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "constel-build-"));
  try {
    const runtime = join(scratch, "runtime");
    writeFileSync(runtime, deafened(readFileSync(await runtimeOf(target))), { mode: 0o700 });
    const fresh = join(scratch, "constel");
    const isOwn = target.name === ownTarget().name;
    const result = await Bun.build({
      entrypoints: [join(top, "src/main.ts")],
      root: join(top, "src"),
      target: "bun",
      format: "esm",
      minify: { syntax: true, whitespace: true }, // names stay, for who reads a stack
      // Translated ahead only for the machine that it was built on: another's runtime does not know this one's words.
      bytecode: isOwn,
      splitting: true,
      define: {
        // Another version of the same sources is another build.
        CONSTEL_BUILD: JSON.stringify(`${buildOf(top) ?? "unknown"}${marks === undefined ? "" : `-${marks.version}`}`),
        ...(marks === undefined
          ? {}
          : { CONSTEL_RELEASE: JSON.stringify(JSON.stringify({ ...marks, target: target.name })) }),
      },
      plugins: [
        ...(marks === undefined ? [] : [ofVersion(marks.version)]),
        withNativeParser({ inside: await parserOf(target) }),
        withBuiltWindow(top),
        withDocs(scratch),
        withCompiler(await compilerOf(target), scratch),
        staying,
      ],
      compile: {
        target: target.bun,
        executablePath: runtime,
        outfile: fresh,
        autoloadDotenv: false,
        autoloadBunfig: false,
        autoloadTsconfig: false,
        autoloadPackageJson: false,
        jitPolicy,
      },
    });
    for (const line of result.logs) process.stderr.write(`${String(line)}\n`);
    if (!result.success) throw new Error(`constel was not built for ${target.name}`);
    const bytes = readFileSync(fresh);
    const whole = `${output}.${process.pid}.tmp`;
    // What the linker signed is no longer what the file holds.
    writeFileSync(whole, isMachO(bytes) ? signed(bytes, "constel") : bytes);
    chmodSync(whole, 0o755);
    renameSync(whole, output);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The version that the program says of itself. */
const ofVersion = (version: string): BunPlugin => ({
  name: "version",
  setup(build) {
    build.onLoad({ filter: /package\.json$/ }, ({ path }) => {
      if (path !== join(top, "package.json")) return undefined;
      const contents = JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), version });
      return { loader: "json", contents };
    });
  },
});

const staying: BunPlugin = {
  name: "compiled as everything is, from here on",
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!stays.includes(relative(top, path))) return undefined;
      const from = JSON.stringify(join(top, "src/quick/stays.ts"));
      return {
        loader: "ts",
        contents: `import { compileAsUsual } from ${from};\ncompileAsUsual();\n${readFileSync(path, "utf8")}`,
      };
    });
  },
};

/** Packs the native compiler and its libraries into the program (src/app/unpack-compiler.ts). */
function withCompiler(libraries: string, scratch: string): BunPlugin {
  const texts = Object.fromEntries(
    readdirSync(libraries)
      .filter((name) => name.endsWith(".d.ts"))
      .map((name) => [name, readFileSync(join(libraries, name), "utf8")]),
  );
  // Written before the build begins: it looks into a directory once, and does not see what is laid there later.
  const packed = (name: string, content: Uint8Array | string): string => {
    const path = join(scratch, name);
    writeFileSync(path, Bun.zstdCompressSync(content, { level: 12 }));
    return JSON.stringify(path);
  };
  const contents = `import program from ${packed("compiler.zst", readFileSync(join(libraries, "tsc")))} with { type: "file" };
import libraries from ${packed("libraries.zst", JSON.stringify(texts))} with { type: "file" };
export const builtCompiler = { program, libraries };`;
  return {
    name: "built-compiler",
    setup(build) {
      build.onLoad({ filter: /compiler\/built-compiler\.ts$/ }, () => ({ loader: "ts", contents }));
    },
  };
}

/** The pages that `constel docs` reads. */
function withDocs(scratch: string): BunPlugin {
  const path = join(scratch, "docs.zst");
  writeFileSync(path, Bun.zstdCompressSync(JSON.stringify(Object.fromEntries(pagesBelow(join(top, "docs"))))));
  return {
    name: "built-docs",
    setup(build) {
      build.onLoad({ filter: /docs\/built-docs\.ts$/ }, () => ({
        loader: "ts",
        contents: `import packed from ${JSON.stringify(path)} with { type: "file" };\nexport const builtDocs = packed;`,
      }));
    },
  };
}

/** What stands in node_modules is this machine's; what is for another one is fetched. */
async function packageOf(name: string): Promise<string> {
  const installed = join(top, "node_modules", name);
  return existsSync(installed) ? installed : piece(name);
}

const runtimeOf = async ({ packages }: Target): Promise<string> =>
  packages.runtime === ownTarget().packages.runtime ? process.execPath : join(await piece(packages.runtime), "bin/bun");

async function parserOf({ packages }: Target): Promise<string> {
  const directory = await packageOf(packages.parser);
  const native = readdirSync(directory).find((name) => name.endsWith(".node"));
  if (native === undefined) throw new Error(`${packages.parser} has no native part`);
  return join(directory, native);
}

async function compilerOf({ packages }: Target): Promise<string> {
  const libraries = join(await packageOf(packages.compiler), "lib");
  return dirname(join(libraries, "tsc"));
}
