// No role prefers a program: outside of each program's own folder, nothing that agents or people read speaks of one program as if it were the only one.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfig } from "../src/settings/declarations.ts";

const top = join(import.meta.dir, "..");
const programs = /\b(claude|codex|opencode|gemini)\b/gi;

function filesBelow(directory: string, ends: RegExp): string[] {
  const all = readdirSync(join(top, directory), { recursive: true, encoding: "utf8" });
  return all.filter((name) => ends.test(name)).map((name) => join(directory, name));
}

const namedIn = (text: string): Set<string> =>
  new Set([...text.matchAll(programs)].map(([name]) => name.toLowerCase()));

/** Texts that are about one program's own way, and why no other belongs there. */
const aboutOne: Readonly<Record<string, string>> = {
  "src/protocol/refusals/house.ts": "only Codex runs commands in a sandbox that hides the daemon's socket",
  "docs/guides/what-can-go-wrong.md": "a table of faults, each as it was met",
  "docs/guides/pull-requests.md": "names the program that its tests drove",
};

const withOne = (files: readonly string[]): string[] =>
  files.filter((file) => {
    const text = readFileSync(join(top, file), "utf8");
    return aboutOne[file] === undefined && namedIn(text.replace(/^\s*\/\/.*$/gm, "")).size === 1;
  });

test("prompts name no program, and no setting chooses one", () => {
  const prompts = filesBelow("src/floor/prompts", /\.md$/);
  expect(prompts.length).toBeGreaterThan(2);
  expect(prompts.filter((file) => namedIn(readFileSync(join(top, file), "utf8")).size > 0)).toEqual([]);
  const chosen = Object.entries(defaultConfig).filter(([, value]) => namedIn(JSON.stringify(value)).size > 0);
  expect(chosen).toEqual([]);
});

test("help, refusals and settings that name a program name another too", () => {
  const files = [
    ...filesBelow("src/doors/cli/manifest", /(?<!test)\.ts$/),
    ...filesBelow("src/protocol/refusals", /(?<!test)\.ts$/),
    "src/settings/declarations.ts",
  ];
  expect(withOne(files)).toEqual([]);
});

test("a guide that names a program names another too", () => {
  const pages = [...filesBelow("docs/guides", /\.md$/), ...filesBelow("docs/concepts", /\.md$/), "README.md"];
  expect(withOne(pages)).toEqual([]);
});

test("the check itself sees a line that names one", () => {
  expect(namedIn("install claude, then Claude again").size).toBe(1);
  expect(namedIn("claude or codex").size).toBe(2);
});
