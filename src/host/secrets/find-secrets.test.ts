import { expect, test } from "bun:test";
import { withoutSecrets } from "../../ports/secrets.ts";
import { findSecrets } from "./find-secrets.ts";
import { scanForAll, scanText } from "./shapes.ts";

// Put together at run time: a scanner of this repository should find no key in it.
const random = ["Zx81", "QpLm", "77tY", "vB2n", "K0sD", "9fGh", "J3wE", "Qq7r", "Tt5u"].join("");

test("a key is told by kind and place, and hidden without the words around it", async () => {
  const text = `use ghp_${random} and go on`;
  const found = await findSecrets(text);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([`ghp_${random}`]);
  expect(found[0]?.kind).toContain("github");
  expect(withoutSecrets(text, found)).toBe("use *** and go on");
});

test("where all are to be hidden, those of both are, also where one holds another", async () => {
  const text = `use ghp_${random} and pass${"word: "}hunter22 or pg://me:${random}@h`;
  expect(withoutSecrets(text, await scanForAll(text))).toBe("use *** and password: *** or ***");
});

test("plain words hold none", async () => {
  expect(await findSecrets("constel task create 'add a password reset flow'")).toEqual([]);
});

test("a megabyte that is one word is looked through in one go", async () => {
  for (const character of ["A", "0", "_", "<"]) expect(await scanText(character.repeat(1024 * 1024))).toEqual([]);
  const text = `${"A".repeat(1024 * 1024)} ghp_${random}`;
  expect((await scanText(text)).map(({ start }) => start)).toEqual([1024 * 1024 + 1]);
});
