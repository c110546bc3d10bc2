// `constel contract`: two versions of a specification, from files and from revisions, and what each commit did to one.

import { expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TestHome } from "./kit/home.ts";

interface Diff {
  verdict: string;
  complete: boolean;
  format: string;
  changes: {
    rule: string;
    verdict: string;
    path: string;
    direction: string | null;
    before: string | null;
    after: string | null;
    text: string;
  }[];
}

const openapi = (more = ""): string => `openapi: 3.0.3
info: { title: Orders, version: "1" }
paths:
  /orders:
    get:
      responses:
        "200":
          description: orders
          content:
            application/json:
              schema: { $ref: "./order.yaml" }
${more}`;
const order = (field: string): string => `type: object
required: [id, ${field}]
properties:
  id: { type: string }
  ${field}: { type: number }
`;

function repository(at: TestHome): { top: string; git: (...words: string[]) => void } {
  const top = join(at.top, "shop");
  mkdirSync(join(top, "api"), { recursive: true });
  const git = (...words: string[]): void => {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const ran = Bun.spawnSync(["git", ...identity, ...words], { cwd: top, stderr: "pipe" });
    if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  };
  git("init", "-q", "-b", "main");
  writeFileSync(join(top, "api/openapi.yaml"), openapi());
  writeFileSync(join(top, "api/order.yaml"), order("total"));
  git("add", "-A");
  git("commit", "-qm", "first");
  return { top, git };
}

test("a response field renamed in an uncommitted file that the specification refers to is breaking, with the rule and the place", async () => {
  await using at = new TestHome();
  const { top } = repository(at);
  writeFileSync(join(top, "api/order.yaml"), order("amount"));
  const words = ["contract", "diff", "main:api/openapi.yaml", "api/openapi.yaml"];
  const ran = await at.constel([...words, "--json"], { cwd: top });
  const diff = JSON.parse(ran.stdout) as Diff;
  expect([ran.code, diff.verdict, diff.format, diff.complete]).toEqual([1, "breaking", "openapi", true]);
  const broken = diff.changes.filter(({ verdict }) => verdict === "breaking");
  expect(broken.some(({ path, direction }) => path.includes("/orders") && direction === "response")).toBe(true);
  expect(broken.every(({ rule, text }) => rule !== "" && text !== "")).toBe(true);
  const text = await at.constel(words, { cwd: top });
  expect(text.stdout).toContain("openapi: breaking");
  // From below the top, by a path that begins with a dot, as git has it.
  const below = await at.constel(["contract", "diff", "main:./openapi.yaml", "openapi.yaml", "--json"], {
    cwd: join(top, "api"),
  });
  expect((JSON.parse(below.stdout) as Diff).verdict).toBe("breaking");
});

test("the same is no change, and a new path is compatible", async () => {
  await using at = new TestHome();
  const { top } = repository(at);
  const words = ["contract", "diff", "main:api/openapi.yaml", "api/openapi.yaml", "--json"];
  const same = await at.constel(words, { cwd: top });
  expect([same.code, (JSON.parse(same.stdout) as Diff).changes]).toEqual([0, []]);
  writeFileSync(
    join(top, "api/openapi.yaml"),
    openapi("  /health:\n    get: { responses: { '204': { description: well } } }\n"),
  );
  const more = await at.constel(words, { cwd: top });
  expect([more.code, (JSON.parse(more.stdout) as Diff).verdict]).toEqual([0, "compatible"]);
});

test("dangerous exits 0, and 1 when it is asked for", async () => {
  await using at = new TestHome();
  const [old, now] = [join(at.top, "old.graphql"), join(at.top, "new.graphql")];
  writeFileSync(old, "enum Colour { RED }\ntype Query { colour: Colour }\n");
  writeFileSync(now, "enum Colour { RED GREEN }\ntype Query { colour: Colour }\n");
  const ran = await at.constel(["contract", "diff", old, now, "--json"]);
  expect([ran.code, (JSON.parse(ran.stdout) as Diff).verdict]).toEqual([0, "dangerous"]);
  expect((await at.constel(["contract", "diff", old, now, "--dangerous"])).code).toBe(1);
});

test("no change exits 5 where something could not be read: it says little then", async () => {
  await using at = new TestHome();
  const file = join(at.top, "openapi.yaml");
  writeFileSync(file, openapi().replace("./order.yaml", "https://example.org/order.yaml"));
  const ran = await at.constel(["contract", "diff", file, file]);
  expect(ran.code).toBe(5);
  expect(ran.stdout).toContain("Not everything could be read");
});

test("two whole directories are compared from anywhere: worktrees, and directories that are in no repository", async () => {
  await using at = new TestHome();
  const { top, git } = repository(at);
  const routes = (path: string): string =>
    `import { Hono } from "hono";\nconst app = new Hono();\napp.get("${path}", (c) => c.json({}));\nexport default app;\n`;
  writeFileSync(join(top, "app.ts"), routes("/orders"));
  git("add", "-A");
  git("commit", "-qm", "routes");
  git("worktree", "add", "-q", join(at.top, "work"));
  const plain = join(at.top, "plain");
  mkdirSync(plain);
  for (const directory of [join(at.top, "work"), plain]) {
    writeFileSync(join(directory, "app.ts"), routes("/order"));
    const ran = await at.constel(["contract", "diff", top, directory, "--json"]);
    const { verdict, format } = JSON.parse(ran.stdout) as Diff;
    expect({ directory, code: ran.code, verdict, format }).toEqual({
      directory,
      code: 1,
      verdict: "breaking",
      format: "inferred",
    });
  }
});

test("what cannot be compared is said with what to do, and is never no change", async () => {
  await using at = new TestHome();
  const { top } = repository(at);
  const code = async (...sides: string[]): Promise<[number, string]> => {
    const ran = await at.constel(["contract", "diff", ...sides, "--json"], { cwd: top });
    return [ran.code, (JSON.parse(ran.stderr) as { error: { code: string } }).error.code];
  };
  expect(await code("nowhere.yaml", "api/openapi.yaml")).toEqual([3, "contract.missing"]);
  expect(await code("main:nowhere.yaml", "api/openapi.yaml")).toEqual([3, "contract.missing"]);
  expect(await code("nobranch:api/openapi.yaml", "api/openapi.yaml")).toEqual([3, "contract.missing"]);
  writeFileSync(join(top, "notes.txt"), "words");
  expect(await code("notes.txt", "notes.txt")).toEqual([3, "contract.unknown-format"]);
  writeFileSync(join(top, "api/openapi.yaml"), "openapi: 3.0.3\npaths:\n  /a: [\n");
  expect(await code("main:api/openapi.yaml", "api/openapi.yaml")).toEqual([3, "contract.unreadable"]);
  truncateSync(join(top, "api/openapi.yaml"), 33 * 1024 * 1024);
  expect(await code("main:api/openapi.yaml", "api/openapi.yaml")).toEqual([3, "contract.unreadable"]);
});

test("a repository's specifications are listed, and each commit's effect on one is told", async () => {
  await using at = new TestHome();
  const { top, git } = repository(at);
  writeFileSync(join(top, "api/shop.proto"), 'syntax = "proto3";\nmessage Order { string id = 1; }\n');
  git("add", "-A");
  git("commit", "-qm", "a message");
  writeFileSync(join(top, "api/shop.proto"), 'syntax = "proto3";\nmessage Order { int32 id = 1; }\n');
  git("commit", "-qam", "another type");
  const listed = await at.json<{ contracts: { path: string; format: string }[] }>(["contract", "ls"], { cwd: top });
  expect(listed.contracts).toContainEqual({ path: "api/openapi.yaml", format: "openapi" });
  expect(listed.contracts).toContainEqual({ path: "api/shop.proto", format: "protobuf" });
  const told = { cwd: top };
  const versions = async () =>
    (
      await at.json<{ versions: { subject: string; verdict: string | null }[] }>(
        ["contract", "history", "api/shop.proto"],
        told,
      )
    ).versions;
  const history = await versions();
  expect(history.map(({ subject, verdict }) => [subject, verdict])).toEqual([
    ["another type", "breaking"],
    ["a message", null],
  ]);
  // A commit is judged beside its own parent, whatever another branch did meanwhile.
  git("checkout", "-q", "-b", "side", "HEAD~1");
  writeFileSync(join(top, "api/shop.proto"), '// Orders.\nsyntax = "proto3";\nmessage Order { string id = 1; }\n');
  git("commit", "-qam", "a comment");
  git("merge", "-q", "-m", "both", "main");
  expect(await versions()).toContainEqual(expect.objectContaining({ subject: "a comment", verdict: "compatible" }));
});
