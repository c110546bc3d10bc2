import { describe, expect, test } from "bun:test";
import { claimMatcher, meet, patternOf } from "./claim-paths.ts";

describe("the words of a claim", () => {
  const check = (word: string, cwd: string, isThere: boolean, expected: string | undefined): void =>
    expect(patternOf({ word, isThere }, cwd, "/r")).toBe(expected);

  test("a path is meant from where it was said", () => {
    check("src/store", "/r", true, "/src/store");
    check("store/", "/r/src", true, "/src/store");
    check("../b.ts", "/r/src", false, "/b.ts");
    check("/r/src/b.ts", "/elsewhere", true, "/src/b.ts");
    check(".", "/r", true, "**");
  });
  test("a pattern without a slash is meant anywhere below", () => {
    check("*.sql", "/r", false, "*.sql");
    check("*.sql", "/r/db", false, "/db/**/*.sql");
    check("db/*.sql", "/r", false, "/db/*.sql");
    check("./*.sql", "/r", false, "*.sql");
  });
  test("a name that is there is a name, whatever is in it", () => {
    check("app/[id]/page.tsx", "/r", true, String.raw`/app/\[id]/page.tsx`);
    check("*.sql", "/r/[id]", false, String.raw`/\[id]/**/*.sql`);
  });
  test("nothing leads out of the worktree", () => {
    check("../x", "/r", true, undefined);
    check("/etc", "/r", true, undefined);
    check("/r-other/x", "/r", true, undefined);
    check("../*.sql", "/r", false, undefined);
  });
});

test("a directory stands for all that is in it, and a name for nothing beside it", () => {
  const isClaimed = claimMatcher(["/src/store", String.raw`/app/\[id]`, "*.sql"]);
  const paths = [
    "src/store/deep/a.ts",
    "src/store",
    "app/[id]/page.tsx",
    "db/x.sql",
    "src/storey.ts",
    "app/i/page.tsx",
  ];
  expect(paths.map(isClaimed)).toEqual([true, true, true, true, false, false]);
});

test("claims meet where one covers the other", () => {
  expect(meet(["/src/store"], ["/src"])).toBe(true);
  expect(meet(["/src/store"], ["/src/web"])).toBe(false);
  expect(meet(["*.sql"], ["/db/one.sql"])).toBe(true);
});
