// A verdict without its compiler is not complete, whatever the reason, at every door: in words and as JSON. The exit code follows what
// could not be looked at; what the owner switched off, or a checker that few have, does not stop a script.

import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { projectTop, until } from "./kit/home.ts";
import { WorktreesHome } from "./kit/worktrees-home.ts";

const java = {
  base: {
    "Shop.java": "class Shop {\n  static int price(String name) {\n    return 1;\n  }\n}\n",
    "App.java": "class App {}\n",
  },
  a: { "Shop.java": "class Shop {\n  static Object price(String name) {\n    return 1;\n  }\n}\n" },
  b: { "App.java": 'class App {\n  Object two = Shop.price("x");\n}\n' },
};
const python = {
  base: { "lib.py": "def total(items):\n    return sum(items)\n", "app.py": "x = 1\n" },
  a: { "lib.py": "def total(items):\n    return sum(items)\n\n\ndef mean(items):\n    return 1\n" },
  b: { "app.py": "from lib import total\n\nx = total([1])\n" },
};

interface Reason {
  readonly work: typeof java | typeof python;
  readonly why: RegExp;
  /** A program that stands in the place of the compiler; without, there is none on the PATH. */
  readonly program?: string;
  readonly settings?: readonly string[];
  readonly exit: number;
}

/** More than it may hold, and longer than it takes to see that. */
const hungry = "exec perl -e '$all = chr(1) x 600_000_000; sleep 60'";

const reasons: Readonly<Record<string, Reason>> = {
  "its toolchain is missing": { work: java, why: /Java types were not checked: javac is not on the PATH/, exit: 5 },
  "a checker that few have is missing": {
    work: python,
    why: /Python types were not checked: pyright is not on the PATH/,
    exit: 0,
  },
  "the owner switched it off": {
    work: java,
    why: /Java types were not checked: compilers.off names java/,
    program: "exit 0",
    settings: ["compilers.off", "java"],
    exit: 0,
  },
  "it crashed": { work: java, why: /javac gave no answer about the merged tree/, program: "kill -9 $$", exit: 5 },
  "it took too much memory": {
    work: java,
    why: /javac gave no answer about the merged tree: it took more than 256 MB/,
    program: hungry,
    settings: ["compilers.memory_mb", "256"],
    exit: 5,
  },
};

const places: string[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(place, { recursive: true, force: true });
});

for (const [name, reason] of Object.entries(reasons)) {
  test(`a verdict is not complete where ${name}, and every door says so`, async () => {
    await using at = new WorktreesHome(reason.work.base);
    const env = { PATH: pathFor(at, reason) };
    if (reason.settings !== undefined) await at.constel(["config", "set", ...reason.settings]);
    at.write(at.a, reason.work.a);
    at.write(at.b, reason.work.b);
    const cwd = at.repository;
    await saidAlone(at, { cwd, env }, reason);
    expect((await at.constel(["repo", "add"], { cwd, env })).code).toBeOneOf([0, 5]);
    await until(
      "the compiler was asked",
      async () => (await at.constel(["conflicts"], { cwd, env })).stdout,
      (said) => reason.why.test(said) && !said.includes("still to be checked"),
    );
    for (const words of [["conflicts"], ["status"], ["plan"]]) {
      const said = await at.constel(words, { cwd, env });
      expect([words, said.code, said.stdout]).toEqual([words, reason.exit, expect.stringMatching(reason.why)]);
      expect(said.stdout).not.toMatch(/Nothing collides|collides with nothing/);
      const told = await at.constel([...words, "--json"], { cwd, env });
      const answer = JSON.parse(told.stdout) as { repositories?: object[] };
      const [whole] = words[0] === "plan" ? (answer.repositories ?? []) : [answer];
      expect([words, whole]).toEqual([words, expect.objectContaining({ complete: false })]);
      expect(told.stdout).toMatch(reason.why);
    }
    const { stdout: rows } = await at.constel(["query", "select score, reasons from merge_readiness order by branch"], {
      env,
    });
    expect(rows).toMatch(/not fully checked|not everything was asked/);
    const answer = await byMcp(at, env);
    expect(answer).toMatch(reason.why);
    expect(answer).toMatch(/"complete": ?false/);
  }, 180_000);
}

/** `check` and `try`, which need no daemon. */
async function saidAlone(
  at: WorktreesHome,
  where: { cwd: string; env: { PATH: string } },
  reason: Reason,
): Promise<void> {
  for (const words of [["check", at.a, at.b], ["try"]]) {
    const said = await at.constel(words, where);
    expect([words, said.code, said.stdout]).toEqual([words, reason.exit, expect.stringMatching(reason.why)]);
    expect(said.stdout).not.toMatch(/nothing collides/i);
    const told = await at.constel([...words, "--json"], where);
    const answer = JSON.parse(told.stdout) as { verdict?: { complete: boolean }; complete?: boolean };
    expect([words, (answer.verdict ?? answer).complete]).toEqual([words, false]);
    expect(told.stdout).toMatch(reason.why);
  }
}

async function byMcp(at: WorktreesHome, env: { PATH: string }): Promise<string> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: join(projectTop, "bin/constel"),
    args: ["mcp"],
    cwd: at.repository,
    stderr: "ignore",
    env: { ...(at.env as Record<string, string>), ...env },
  });
  await client.connect(transport);
  try {
    return JSON.stringify(await client.callTool({ name: "discover", arguments: { action: "findings" } })).replaceAll(
      "\\",
      "",
    );
  } finally {
    await client.close();
  }
}

/** The PATH as it is, with this program in the place of the compiler, or none. */
function pathFor(at: WorktreesHome, { work, program }: Reason): string {
  // Outside of /dev, where the tests may have their place: a compiler's sandbox has a /dev of its own.
  const place = mkdtempSync("/var/tmp/constel-path-");
  places.push(place);
  const compiler = work === java ? "javac" : "pyright";
  const without = (at.env["PATH"] ?? "").split(":").map((directory, index) => {
    if (!existsSync(join(directory, compiler))) return directory;
    const links = join(place, `path-${index}`);
    mkdirSync(links);
    for (const name of readdirSync(directory))
      if (name !== compiler) symlinkSync(join(directory, name), join(links, name));
    return links;
  });
  if (program === undefined) return without.join(":");
  const own = join(place, "own");
  mkdirSync(own);
  writeFileSync(join(own, compiler), `#!/bin/sh\n[ "$2" = -version ] && echo javac 17 && exit\n${program}\n`);
  chmodSync(join(own, compiler), 0o755);
  return [own, ...without].join(":");
}
