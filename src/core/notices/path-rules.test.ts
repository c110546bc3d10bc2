import { expect, test } from "bun:test";
import { claimMatcher } from "../claims/claim-paths.ts";
import { PathRules } from "./path-rules.ts";

const patterns = [
  "/src/store",
  "src/api/**",
  "src/api/*.ts",
  "*.sql",
  "docs",
  "/docs/",
  "**/x.ts",
  "src/*/deep/",
  String.raw`/app/\[id]`,
  "/",
  "**",
];
const paths = [
  "src/store/a.ts",
  "src/store",
  "src/storey.ts",
  "src/api/v1/users.ts",
  "src/api/users.ts",
  "db/one.sql",
  "docs/x.ts",
  "a/docs/b.md",
  "src/one/deep/y",
  "app/[id]/page.tsx",
  "x.ts",
];

test("keeping patterns by their beginning finds exactly what asking every pattern finds", () => {
  for (const pattern of patterns) {
    const rules = new PathRules();
    rules.add({ agent: "agent1", rule: "subscriber" }, [pattern]);
    const matches = claimMatcher([pattern]);
    for (const path of paths) {
      expect([pattern, path, rules.matching(path).length > 0]).toEqual([pattern, path, matches(path)]);
    }
  }
});
