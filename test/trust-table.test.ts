// The table of ways to act as somebody else, in docs/concepts/trust.md, is the list that is tried (kit/ways-to-act.ts).

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop } from "./kit/home.ts";
import { isNotInside, ways } from "./kit/ways-to-act.ts";

test("the table in the documentation has every way that is tried, in order, and says how each ends", () => {
  const page = readFileSync(join(projectTop, "docs/concepts/trust.md"), "utf8");
  const [, section = ""] = page.split("## Ways to act as somebody else");
  const rows = section
    .split("\n## ")[0]
    ?.split("\n")
    .flatMap((line) => /^\| (\d+) \| (.*?) \| (.*?) \| (.*?) \|$/.exec(line)?.slice(1) ?? [])
    .reduce<string[][]>((found, cell, index) => {
      if (index % 4 === 0) found.push([]);
      found.at(-1)?.push(cell);
      return found;
    }, []);
  expect(rows).toEqual(
    Object.entries(ways).map(([way, { code }], index) => [
      String(index + 1),
      way,
      code.endsWith(".") || code === "" ? "refused" : `refused (\`${code}\`)`,
      isNotInside(way) ? "not there" : "refused",
    ]),
  );
  expect(rows?.length).toBeGreaterThanOrEqual(40);
});
