// The judge: TypeScript 6 on files on the disk. It shares nothing with constel, and not even the compiler's source with the one that constel
// asks, which is the native one.

import { createRequire } from "node:module";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Errors by what stays the same when lines move: file, code and the text of the line. */
export type Errors = ReadonlyMap<string, { readonly path: string; readonly shown: string }>;

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve("typescript6/package.json")), "bin/tsc");
const name = "constel-judge.json";
/** What the judge remembers of the tree it saw first: of another it then looks only at what can be different. */
const memory = "constel-judge.tsbuildinfo";
const first = `${memory}.first`;

/** The project's own settings, but for what nobody needs to judge by. Kept out of git by the scratch's own exclusions. */
export function writeJudgeSettings(directory: string, config: string | undefined): string {
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: true,
    tsBuildInfoFile: `./${memory}`,
    declaration: false,
    declarationMap: false,
    emitDeclarationOnly: false,
    isolatedDeclarations: false,
    skipLibCheck: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    baseUrl: null,
  };
  const scripts = {
    allowJs: true,
    checkJs: true,
    strict: false,
    noImplicitAny: false,
    target: "esnext",
    module: "commonjs",
    moduleResolution: "bundler",
    types: ["*"],
  };
  const settings =
    config === undefined
      ? { compilerOptions: { ...compilerOptions, ...scripts }, exclude: ["node_modules"] }
      : { extends: `./${config}`, compilerOptions };
  writeFileSync(join(directory, name), JSON.stringify(settings));
  return name;
}

export async function errorsOf(directory: string): Promise<Errors> {
  if (existsSync(join(directory, first))) copyFileSync(join(directory, first), join(directory, memory));
  else rmSync(join(directory, memory), { force: true });
  const child = Bun.spawn([process.execPath, compiler, "-p", name, "--pretty", "false"], {
    cwd: directory,
    stdout: "pipe",
    stderr: "ignore",
  });
  const printed = await new Response(child.stdout).text();
  await child.exited;
  if (!existsSync(join(directory, first)) && existsSync(join(directory, memory)))
    copyFileSync(join(directory, memory), join(directory, first));
  const errors = new Map<string, { path: string; shown: string }>();
  const lines = new Map<string, readonly string[]>();
  for (const [, path = "", line = "", code = "", message = ""] of printed.matchAll(
    /^([^\s(][^(\n]*)\((\d+),\d+\): error (TS\d+): (.*)$/gm,
  )) {
    if (/^TS(6|7(?!053))/.test(code) && code.length === 6) continue;
    const known = lines.get(path) ?? readFileSync(join(directory, path), "utf8").split("\n");
    lines.set(path, known);
    const text = (known[Number(line) - 1] ?? "").trim();
    errors.set(`${path}\n${code}\n${text}`, {
      path,
      shown: `${path}:${line} ${code} ${message} | ${text.slice(0, 120)}`,
    });
  }
  if (errors.size === 0 && /^error TS/m.test(printed))
    throw new Error(`the judge cannot judge: ${printed.slice(0, 500)}`);
  return errors;
}

/** Errors that were not there before. */
export function fresh(now: Errors, ...before: readonly Errors[]): { path: string; shown: string }[] {
  return [...now].filter(([key]) => !before.some((one) => one.has(key))).map(([, error]) => error);
}
