// Every command block of the README and the guides is run as a reader would, in an empty directory with an empty home, and
// must do what the text says. A line that ends with `# exit N` is expected to exit so; every other line to succeed. `# says TEXT`
// and `# exit N, says TEXT` also want these words in what it prints.
// Blocks after `<!-- not run: why -->` are left out.

import { Glob } from "bun";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { projectTop, TestHome } from "./kit/home.ts";

const pages = ["README.md", ...[...new Glob("docs/guides/*.md").scanSync(projectTop)].sort()];

export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  for (const match of text.matchAll(/(<!-- not run: [^\n]+ -->\n+)?```sh\n([\s\S]*?)```/g)) {
    if (match[1] === undefined) blocks.push(match[2] ?? "");
  }
  return blocks;
}

/** A bash script of all lines, each checked for how it ends. */
function scriptOf(blocks: readonly string[]): string {
  const lines = blocks
    .flatMap((block) => block.split("\n"))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines
    .map((line) => {
      const { command, exit, says } = expectationOf(line);
      // What is looked into runs in a shell of its own; other lines may change directory.
      const run = says === undefined ? `{ ${command}\n}` : `said=$( { ${command}\n} 2>&1 )`;
      const shown = says === undefined ? "" : `printf '%s\\n' "$said"; `;
      const looked = `case $said in *${quoted(says ?? "")}*) ;; *) echo "does not say so: "${quoted(line)} >&2; exit 98;; esac`;
      return `${run} ; code=$?; ${shown}[ $code -eq ${exit} ] || { echo "ended with $code, not ${exit}: "${quoted(line)} >&2; exit 99; }${says === undefined ? "" : `; ${looked}`}`;
    })
    .join("\n");
}

interface Expectation {
  readonly command: string;
  readonly exit: string;
  readonly says: string | undefined;
}

function expectationOf(line: string): Expectation {
  const [whole, exit, alsoSays, onlySays] = /\s+# (?:exit (\d+)(?:, says (.+))?|says (.+))$/.exec(line) ?? [""];
  return { command: line.slice(0, line.length - whole.length), exit: exit ?? "0", says: alsoSays ?? onlySays };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

for (const page of pages) {
  test(`the commands in ${page} do what the text says`, async () => {
    await using at = new TestHome();
    const blocks = blocksOf(readFileSync(join(projectTop, page), "utf8"));
    expect(blocks.length).toBeGreaterThan(0);
    mkdirSync(join(at.top, "bin"));
    mkdirSync(join(at.top, "work"));
    symlinkSync(join(projectTop, "bin/constel"), join(at.top, "bin/constel"));
    const child = Bun.spawn(["bash", "-c", scriptOf(blocks)], {
      cwd: join(at.top, "work"),
      env: { ...at.env, PATH: `${join(at.top, "bin")}:${at.env["PATH"]}` },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    expect({ page, code, stderr: code === 0 ? "" : `${stdout}\n${stderr}` }).toEqual({ page, code: 0, stderr: "" });
  });
}

test("every command that prompts, hints and pages name exists", async () => {
  // Hooks are a door of their own; the other is a name in an envelope.
  const known = [...(await allCommands()).map(({ name }) => name), "hook", "envelope"].map((name) => name.split(" "));
  const isKnown = (words: readonly string[]): boolean =>
    known.some((name) => name.every((part, at) => part === words[at]) || words.every((word, at) => word === name[at]));
  const unknown: string[] = [];
  let found = 0;
  for (const path of [...new Glob("{src,docs}/**/*.{ts,md}").scanSync(projectTop), "README.md"]) {
    const text = readFileSync(join(projectTop, path), "utf8");
    for (const [, words = ""] of text.matchAll(/`constel ([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)/g)) {
      found++;
      if (!isKnown(words.split(" "))) unknown.push(`${path}: constel ${words}`);
    }
  }
  expect(unknown).toEqual([]);
  expect(found).toBeGreaterThan(100);
});

test("the picture in the README is what the program prints", () => {
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, "--no-env-file", "--config=/dev/null", join(projectTop, "scripts/picture.ts"), "--check"],
    { env: { PATH: process.env["PATH"] ?? "" } },
  );
  expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: "" });
});

test("the pictures of the window are there, and light enough to be looked at", () => {
  const readme = readFileSync(join(projectTop, "README.md"), "utf8");
  const named = [...readme.matchAll(/docs\/window\/[\w-]+\.webp/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(2);
  for (const path of named) expect([path, statSync(join(projectTop, path)).size < 300_000]).toEqual([path, true]);
});

test("what a line is expected to do is read from its end", () => {
  expect(expectationOf("constel try # exit 1, says it's so")).toEqual({
    command: "constel try",
    exit: "1",
    says: "it's so",
  });
  expect(expectationOf("constel x # says y")).toEqual({ command: "constel x", exit: "0", says: "y" });
  expect(expectationOf("constel x # exit 3")).toEqual({ command: "constel x", exit: "3", says: undefined });
  expect(expectationOf("constel x # a remark")).toEqual({
    command: "constel x # a remark",
    exit: "0",
    says: undefined,
  });
});

test("the reader of the blocks sees blocks, and leaves out what is marked", () => {
  expect(blocksOf("x\n```sh\na\n```\n<!-- not run: needs a network -->\n```sh\nb\n```\n```toml\nc\n```\n")).toEqual([
    "a\n",
  ]);
});
