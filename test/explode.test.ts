// What a repository holds can neither end nor blind nor slow the looking, silently: every kind of question is made to run for ever, on the real program. What ran over is named, and
// everything else is still found.

import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatOf } from "../src/core/contracts/format-of.ts";
import { exclusions } from "../src/core/findings/exclusions.ts";
import { readDeclarations } from "../src/core/services/declared-files.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { readInterfaces } from "../src/languages/read-interfaces.ts";
import { bombs, bombsAtTop, manyStars } from "./kit/bombs.ts";
import { projectTop, until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";

const openApi = (field: string): string => `openapi: 3.0.3
info: { title: Orders, version: "1" }
paths:
  /orders:
    get:
      responses:
        "200":
          description: orders
          content: { application/json: { schema: { type: object, properties: { ${field}: { type: number } } } } }
`;

const contracts: Readonly<Record<string, (field: string) => string>> = {
  "api/openapi.yaml": openApi,
  "api/schema.graphql": (field) => `type Query { ${field}: Int }\n`,
  "api/orders.proto": (field) => `syntax = "proto3";\nmessage Order { int32 ${field} = 1; }\n`,
  "api/asyncapi.yaml": (field) =>
    `asyncapi: 2.6.0\ninfo: { title: O, version: "1" }\nchannels: { orders: { publish: { message: { payload: { type: object, properties: { ${field}: { type: number } } } } } } }\n`,
  "api/order.schema.json": (field) =>
    JSON.stringify({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { [field]: { type: "number" } },
    }),
};

const sources: Readonly<Record<string, (name: string) => string>> = {
  "src/bad.ts": (name) => `export function ${name}(): number { return 1; }\n`,
  "src/bad.js": (name) => `export function ${name}() { return 1; }\n`,
  "src/bad.py": (name) => `def ${name}():\n    return 1\n`,
  "src/bad.go": (name) => `package src\n\nfunc ${name}() int { return 1 }\n`,
  "src/Bad.java": (name) => `class Bad { static int ${name}() { return 1; } }\n`,
  "src/bad.rs": (name) => `pub fn ${name}() -> i32 { 1 }\n`,
};

const filesOf = (all: Readonly<Record<string, (word: string) => string>>, word: string): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([path, write]) => [path, write(word)]));

/** One second of processor time for a question, and compilers left out: they have limits of their own. */
const config = `[sense]\nhold_seconds = 1\n\n[compilers]\noff = ["go", "java", "python", "rust"]\n`;

const declared = `services:
  - name: orders
    provides: [{ contract: api/openapi.yaml }]
  - name: web
    repository: web
    consumes: [{ service: orders }]
`;

class Exploding extends WorktreesHome {
  readonly endless: string;

  constructor(endless: readonly string[], files: Readonly<Record<string, string>> = {}) {
    super({ "x.txt": text(), ...files });
    this.endless = endless.join(",");
    mkdirSync(this.home, { mode: 0o700 });
    writeFileSync(join(this.home, "config.toml"), config);
  }

  override get env(): Record<string, string> {
    return { ...super.env, ...(this.endless === undefined ? {} : { CONSTEL_ENDLESS: this.endless }) };
  }

  another(name: string, files: Readonly<Record<string, string>>): string {
    const path = join(realpathSync(this.top), name);
    mkdirSync(path);
    this.git(path, "init", "-q", "-b", "main");
    this.write(path, files);
    this.git(path, "add", "-A");
    this.git(path, "commit", "-qm", name);
    return path;
  }

  async watch(...paths: readonly string[]): Promise<void> {
    for (const cwd of paths) expect((await this.constel(["repo", "add"], { cwd })).code).toBe(0);
  }

  async unchecked(): Promise<string[]> {
    const { sensing } = await this.caller.call("daemon.status", {});
    return (sensing?.unchecked ?? []).map(({ kind, name }) => `${kind} ${name}`).sort();
  }

  commit(cwd: string, files: Readonly<Record<string, string>>): void {
    this.write(cwd, files);
    this.git(cwd, "add", "-A");
    this.git(cwd, "commit", "-qm", "work");
  }
}

const overTime = "it took more than 1 s of processor time";

test("a contract whose comparison never ends is named as not checked; other pairs, other repositories and the stop go on", async () => {
  await using at = new Exploding(["contract api/openapi.yaml"], {
    "services.yaml": declared,
    ...filesOf(contracts, "total"),
  });
  const web = at.another("web", { "cart.ts": "export const sum = (order: { total: number }) => order.total;\n" });
  const other = at.another("other", { "x.txt": text() });
  const [one, two] = ["one", "two"].map((name) => {
    const path = join(realpathSync(at.top), `other-${name}`);
    at.git(other, "worktree", "add", "-q", "-b", `other-${name}`, path);
    return path;
  }) as [string, string];
  const c = at.worktree("c");
  await at.watch(at.repository, web, other);
  at.write(web, { "cart.ts": "export const sum = (order: { total: number }) => order.total + 1;\n" });
  at.write(at.a, { "api/openapi.yaml": openApi("amount") });
  await until(
    "the contract is named",
    () => at.unchecked(),
    (names) => names.length > 0,
  );
  expect(await at.unchecked()).toEqual(["contract api/openapi.yaml"]);

  // Now something collides in another pair of the same repository, and in another repository.
  at.write(at.b, { "x.txt": text({ 5: "ours" }) });
  at.write(c, { "x.txt": text({ 5: "theirs" }) });
  at.write(one, { "x.txt": text({ 7: "ours" }) });
  at.write(two, { "x.txt": text({ 7: "theirs" }) });
  const repositories = async (): Promise<number> =>
    new Set((await at.caller.call("finding.list", {})).findings.map(({ repository }) => repository)).size;
  await until("both are found", repositories, (count) => count >= 2);

  const status = await at.constel(["status"]);
  expect(status.stdout).toContain("api/openapi.yaml");
  expect(status.stdout).toContain("is not checked");
  const doctor = await at.constel(["doctor"]);
  expect(doctor.stdout).toContain(`api/openapi.yaml in app is not checked: ${overTime}`);
  expect(doctor.code).not.toBe(0);
  expect(await at.events("repository.unchecked")).toHaveLength(1);
  expect((await at.constel(["daemon", "stop"])).stdout).toBe("Stopped.\n");
});

/** Small to write, and larger than anything when it is unfolded. */
const unfolding = (type: string): string => {
  const schemas = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `S${at}`,
      {
        anyOf: Array.from({ length: 40 }, (_, part) => ({
          properties: { [`p${part}`]: { $ref: `#/components/schemas/S${at + 1}` } },
        })),
      },
    ]),
  );
  const content = { "application/json": { schema: { $ref: "#/components/schemas/S0" } } };
  return JSON.stringify({
    openapi: "3.0.3",
    info: { title: "O", version: "1" },
    paths: { "/o": { get: { responses: { 200: { description: "x", content } } } } },
    components: { schemas: { ...schemas, S20: { type } } },
  });
};

test("a contract that was compared in part only is named by status and doctor while it is so, and again by the next daemon", async () => {
  await using at = new Exploding([], { "services.yaml": declared, "api/openapi.yaml": unfolding("string") });
  const web = at.another("web", { "cart.ts": "export const sum = 1;\n" });
  await at.watch(at.repository, web);
  at.write(at.a, { "api/openapi.yaml": unfolding("integer") });
  const isNamed = (names: string[]): boolean => names.length > 0;
  await until("it is named", () => at.unchecked(), isNamed);
  const said = "api/openapi.yaml in app is not checked: compared in part only: GET /o response 200 body";
  expect((await at.constel(["status"])).stdout).toContain(said);
  const doctor = await at.constel(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(said) as unknown as string]);
  expect(await at.events("repository.unchecked")).toHaveLength(1);

  await at.constel(["daemon", "stop"]);
  await at.constel(["daemon", "start"]);
  await until("the next daemon names it", () => at.unchecked(), isNamed);

  at.write(at.a, { "api/openapi.yaml": "openapi: 3.0.3\ninfo: [" });
  await until(
    "it is only being written",
    () => at.unchecked(),
    (names) => !isNamed(names),
  );
  at.write(at.a, { "api/openapi.yaml": unfolding("string") });
  await until(
    "it is as it was",
    () => at.unchecked(),
    (names) => !isNamed(names),
  );
}, 300_000);

test("a file of any language that is never read to its end is named in check and try, and the rest is compared", async () => {
  const paths = Object.keys(sources);
  await using at = new Exploding(paths);
  const good = (path: string): string => path.replace(/bad/i, "Good");
  const others = Object.fromEntries(paths.map((path) => [good(path), sources[path]?.("good") ?? ""]));
  at.commit(at.a, { ...filesOf(sources, "bad"), "x.txt": text({ 5: "ours" }) });
  at.commit(at.b, { ...others, "x.txt": text({ 5: "theirs" }) });
  for (const words of [["check", "b"], ["try"]]) {
    const ran = await at.constel([...words, "--json"], { cwd: at.a });
    const { verdict, ...look } = JSON.parse(ran.stdout) as {
      verdict?: { complete: boolean; open: { why: string }[]; findings: unknown[] };
      complete: boolean;
      open: { why: string }[];
      pairs: unknown[];
    };
    const { complete, open } = verdict ?? look;
    expect([words, complete, (verdict?.findings ?? look.pairs).length > 0]).toEqual([words, false, true]);
    for (const path of paths) {
      const said = open.some(({ why }) => why.startsWith(`${path} was not checked: ${overTime}`));
      expect([path, said]).toEqual([path, true]);
    }
  }
}, 300_000);

test("a comparison that never ends is named in check, and what nobody could compare is not called complete", async () => {
  await using at = new Exploding(["a and b"]);
  at.commit(at.a, { "x.txt": text({ 5: "ours" }) });
  at.commit(at.b, { "x.txt": text({ 5: "theirs" }) });
  const ran = await at.constel(["check", "a", "b", "--json"], { cwd: at.repository });
  const { verdict } = JSON.parse(ran.stdout) as { verdict: { complete: boolean; open: { why: string }[] } };
  expect([verdict.complete, verdict.open.map(({ why }) => why)]).toEqual([false, [`not compared: ${overTime}`]]);
  expect(ran.code).not.toBe(0);
});

test.each(Object.keys(contracts))("contract diff of %s ends, and says that it was not compared", async (path) => {
  await using at = new Exploding([`${path}`, "new"], filesOf(contracts, "total"));
  const ran = await at.constel(["contract", "diff", `HEAD:${path}`, path], { cwd: at.repository });
  expect(ran.stderr).toContain(`${path} was not compared: ${overTime}`);
  expect(ran.code).not.toBe(0);
});

test("files that declare services are read apart from whoever asks, and named when that never ends", async () => {
  await using at = new Exploding(["services.yaml", "catalog-info.yaml", "docker-compose.yml"], {
    "services.yaml": declared,
    "catalog-info.yaml": "kind: Component\nmetadata: { name: orders }\n",
    "docker-compose.yml": "services: { orders: { image: orders } }\n",
  });
  const ran = await at.constel(["services", "scan"], { cwd: at.repository });
  for (const path of ["services.yaml", "catalog-info.yaml", "docker-compose.yml"])
    expect(ran.stdout).toContain(`${path}: was not read: ${overTime}`);
  expect(ran.code).not.toBe(0);
});

/** The process that reads for a command, and how long it has worked. */
function workedBy(pid: number): number {
  const used = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "latin1").split(" ").filter(Boolean),
  );
  return Math.max(0, ...used.map((child) => Number(readFileSync(`/proc/${child}/stat`, "latin1").split(" ")[13])));
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends check, try and contract diff in the middle of an endless question",
  async (signal) => {
    await using at = new Exploding(["a and b", "api/openapi.yaml"], { "api/openapi.yaml": openApi("total") });
    writeFileSync(join(at.home, "config.toml"), config.replace("hold_seconds = 1", "hold_seconds = 3600"));
    at.commit(at.a, { "x.txt": text({ 5: "ours" }) });
    at.commit(at.b, { "x.txt": text({ 5: "theirs" }) });
    for (const words of [
      ["check", "a", "b"],
      ["try"],
      ["contract", "diff", "HEAD:api/openapi.yaml", "api/openapi.yaml"],
    ]) {
      const child = Bun.spawn([join(projectTop, "bin/constel"), ...words], {
        cwd: at.repository,
        env: at.env,
        stdout: "ignore",
        stderr: "pipe",
      });
      await until(
        `${words[0]} reads`,
        () => workedBy(child.pid),
        (ticks) => ticks > 100,
      );
      child.kill(signal);
      expect(await new Response(child.stderr).text()).toContain("interrupted");
      expect(await child.exited).not.toBe(0);
    }
  },
  300_000,
);

test("every reader comes back from files made to explode, and says of what it cannot read why", async () => {
  const languages = openLanguages();
  const files = { ...bombs("ours"), ...bombsAtTop() };
  const unread: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const why = await languages.of(path)?.unreadable(path, path, async () => text);
    if (why !== undefined) unread.push(path.slice("ours/".length));
    await readInterfaces(path, text);
    await formatOf({ entry: path, read: async (one) => (one === path ? text : undefined) });
  }
  languages.close();
  expect(unread).toEqual(expect.arrayContaining(["src/deep.ts", "src/arrows.ts", "src/types.ts", "src/deep.py"]));
  expect(unread).toEqual(expect.arrayContaining(["src/deep.go", "src/Deep.java", "src/deep.rs"]));
  const { problems } = readDeclarations(Object.entries(files).map(([path, text]) => ({ path, text })));
  expect(problems.map(({ path }) => path)).toContain("ours/sub/catalog-info.yaml");
  const attributes = { directory: "", text: files[".gitattributes"] ?? "" };
  const excluded = exclusions([attributes], { exclude: manyStars, include: manyStars });
  expect(excluded(`${"a/".repeat(60)}b.ts`)).toBeUndefined();
}, 300_000);
