// constel runs inside repositories that agents edit. Nothing that stands in the current directory may run code in our
// process or steer it. Each plant here writes a file when it runs; none may.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloneCopy } from "./kit/clone-copy.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { WorktreesHome } from "./kit/worktrees-home.ts";

function plant(at: TestHome): { directory: string; proofs: string } {
  const directory = join(at.top, "hostile");
  const proofs = join(at.top, "proofs");
  mkdirSync(join(directory, "node_modules/smol-toml"), { recursive: true });
  mkdirSync(proofs);
  const leave = (name: string): string =>
    `require("node:fs").writeFileSync(${JSON.stringify(join(proofs, name))}, "ran");`;
  writeFileSync(join(directory, "preload.js"), leave("preload"));
  writeFileSync(
    join(directory, "bunfig.toml"),
    'preload = ["./preload.js"]\n[run]\npreload = ["./preload.js"]\n[install]\nauto = "force"\n',
  );
  writeFileSync(
    join(directory, ".env"),
    `CONSTEL_HOME=${join(proofs, "home-from-env-file")}\nNODE_OPTIONS=--require=./preload.js\n`,
  );
  writeFileSync(join(directory, ".env.local"), `CONSTEL_CONSTELLATION_NAME=evil\n`);
  writeFileSync(
    join(directory, "package.json"),
    JSON.stringify({
      name: "x",
      type: "commonjs",
      scripts: { preinstall: "touch ../proofs/script" },
      imports: { "#x": "./preload.js" },
    }),
  );
  writeFileSync(
    join(directory, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { paths: { "*": ["./preload.js"] } } }),
  );
  writeFileSync(
    join(directory, "jsconfig.json"),
    JSON.stringify({ compilerOptions: { baseUrl: ".", paths: { "*": ["./preload.js"] } } }),
  );
  writeFileSync(join(directory, "node_modules/smol-toml/index.js"), leave("package"));
  writeFileSync(
    join(directory, "node_modules/smol-toml/package.json"),
    JSON.stringify({ name: "smol-toml", main: "index.js" }),
  );
  for (const name of ["git", "tmux", "sh", "bun"]) {
    writeFileSync(join(directory, name), `#!/bin/sh\ntouch ${JSON.stringify(join(proofs, name))}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return { directory, proofs };
}

const commands = [
  ["--version"],
  ["config", "show"],
  ["doctor"],
  ["query", "select 1 as one"],
  ["announce", "x"],
  ["daemon", "stop"],
];

describe.each(["the sources", "the quick program"] as const)("run as %s", (form) => {
  let clone: CloneCopy;
  let program: readonly string[];
  beforeAll(async () => {
    clone = new CloneCopy();
    if (form === "the quick program") await clone.buildQuick();
    program = clone.program;
  });
  afterAll(() => clone.close());

  test("no file in the current directory runs code in the program, or sets its environment", async () => {
    await using at = new TestHome();
    const { directory, proofs } = plant(at);
    for (const words of commands) expect((await at.constel(words, { cwd: directory, program })).code).toBe(0);
    expect(readdirSync(proofs)).toEqual([]);
    const {
      settings: [shown],
    } = await at.json<{ settings: { value: string }[] }>(["config", "show", "constellation.name"], {
      cwd: directory,
      program,
    });
    expect(shown?.value).toBe("constel0");
    expect(existsSync(join(at.home, "meta.db"))).toBe(true);
  });

  test("variables that inject code into Bun and Node are dropped before we start", async () => {
    await using at = new TestHome();
    const { directory, proofs } = plant(at);
    const preload = join(directory, "preload.js");
    const env = {
      BUN_OPTIONS: `--preload ${preload}`,
      NODE_OPTIONS: `--require ${preload}`,
      BUN_BE_BUN: "1",
      BUN_INSPECT_PRELOAD: preload,
    };
    for (const words of commands) expect((await at.constel(words, { cwd: directory, env, program })).code).toBe(0);
    expect(readdirSync(proofs)).toEqual([]);
  });

  test("a PATH that names the current directory does not make us run what stands there", async () => {
    await using at = new TestHome();
    const { directory, proofs } = plant(at);
    for (const PATH of [`.:${at.env["PATH"]}`, `../hostile:${at.env["PATH"]}`, `:${at.env["PATH"]}`]) {
      expect((await at.constel(["doctor"], { cwd: directory, env: { PATH }, program })).code).toBe(0);
    }
    expect(readdirSync(proofs)).toEqual([]);
  });
});

test("the plants do work against an unguarded Bun, so the test can fail", async () => {
  await using at = new TestHome();
  const { directory, proofs } = plant(at);
  const child = Bun.spawn([process.execPath, join(projectTop, "src/main.ts"), "--version"], {
    cwd: directory,
    env: at.env,
  });
  await child.exited;
  expect(readdirSync(proofs)).toContain("preload");
});

let building: Promise<string> | undefined;
const built = mkdtempSync(join(tmpdir(), "constel-built-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** The binary, made once for this file. */
function compiled(): Promise<string> {
  building ??= (async () => {
    const binary = join(built, "constel");
    const env = { PATH: process.env["PATH"] ?? "", HOME: built };
    const build = Bun.spawn(["sh", join(projectTop, "scripts/build.sh"), binary], {
      cwd: projectTop,
      env,
      stdout: "ignore",
    });
    if ((await build.exited) !== 0) throw new Error("scripts/build.sh failed");
    return binary;
  })();
  return building;
}

test("a compiled binary is as deaf to the directory as the clone", async () => {
  await using at = new TestHome();
  const { directory, proofs } = plant(at);
  const binary = await compiled();
  for (const words of [["--version"], ["query", "select 1 as one"], ["announce", "x"], ["daemon", "stop"]]) {
    const child = Bun.spawn([binary, ...words], { cwd: directory, env: at.env, stdout: "pipe", stderr: "pipe" });
    expect({
      words,
      code: await child.exited,
      stderr: (await new Response(child.stderr).text()).replace(/constel: started the daemon\n|\(1 row\)\n/, ""),
    }).toEqual({ words, code: 0, stderr: "" });
  }
  expect(readdirSync(proofs)).toEqual([]);
});

test("no variable of Bun's or Node's runs code in a compiled binary, or makes it something else", async () => {
  await using at = new TestHome();
  const { directory, proofs } = plant(at);
  const preload = join(directory, "preload.js");
  const binary = await compiled();
  const env = {
    BUN_OPTIONS: `--preload ${preload}`,
    BUN_BE_BUN: "1",
    BUN_INSPECT_PRELOAD: preload,
    BUN_CONFIG_FILE: join(directory, "bunfig.toml"),
    NODE_OPTIONS: `--require ${preload}`,
  };
  for (const words of [["--version"], ["config", "path"], ["announce", "x"], ["daemon", "stop"]]) {
    const ran = await at.constel(words, { cwd: directory, env, program: [binary] });
    expect({ words, code: ran.code }).toEqual({ words, code: 0 });
    expect(ran.stdout).not.toStartWith(Bun.version);
  }
  expect(readdirSync(proofs)).toEqual([]);
  // So that the test can fail: a binary with Bun as it comes obeys.
  const script = join(at.top, "plain.ts");
  writeFileSync(script, "console.log(1);\n");
  const plain = await Bun.build({ entrypoints: [script], compile: { outfile: join(at.top, "plain") } });
  expect(plain.success).toBe(true);
  const obedient = Bun.spawn([join(at.top, "plain")], {
    cwd: at.top,
    env: { ...at.env, BUN_OPTIONS: env.BUN_OPTIONS },
  });
  await obedient.exited;
  expect(readdirSync(proofs)).toEqual(["preload"]);
});

test("a compiled binary asks the TypeScript compiler it carries, and leaves nothing of it behind", async () => {
  await using at = new WorktreesHome({
    "tsconfig.json": '{"compilerOptions":{"strict":true}}',
    "price.ts": "export const lookUp = (): number => 1;\n",
    "fresh.ts": "export const x = 1;\n",
  });
  at.write(at.a, { "price.ts": 'export const lookUp = () => [1].map((one) => `${one}`)[0] ?? "";\n' });
  at.write(at.b, {
    "fresh.ts": 'import { lookUp } from "./price";\nconst rounded = (n: number) => n.toFixed(2);\nrounded(lookUp());\n',
  });
  const temporary = join(at.top, "temporary");
  mkdirSync(temporary);
  const ran = await at.constel(["check", at.a, at.b, "--json"], {
    program: [await compiled()],
    env: { TMPDIR: temporary },
  });
  const { verdict } = JSON.parse(ran.stdout) as {
    verdict: { complete: boolean; findings: { evidence: { rule: string }[] }[] };
  };
  expect(verdict.complete).toBe(true);
  expect(verdict.findings.flatMap(({ evidence }) => evidence.map(({ rule }) => rule))).toEqual(["type-mismatch"]);
  expect(readdirSync(temporary).filter((name) => name.includes("compiler"))).toEqual([]);
});

test("a compiled binary foresees collisions by itself, from an empty directory", async () => {
  await using at = new WorktreesHome({
    "date.ts": "export function formatDate(): string {\n  return 'now';\n}\n",
    "date.py": "def format_date():\n    return 1\n",
  });
  const run = async (...words: string[]): Promise<{ code: number; stdout: string }> => {
    const empty = join(at.top, "empty");
    mkdirSync(empty, { recursive: true });
    const child = Bun.spawn([await compiled(), ...words], { cwd: empty, env: at.env, stdout: "pipe", stderr: "pipe" });
    const [stdout, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return { code, stdout };
  };
  at.write(at.a, { "date.ts": "export function showDate(): string {\n  return 'now';\n}\n" });
  at.write(at.a, { "date.py": "def show_date():\n    return 1\n" });
  at.write(at.b, { "page.ts": 'import { formatDate } from "./date.ts";\nexport const page = formatDate();\n' });
  at.write(at.b, { "page.py": "from date import format_date\nformat_date()\n" });
  const checked = await run("check", at.a, at.b);
  expect(checked.code).toBe(1);
  expect(checked.stdout.match(/^HIGH semantic/gm)?.length).toBe(2);
  expect((await run("repo", "add", at.repository)).code).toBe(0);
  await until(
    "the daemon of the binary foresees both",
    () => at.titles(),
    (titles) => titles.length === 2,
  );
  expect((await run("daemon", "stop")).code).toBe(0);
});
