// The daemon answers on one thread. A question that reads as many rows for each row of another table as there are in a third is
// quick in every small trial, and holds everybody up where there are two hundred worktrees. SQLite chooses without statistics, so its plan
// for a statement is the same in an empty database: none may look through a table again and again.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { sqliteScene } from "../../test/kit/databases.ts";
import { liveNotices, liveTellings } from "../core/notices/notices.sql.ts";
import { reviewNotices } from "../core/notices/review-notices.ts";
import { readScene } from "../core/notices/scene.ts";
import { FakeClock, seededRandom } from "../ports/fake-clock.ts";
import { checkedInput } from "../protocol/checked-input.ts";
import { Refusal } from "../protocol/errors.ts";
import { operations } from "../protocol/operations/all.ts";
import { openStore, type Store } from "../store/open.ts";
import { publicViews } from "../store/views.ts";
import { readOperations } from "./read-operations.ts";

/** Columns with a few values each: an index that is entered by nothing else leads to a great part of the table. */
const coarse = new Set(["constellation", "repository", "state", "kind", "severity", "wanted", "ended_ms"]);
/** Tables with a row for each repository, agent or thing that the owner wrote or is told of: they do not grow with the work. */
const small = new Set(["repositories", "agents", "schedules", "clones", "subscriptions", "chain_heads", "owner_needs"]);

let scene: Awaited<ReturnType<typeof sqliteScene>>;
let store: Store;
beforeAll(async () => {
  scene = await sqliteScene("migrated");
  const { url, backupDirectory } = scene;
  store = await openStore({
    url,
    backupDirectory,
    clock: new FakeClock(),
    random: seededRandom(3),
    constellation: "constel0",
  });
});
afterAll(async () => {
  await store.close();
  await scene.end();
});

interface PlanRow {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

function planOf(statement: string): PlanRow[] {
  const database = new Database(scene.path, { readonly: true });
  try {
    return database.query<PlanRow, []>(`explain query plan ${statement}`).all();
  } finally {
    database.close();
  }
}

/** The steps of a plan that are done anew for each row of something else and read through a table that grows. */
function repeatedReads(statement: string): string[] {
  const rows = planOf(statement);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isRepeated = ({ parent }: PlanRow): boolean => {
    const above = byId.get(parent);
    return above !== undefined && (above.detail.startsWith("CORRELATED") || isRepeated(above));
  };
  const tables = tablesIn(statement);
  return rows.filter((row) => isRepeated(row) && readsThrough(row.detail, tables)).map(({ detail }) => detail);
}

/** The table behind each name that a statement, or the views in it, give one. */
function tablesIn(statement: string): Map<string, string> {
  const views = publicViews.filter(({ name }) => statement.includes(name));
  const texts = [statement, ...views.map(({ sql }) => (typeof sql === "string" ? sql : sql.sqlite))];
  const names = texts.flatMap((text) => [...text.matchAll(/(?:from|join) "?(\w+)"?(?: (?:as )?"?(\w+)"?)?/g)]);
  return new Map(names.map(([, table = "", alias = table]) => [alias, table]));
}

function readsThrough(detail: string, tables: ReadonlyMap<string, string>): boolean {
  const [, how, name = ""] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
  if (how === undefined || small.has(tables.get(name) ?? name)) return false;
  if (how === "SCAN") return tables.has(name);
  const columns = [...(/\((.*)\)/.exec(detail)?.[1]?.matchAll(/(\w+)[=<>]/g) ?? [])].map(([, column = ""]) => column);
  return columns.every((column) => coarse.has(column));
}

/** Tables in which things stay that are over: what is asked of them at every turn must not grow with their past. */
const history = new Set([
  "findings",
  "messages",
  "token_usage",
  "events",
  "task_events",
  "dispatches",
  "harvests",
  "sessions",
  "agent_notices",
  "tellings",
  "deliveries",
  "published",
  "gate_runs",
  "git_operations",
  "ticks",
]);
const saysNothing = new Set(["constellation", "repository"]);

/** The steps of a plan that read all there ever was, in a statement that does not say how many rows are enough. */
function readsOfAllThereWas(statement: string): string[] {
  // The landings of a year are read in a few milliseconds; where the time of tasks went is a question about all of them.
  if (/ limit |"gate_outcome" is not null|task_phases/i.test(statement)) return [];
  const tables = tablesIn(statement);
  return planOf(statement)
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, how, name = ""] = /^(SCAN|SEARCH) (\w+)/.exec(detail) ?? [];
      if (how === undefined || !history.has(tables.get(name) ?? name)) return false;
      const columns = [...(/\((.*)\)/.exec(detail)?.[1]?.matchAll(/(\w+)[=<>]/g) ?? [])].map(
        ([, column = ""]) => column,
      );
      // An index that holds only what is open has an end, and a hundred thousand entries of one are counted in 3 ms.
      const isShort = detail.includes("findings_open") || detail.includes("COVERING INDEX");
      return columns.every((column) => saysNothing.has(column)) && !isShort;
    });
}

test("a look through all there ever was is seen", () => {
  expect(readsOfAllThereWas("select * from messages where constellation = 'c' order by sent_ms")).toHaveLength(1);
  expect(readsOfAllThereWas("select * from messages where constellation = 'c' order by sent_ms limit 3")).toEqual([]);
  expect(readsOfAllThereWas("select * from findings where constellation = 'c' and state = 'open'")).toEqual([]);
});

test("a look through a table for each row of another is seen", () => {
  const each = (condition: string): string[] =>
    repeatedReads(`select (select count(*) from findings f where ${condition}) as n from worktrees w`);
  expect(each("f.constellation = w.constellation and f.state = 'open' and f.severity = 'high'")).toHaveLength(1);
  expect(each("f.title = w.path")).toEqual(["SCAN f"]);
  expect(each("f.ours_worktree = w.path and f.state = 'open'")).toEqual([]);
  expect(repeatedReads("select * from findings where title = 'x'")).toEqual([]);
});

test.each(publicViews.map(({ name }) => name))("the view %s looks through no table again and again", (name) => {
  expect(repeatedReads(`select * from ${name}`)).toEqual([]);
});

/** Questions about one thing that must be there. */
const inputs: Readonly<Record<string, object>> = {
  "finding.show": { id: "fnd_1" },
  "notice.why": { id: "ntc_1" },
  "decision.show": { id: "dec_1" },
  "agents.show": { agent: "agent1" },
  "task.show": { task: 1 },
  "artefact.list": { task: 1 },
  "artefact.get": { task: 1, name: "report.txt" },
  "schedule.show": { kind: "cron", label: "nightly" },
  "worker.show": { name: "one" },
  "claim.held": { repository: "git:example.org/r" },
};

const names = Object.keys(readOperations) as (keyof typeof readOperations)[];

test.each(names)("%s looks through no table again and again", async (name) => {
  expect((await statementsOf(name)).flatMap(repeatedReads)).toEqual([]);
});

test.each(names)("%s does not grow with what is over", async (name) => {
  expect((await statementsOf(name)).flatMap(readsOfAllThereWas)).toEqual([]);
});

test("a round of notices does not grow with what is over", async () => {
  const statements = await statementsIn(async (own) => {
    const context = { store: own, constellation: "constel0", clock: new FakeClock(), random: seededRandom(5) };
    const scene = await readScene(context, { root: "/", guests: [] });
    await reviewNotices(context, scene);
    await liveNotices(own.db, "constel0");
    await liveTellings(own.db, "constel0");
  });
  expect(statements.flatMap(readsOfAllThereWas)).toEqual([]);
  expect(statements.flatMap(repeatedReads)).toEqual([]);
});

test.each([{ agent: "agent1" }, { thread: "m1" }, { undelivered: true }])(
  "message.list %j reads the messages that it is about, not every one there is",
  async (asked) => {
    const about = (await statementsOf("message.list", asked)).filter((one) => one.includes('from "messages"'));
    expect(about.length).toBeGreaterThan(1);
    const details = about.flatMap((one) => planOf(one).map(({ detail }) => detail));
    const whole = details.filter(
      (one) => /^(SCAN|SEARCH) messages/.test(one) && !/\(.*(?<!constellation)=\?/.test(one),
    );
    expect(whole).toEqual([]);
  },
);

function statementsOf(name: (typeof names)[number], asked: object = inputs[name] ?? {}): Promise<string[]> {
  const ask = readOperations[name] as (context: object, input: unknown) => Promise<unknown>;
  const input = checkedInput(operations[name], asked);
  return statementsIn((own) =>
    ask({ store: own, clock: new FakeClock() }, input).catch((cause: unknown) => {
      if (!(cause instanceof Refusal)) throw cause;
    }),
  );
}

/** The statements that are asked meanwhile, of a store that was asked nothing before. */
async function statementsIn(work: (own: Store) => Promise<unknown>): Promise<string[]> {
  const asked = new Set<string>();
  const { prepare } = Database.prototype;
  // The connection keeps its statements prepared: another store begins without any.
  using prepared = spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database,
    ...given: Parameters<typeof prepare>
  ) {
    asked.add(String(given[0]));
    return prepare.apply(this, given) as never;
  });
  const { url, backupDirectory } = scene;
  const own = await openStore({
    url,
    backupDirectory,
    clock: new FakeClock(),
    random: seededRandom(4),
    constellation: "constel0",
  });
  const before = asked.size;
  await work(own);
  await own.close();
  expect(prepared).toHaveBeenCalled();
  return [...asked].slice(before).filter((statement) => /^\s*select/i.test(statement));
}
