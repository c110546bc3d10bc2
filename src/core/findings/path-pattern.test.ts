import { expect, test } from "bun:test";
import { pathPattern } from "./path-pattern.ts";

const check = (pattern: string, path: string, expected: boolean, directory = ""): void =>
  test(`${directory === "" ? "" : `in ${directory}: `}${pattern} ${expected ? "matches" : "does not match"} ${path}`, () =>
    expect(pathPattern(pattern, directory)(path)).toBe(expected));

check("*.lock", "a/b/yarn.lock", true);
check("*.lock", "yarn.lockfile", false);
check("/*.lock", "a/yarn.lock", false);
check("gen/**", "gen/a/b.ts", true);
check("gen/**", "src/gen/a.ts", false);
check("**/gen/*.ts", "src/x/gen/a.ts", true);
check("**/gen/*.ts", "gen/a.ts", true);
check("**/gen/*.ts", "gen/deep/a.ts", false);
check("src/store/", "src/store/deep/open.ts", true);
check("src/store/", "src/storey/open.ts", false);
check("api", "lib/api", true);
check("a?c.[jt]s", "x/abc.ts", true);
check("a?c.[!jt]s", "x/abc.ts", false);
check("[a-c]*.md", "big.md", true);
check("\\*.md", "*.md", true);
check("\\*.md", "x.md", false);
check("*.ts", "lib/a.ts", true, "lib");
check("*.ts", "src/a.ts", false, "lib");
check("[", "[", true);

test("a pattern made to take for ever does not", () => {
  const hostile = pathPattern(`${"*a".repeat(200)}b`);
  expect(hostile("a".repeat(4_000))).toBe(false);
  expect(pathPattern("**/".repeat(100) + "x")(`${"d/".repeat(300)}y`)).toBe(false);
});
