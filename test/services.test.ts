// A provider breaks its contract while others work on what uses it, on the real program: four repositories, an agent in each. The hooks
// are played here, as protocol/hear.ts says they behave.

import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hear, HearItem } from "../src/protocol/hear.ts";
import { until } from "./kit/home.ts";
import { WorktreesHome } from "./kit/worktrees-home.ts";

const openApi = (field: string): string => `openapi: 3.0.3
info: { title: Orders, version: "1" }
paths:
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        "200":
          description: one order
          content:
            application/json:
              schema:
                type: object
                required: [id, ${field}]
                properties: { id: { type: string }, ${field}: { type: number } }
`;

const declared = `services:
  - name: orders
    provides: [{ contract: api/openapi.yaml }]
  - name: web
    repository: web
    consumes: [{ service: orders }]
  - name: journeys
    repository: journeys
    consumes: [{ service: orders, how: tests }]
`;

class Repositories extends WorktreesHome {
  constructor() {
    super({ "services.yaml": declared, "api/openapi.yaml": openApi("total") });
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

  /** A minute later by its date, because git counts in seconds. */
  commitLater(cwd: string): void {
    const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
    const env = { ...this.env, ...who, GIT_COMMITTER_DATE: new Date(Date.now() + 60_000).toISOString() };
    expect(Bun.spawnSync(["git", "commit", "-qam", "later"], { cwd, env }).exitCode).toBe(0);
  }

  async watch(...paths: readonly string[]): Promise<void> {
    for (const cwd of paths) expect((await this.constel(["repo", "add"], { cwd })).code).toBe(0);
  }

  begin(agent: string, cwd: string): void {
    mkdirSync(join(this.home, "state/hooks"), { recursive: true });
    const line = JSON.stringify({ at: Date.now(), session: `s-${agent}`, event: "session-started", cwd });
    appendFileSync(join(this.home, "state/hooks", `${agent}.jsonl`), `${line}\n`);
  }

  tell(agent: string, items: readonly HearItem[]): void {
    const marks = join(this.home, "state/hear", `${agent}.told`);
    mkdirSync(marks, { recursive: true });
    for (const { id } of items) writeFileSync(join(marks, id), "", { flag: "wx" });
    const line = JSON.stringify({ at: Date.now(), event: "prompt-submitted", told: items.map(({ id }) => id) });
    appendFileSync(join(this.home, "state/hooks", `${agent}.jsonl`), `${line}\n`);
  }

  hear(agent: string): Hear | undefined {
    const file = join(this.home, "state/hear", agent, "next.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Hear) : undefined;
  }

  heard(agent: string, count: number): Promise<readonly HearItem[]> {
    return until(
      `${count} things lie ready for ${agent}`,
      () => this.hear(agent)?.items ?? [],
      (items) => items.length === count,
    );
  }

  async contractFindings(): Promise<string[][]> {
    const { findings } = await this.caller.call("finding.list", {});
    return findings.map(({ kind, severity, repository }) => [kind, severity, repository]).sort();
  }
}

test("services are scanned where one stands, with the line of what is wrong, and no name can draw beside the graph", async () => {
  await using at = new Repositories();
  const words = ["services", "scan"];
  const good = await at.constel(words, { cwd: join(at.repository, "api") });
  expect([good.code, good.stdout.includes("services.yaml:2")]).toEqual([0, true]);
  at.write(at.repository, { "services.yaml": `${declared}  - name: late\n    how: tests\n` });
  const wrong = await at.constel(words, { cwd: at.repository });
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toContain('services.yaml:11: "how" is not known here');
  at.write(at.repository, { "services.yaml": "services:\n  - { name: 'a\"b', consumes: ['c\\'] }\n  - name: 'c\\'\n" });
  at.git(at.repository, "commit", "-qam", "odd names");
  await at.watch(at.repository);
  const dot = await at.constel(["services", "graph", "--dot"]);
  expect(dot.stdout).toBe(String.raw`digraph services {
  "a\"b";
  "c\\";
  "a\"b" -> "c\\";
}
`);
});

test("a field renamed in a provider's uncommitted specification reaches the consumer and its tests, nobody else, and its end too", async () => {
  await using at = new Repositories();
  const web = at.another("web", { "src/cart.ts": "export const sum = (order: { total: number }) => order.total;\n" });
  const journeys = at.another("journeys", { "order.test.ts": "expect(order.total).toBe(3);\n" });
  const other = at.another("other", { "a.ts": "export const total = 1;\n" });
  await at.watch(at.repository, web, journeys, other);
  at.begin("agent1", at.a);
  at.begin("agent2", web);
  at.begin("agent3", journeys);
  at.begin("agent4", other);
  const entered = async (): Promise<number> => (await at.events("worktree.entered")).length;
  await until("all four are seen", entered, (count) => count === 4);
  expect(
    (await at.json<{ services: { name: string }[] }>(["services", "ls"])).services.map(({ name }) => name),
  ).toEqual(["journeys", "orders", "web"]);

  at.write(at.a, { "api/openapi.yaml": openApi("amount") });
  await at.touch(at.a, join(at.a, "api/openapi.yaml"));
  const [direct] = await at.heard("agent2", 1);
  expect(direct).toMatchObject({ at: ["edit", "prompt", "stop"], files: [join(web, "src/cart.ts")] });
  expect(direct?.text).toContain("web breaks");
  expect(direct?.text).toContain("src/cart.ts:1");
  const [tests] = await at.heard("agent3", 1);
  expect(tests).toMatchObject({ at: ["edit", "prompt"], files: [join(journeys, "order.test.ts")] });
  expect((await at.contractFindings()).map(([kind, severity]) => [kind, severity])).toEqual([
    ["contract", "high"],
    ["contract", "medium"],
  ]);
  const { notices } = await at.caller.call("notice.list", {});
  expect(notices.map(({ agent, severity }) => [agent, severity]).sort()).toEqual([
    ["agent2", "high"],
    ["agent3", "medium"],
  ]);

  // In the middle of typing nothing can be said, so nothing is over.
  at.write(at.a, { "api/openapi.yaml": `${openApi("amount")}\n  : [` });
  await at.touch(at.a, join(at.a, "api/openapi.yaml"));
  await until(
    "that it cannot be read is told to who asks",
    async () => (await at.caller.call("finding.list", { all: true })).findings,
    (findings) => findings.filter(({ severity }) => severity === "context").length === 2,
  );
  expect(await at.contractFindings()).toHaveLength(2);

  at.tell(
    "agent2",
    [direct].flatMap((one) => one ?? []),
  );
  await at.heard("agent2", 0);
  at.write(at.a, { "api/openapi.yaml": openApi("total") });
  await at.touch(at.a, join(at.a, "api/openapi.yaml"));
  const [end] = await at.heard("agent2", 1);
  expect(end?.text).toContain("No longer a problem");
  await at.heard("agent3", 0);
  expect(await at.contractFindings()).toEqual([]);
  expect([at.hear("agent1")?.items ?? [], at.hear("agent4")?.items ?? []]).toEqual([[], []]);
});

test("without a specification or a declaration, a route changed in code reaches whoever asks for it, and still does once it has landed", async () => {
  await using at = new Repositories();
  const server = (field: string): string => `import express from "express";
const app = express();
app.get("/invoices/:id", (req, res) => res.json({ id: req.params.id, ${field}: 3 }));
app.get("/stock", (req, res) => res.json({ left: 3 }));
`;
  const billing = at.another("billing", { "src/server.ts": server("total") });
  const web = at.another("web", {
    "src/invoice.ts":
      "export const load = async (id: string) => {\n  const invoice = await (await fetch(`${process.env.BILLING_URL}/invoices/${id}`)).json();\n  return invoice.total;\n};\n",
  });
  const warehouse = at.another("warehouse", {
    "stock.py": 'import requests\n\ndef left():\n    return requests.get("http://billing/stock").json()["left"]\n',
  });
  await at.watch(billing, web, warehouse);
  at.begin("agent1", billing);
  at.begin("agent2", web);
  at.begin("agent3", warehouse);
  const entered = async (): Promise<number> => (await at.events("worktree.entered")).length;
  await until("all three are seen", entered, (count) => count === 3);
  const graph = await at.json<{ uses: { consumer: string; operations: string[]; because: string }[] }>([
    "services",
    "ls",
  ]);
  expect(graph.uses.map(({ consumer, operations, because }) => [consumer, operations, because])).toEqual([
    ["warehouse", ["GET /stock"], "stock.py:4"],
    ["web", ["GET /invoices/{id}"], "src/invoice.ts:2"],
  ]);

  at.write(billing, { "src/server.ts": server("amount") });
  await at.touch(billing, join(billing, "src/server.ts"));
  const [told] = await at.heard("agent2", 1);
  expect(told?.text).toContain("the routes in code of billing (inferred)");
  expect(told?.text).toContain("src/invoice.ts:3");
  expect((await at.contractFindings()).map(([kind, severity]) => [kind, severity])).toEqual([["contract", "medium"]]);

  // On the branch that work lands on, later than the consumer's work began.
  at.git(billing, "commit", "-qam", "amount");
  const titles = async (): Promise<string[]> =>
    (await at.caller.call("finding.list", {})).findings.map(({ title }) => title);
  await until("it is told as landed", titles, (all) => all.length === 1 && all[0]?.includes("broke on") === true);

  at.write(web, {
    "src/invoice.ts":
      "export const load = async (id: string) => {\n  const invoice = await (await fetch(`${process.env.BILLING_URL}/invoices/${id}`)).json();\n  return invoice.amount;\n};\n",
  });
  await at.touch(web, join(web, "src/invoice.ts"));
  await until("followed, it is over", titles, (all) => all.length === 0);
  expect([at.hear("agent1")?.items ?? [], at.hear("agent3")?.items ?? []]).toEqual([[], []]);
});

test("generated code older than another repository's contract is told to who works beside it, and is over when it is made anew", async () => {
  await using at = new Repositories();
  const client = (field: string): string =>
    `// Generated from shop/api/openapi.yaml. Do not edit.\nexport interface Order { id: string; ${field}: number }\n`;
  const web = at.another("web", { "src/generated/orders.ts": client("total"), "src/cart.ts": "export {};\n" });
  const other = at.another("other", { "src/generated/orders.ts": "// Generated from users.yaml. Do not edit.\n" });
  await at.watch(at.repository, web, other);
  at.begin("agent1", at.a);
  at.begin("agent2", web);
  at.begin("agent3", other);
  const entered = async (): Promise<number> => (await at.events("worktree.entered")).length;
  await until("all three are seen", entered, (count) => count === 3);
  const stale = async (): Promise<string[]> => {
    const { findings } = await at.caller.call("finding.list", {});
    return findings.flatMap(({ kind, severity, title }) =>
      kind === "stale-types-elsewhere" ? [`${severity} ${title}`] : [],
    );
  };

  // While it is being written, a new field harms nobody; the generated code will be older than it.
  const grown = openApi("total").replace("properties: {", "properties: { note: { type: string },");
  at.write(at.a, { "api/openapi.yaml": grown });
  await at.touch(at.a, join(at.a, "api/openapi.yaml"));
  const [early] = await until("it is told", stale, (all) => all.length === 1);
  expect(early).toMatch(/^low .*from which src\/generated\/orders\.ts was generated: .*note/);

  at.write(at.repository, { "api/openapi.yaml": openApi("amount") });
  at.commitLater(at.repository);
  at.git(at.a, "checkout", "-q", "--", "api/openapi.yaml");
  await at.touch(at.a, join(at.a, "api/openapi.yaml"));
  const [landed] = await until("it is told as landed", stale, (all) => all[0]?.startsWith("medium") === true);
  expect(landed).toContain("src/generated/orders.ts is older than api/openapi.yaml of orders on main of");
  expect((await at.caller.call("notice.list", {})).notices.some(({ agent }) => agent === "agent3")).toBeFalse();

  at.write(web, { "src/generated/orders.ts": client("amount") });
  await at.touch(web, join(web, "src/generated/orders.ts"));
  await until("made anew, it is over", stale, (all) => all.length === 0);
});
