// The real compilers as judges of real code: a tree goes in, its errors come out. Go's and Java's are started once and asked by lines,
// because opening their libraries costs more than a check; rustc is started for each tree.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Files } from "../judge-trees.ts";
import type { RealLanguage } from "./read-pieces.ts";

export interface CompilerError {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export interface RealJudge {
  errors(tree: Files): Promise<CompilerError[]>;
  /** Whether the compiler looks at a file at all: in Rust that depends on features, and on other crates beside this one. */
  sees(tree: Files): Promise<(path: string) => boolean>;
  close(): void;
}

/** `withTests`: in Rust, what is built with the tests of a crate is judged too. */
export function openJudge(
  language: RealLanguage,
  edition: string,
  features: readonly string[],
  withTests = false,
): RealJudge {
  const root = mkdtempSync(join(tmpdir(), "constel-real-"));
  const tree = new WrittenTree(join(root, "tree"));
  const close = (): void => rmSync(root, { recursive: true, force: true });
  if (language === "rust") {
    const chosen = features.flatMap((feature) => ["--cfg", `feature="${feature}"`]);
    const flags = [`--edition=${edition}`, withTests ? "--test" : "--crate-type=lib", "--cap-lints=allow", ...chosen];
    return {
      errors: async (files) => await rustc(tree.write(files), join(root, "out.rmeta"), flags),
      sees: async (files) => {
        const out = join(root, "out.d");
        const asked = ["rustc", ...flags, "--emit=dep-info", "-o", out, "src/lib.rs"];
        await Bun.spawn(asked, { cwd: tree.write(files) }).exited;
        const seen = new Set((await Bun.file(out).text()).split(/\s+/).map((one) => one.replace(/:$/, "")));
        return (path) => seen.has(path);
      },
      close,
    };
  }
  const here = join(import.meta.dir, "../../..");
  const child = Bun.spawn(
    language === "go"
      ? ["go", "run", join(here, "go/cases/judge-real.go")]
      : ["java", "-XX:+UseSerialGC", "-Xmx700m", join(here, "java/cases/JudgeReal.java")],
    { stdin: "pipe", stdout: "pipe", stderr: "inherit", env: { ...process.env, GO111MODULE: "off", CGO_ENABLED: "0" } },
  );
  const lines = linesOf(child.stdout);
  return {
    async errors(files) {
      child.stdin.write(`${tree.write(files)}\n`);
      await child.stdin.flush();
      const found: CompilerError[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`the judge of ${language} ended`);
        if (value === "done") return found;
        const [path = "", line = "0", , message = ""] = value.split("\t");
        found.push({ path, line: Number(line), message });
      }
    },
    sees: () => Promise.resolve(() => true),
    close() {
      void child.stdin.end();
      child.kill();
      close();
    },
  };
}

/** A directory that is kept as the last tree that was asked about: only what differs is written. */
class WrittenTree {
  private readonly directory: string;
  private last: Files = {};

  constructor(directory: string) {
    this.directory = directory;
  }

  write(files: Files): string {
    for (const path of Object.keys(this.last))
      if (files[path] === undefined) rmSync(join(this.directory, path), { force: true });
    for (const [path, text] of Object.entries(files)) {
      if (this.last[path] === text) continue;
      mkdirSync(join(this.directory, dirname(path)), { recursive: true });
      writeFileSync(join(this.directory, path), text);
    }
    this.last = files;
    return this.directory;
  }
}

async function rustc(directory: string, out: string, flags: readonly string[]): Promise<CompilerError[]> {
  const form = ["--emit=metadata", "--error-format=short", "-o", out];
  const child = Bun.spawn(["rustc", ...flags, ...form, "src/lib.rs"], {
    cwd: directory,
    stdout: "ignore",
    stderr: "pipe",
    timeout: 120_000,
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  const found = [...said.matchAll(/^([^\s:]+\.rs):(\d+):\d+: error(.*)$/gm)].map(
    ([, path = "", line = "0", message = ""]) => ({ path, line: Number(line), message }),
  );
  if (code !== 0 && found.length === 0) throw new Error(`rustc failed without naming a file: ${said.slice(-1000)}`);
  return found;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}
