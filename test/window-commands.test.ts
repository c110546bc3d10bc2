// The window shows the command that says the same beside each verb, and the command that would fill what is empty: every one of them exists.

import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandsFor, firstWords } from "../src/doors/cli/manifest/all.ts";

const web = join(import.meta.dir, "..", "web", "src");

test("every command that the window names is one", async () => {
  const names = new Set(
    (await Promise.all(firstWords.map((word) => commandsFor(word)))).flat().map(({ name }) => name),
  );
  const isCommand = (words: readonly string[]): boolean =>
    words.some((_, at) => names.has(words.slice(0, words.length - at).join(" ")));
  const shown = [...new Glob("**/*.{ts,svelte}").scanSync(web)].flatMap((path) =>
    [...readFileSync(join(web, path), "utf8").matchAll(/[`"']constel ((?:[a-z][a-z-]*(?: |\b(?![\w-])))+)/g)].map(
      ([, words = ""]) => ({
        path,
        words: words.trim().split(" "),
      }),
    ),
  );
  expect(shown.length).toBeGreaterThan(40);
  expect(
    shown.filter(({ words }) => !isCommand(words)).map(({ path, words }) => `${path}: constel ${words.join(" ")}`),
  ).toEqual([]);
});
