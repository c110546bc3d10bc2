// docs/MAP.md leads newcomers through the code: every file it names is there, it fits two pages, and the two walks are ways that the code takes.

import { expect, test } from "bun:test";
import { Glob } from "bun";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectTop } from "./kit/home.ts";

const map = readFileSync(join(projectTop, "docs/MAP.md"), "utf8");
const sources = [...new Glob("src/**/*.ts").scanSync(projectTop)].filter((path) => !/\.(test|suite)\.ts$/.test(path));

/** The places where one file leads to the next without importing it, and what carries it over. */
const seams: Readonly<Record<string, string>> = {
  "daemon/sensing-client.ts": "the loop calls it as a port: compose.ts puts them together",
  "app/looker.ts": "a process of its own, started by its first word",
  "doors/hook/hook.ts": "the file in state/hear, read at the next moment",
  "client/socket.ts": "the command has its caller from doors/cli/reach/caller.ts",
  "daemon/door/serve.ts": "the daemon's socket",
  "daemon/loops/dispatch-loop.ts": "the assignment's row, by the reaction `dispatch`",
  "host/workspace/make-workspace.ts": "the port TaskMachine",
  "floor/bus/send.ts": "the port TaskMachine",
  "daemon/agents/deliveries.ts": "the file in the agent's inbox",
  "host/harvest/landing-repository.ts": "the port of the merge train",
};

test("every file that the map names is there", () => {
  const named = [...map.matchAll(/`([\w./-]+\.ts)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(80);
  const missing = named.filter((path) => !sources.some((source) => source === path || source.endsWith(`/${path}`)));
  expect(missing.filter((path) => !isElsewhere(path))).toEqual([]);
});

test("it is two pages, not an index", () => {
  expect(map.split("\n").length).toBeLessThan(140);
});

for (const [heading, most] of [
  ["From an edit to the word that another agent hears", 28],
  ["From dispatch to main", 25],
] as const) {
  test(`${heading}: at most ${most} files, each reached from one before it`, () => {
    const walk = walkBelow(heading);
    expect(walk.length).toBeGreaterThan(10);
    expect(walk.length).toBeLessThanOrEqual(most);
    expect(new Set(walk).size).toBe(walk.length);
    const loose = walk.slice(1).filter((path, index) => {
      const before = walk.slice(0, index + 1);
      const isJoined = before.some((one) => importsOf(one).includes(path) || importsOf(path).includes(one));
      return !isJoined && seams[path] === undefined;
    });
    expect(loose).toEqual([]);
  });
}

test("no seam is excused that is an import after all, or stands on no walk", () => {
  const walks = [walkBelow("From an edit to the word that another agent hears"), walkBelow("From dispatch to main")];
  for (const path of Object.keys(seams)) {
    const walk = walks.find((one) => one.includes(path)) ?? [];
    expect({ path, found: walk.includes(path) }).toEqual({ path, found: true });
    const before = walk.slice(0, walk.indexOf(path));
    expect({ path, from: before.filter((one) => importsOf(one).includes(path)) }).toEqual({ path, from: [] });
  }
});

/** Its numbered lines, each of which begins with a file. */
function walkBelow(heading: string): string[] {
  const section = map.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path = ""]) => path);
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(projectTop, "src", path), "utf8");
  return [...text.matchAll(/(?:from|import\(|new URL\()\s*"(\.[^"]+)"/g)].map(([, to = ""]) => join(dirname(path), to));
}

/** Files beside the sources. */
const isElsewhere = (path: string): boolean =>
  new Glob(`{test,bench,eval,scripts}/**/${path.split("/").at(-1)}`).scanSync(projectTop).next().done === false ||
  path.startsWith("scripts/");
