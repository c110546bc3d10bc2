// The same thing written twice in Go, Java and Rust, and what only looks like it.

import { expect, test } from "bun:test";
import { openLanguages } from "../../../languages/open-languages.ts";
import type { Files } from "../../../languages/python/rules/scenario.suite.ts";
import { inputOf } from "../../../languages/python/rules/scenario.suite.ts";
import { reviewDuplicateWork } from "./duplicate-work.ts";
import { sideChanges } from "../scene.ts";

const languages = openLanguages();

/** Each side adds its files; the names that both are said to write. */
async function check(base: Files, ours: Files, theirs: Files, expected: readonly string[]): Promise<void> {
  const input = inputOf({ base, ours, theirs });
  const added = (files: Files, side: typeof input.ours) =>
    sideChanges(
      Object.keys(files).map((path) => ({
        path,
        change: "added" as const,
        from: undefined,
        before: undefined,
        after: { mode: "100644", blob: side.blobs.get(path) ?? "" },
      })),
    );
  const findings = await reviewDuplicateWork({
    ours: added(ours, input.ours),
    theirs: added(theirs, input.theirs),
    conflicts: [],
    conflicted: new Set(),
    driven: new Map<string, string>(),
    excluded: () => undefined,
    read: input.read,
    tree: async (which) => input[which],
    signal: undefined,
    broken: [],
    languages,
  });
  expect(findings.flatMap(({ symbols }) => symbols)).toEqual([...expected]);
}

const go = {
  "go.mod": "module example.org/m\n",
  "app/app.go": "package app\n\nfunc NormalizeSlug(s string) string { return s }\n",
};
const goFile = (name: string, body: string): string => `package ${name}\n\n${body}\n`;

test("Go: one exported function in two packages of a module", async () => {
  const one = { "text/title.go": goFile("text", "func CleanTitle(s string) string { return s }") };
  const two = (body: string, path = "names/names.go", name = "names"): Files => ({ [path]: goFile(name, body) });
  await check(go, one, two('func CleanTitle(title string) string { return "<" + title }'), ["CleanTitle"]);
  // Other parameters, what every package has, a program, a test, what the module calls so already, and one package twice.
  await check(go, one, two("func CleanTitle(s string, max int) string { return s }"), []);
  const made = { "text/client.go": goFile("text", "func NewClient(s string) string { return s }") };
  await check(go, made, two("func NewClient(s string) string { return s }"), []);
  await check(go, one, two("func CleanTitle(s string) string { return s }", "cmd/x/clean.go", "main"), []);
  await check(go, one, two("func CleanTitle(s string) string { return s }", "names/names_test.go"), []);
  await check(
    go,
    { "text/slug.go": goFile("text", "func NormalizeSlug(s string) string { return s }") },
    two("func NormalizeSlug(t string) string { return t }"),
    [],
  );
  await check(go, one, two("func CleanTitle(s string) string { return s }", "text/other.go", "text"), []);
});

test("Go: a type counts when it holds much the same", async () => {
  const type = (fields: string): string => `type RetryPolicy struct {\n${fields}\n}`;
  const one = { "net/retry.go": goFile("net", type("\tMax int\n\tWait int")) };
  const two = (fields: string): Files => ({ "jobs/policy.go": goFile("jobs", type(fields)) });
  await check(go, one, two("\tMax int\n\tWait int\n\tJitter bool"), ["RetryPolicy"]);
  await check(go, one, two("\tName string\n\tMax int\n\tOwner string"), []);
});

test("Rust: one public function or type in two modules of a crate", async () => {
  const base = { "Cargo.toml": '[package]\nname = "p"\n', "src/lib.rs": "pub mod a;\n" };
  const one = { "src/titles.rs": "pub fn clean_title(s: &str) -> String {\n    s.to_string()\n}\n" };
  await check(base, one, { "src/names.rs": "pub fn clean_title(t: &str) -> String {\n    t.trim().into()\n}\n" }, [
    "clean_title",
  ]);
  await check(base, one, { "src/names.rs": "fn clean_title(t: &str) -> String {\n    t.into()\n}\n" }, []);
  await check(base, one, { "src/names.rs": "pub(crate) fn clean_title(t: &str) -> String {\n    t.into()\n}\n" }, []);
  const inTests =
    "#[cfg(test)]\nmod tests {\n    pub fn clean_title(t: &str) -> String {\n        t.into()\n    }\n}\n";
  await check(base, one, { "src/names.rs": inTests }, []);
  await check(base, one, { "tests/names.rs": "pub fn clean_title(t: &str) -> String {\n    t.into()\n}\n" }, []);
});

test("Java: one public class in two packages, much the same and not", async () => {
  const base = { "pom.xml": "<project/>\n", "src/main/java/p/App.java": "package p;\n\npublic class App {}\n" };
  const steps = Array.from({ length: 20 }, (_, at) => `    total += ${at} * factor;`).join("\n");
  const java = (name: string, rest: string): string =>
    `package ${name};\n\npublic class RetryPolicy {\n  public int max;\n  public int waits(int factor) {\n    int total = 0;\n${rest}\n    return total;\n  }\n}\n`;
  const one = { "src/main/java/p/net/RetryPolicy.java": java("p.net", steps) };
  const path = "src/main/java/p/jobs/RetryPolicy.java";
  await check(base, one, { [path]: java("p.jobs", `${steps}\n    total += 7;`) }, ["RetryPolicy"]);
  await check(base, one, { [path]: java("p.jobs", "    total = factor;") }, []);
  await check(base, one, { "src/test/java/p/jobs/RetryPolicy.java": java("p.jobs", steps) }, []);
});
