// Every command block of the README and the guides is run as a reader would, in an empty directory with an empty home, and
// must do what the text says. A line that ends with `# exit N` is expected to exit so; every other line to succeed.
// Blocks after `<!-- not run: why -->` are left out.

import { Glob } from "bun";
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
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
      const expected = /# exit (\d+)$/.exec(line)?.[1] ?? "0";
      return `{ ${line.replace(/\s*# exit \d+$/, "")}\n} ; code=$?; [ $code -eq ${expected} ] || { echo "ended with $code, not ${expected}: "${JSON.stringify(line).replaceAll("$", "\\$").replaceAll("`", "\\`")} >&2; exit 99; }`;
    })
    .join("\n");
}

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

test("the reader of the blocks sees blocks, and leaves out what is marked", () => {
  expect(blocksOf("x\n```sh\na\n```\n<!-- not run: needs a network -->\n```sh\nb\n```\n```toml\nc\n```\n")).toEqual([
    "a\n",
  ]);
});
