import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { explainPlan } from "./explain.ts";

const database = new Database(":memory:");
database.run("create table big (id integer primary key, kind text, at integer, owner text)");
database.run("create table small (id integer primary key, name text)");
database.run("create index big_by_owner on big (owner)");

const explain = (sql: string, rows: Record<string, number> = { big: 50_000, small: 10 }) =>
  explainPlan({
    sql,
    plan: database
      .query<{ detail: string }, []>(`explain query plan ${sql}`)
      .all()
      .map((row) => row.detail),
    tables: [
      { name: "big", kind: "table", columns: ["id", "kind", "at", "owner"] },
      { name: "small", kind: "table", columns: ["id", "name"] },
    ],
    rowsOf: (table) => rows[table] ?? 0,
  });

describe("explain", () => {
  test("a large table read whole is named with its rows and the index that would help", () => {
    const answer = explain("select * from big where kind = 'x' and at > 5");
    expect(answer.verdict).toBe("It reads all 50,000 rows of big to find those it needs.");
    expect(answer.index).toBe("create index on big (kind, at)");
    expect(answer.plan.length).toBeGreaterThan(0);
  });

  test("aliases are followed and other tables' columns are left out", () => {
    const answer = explain("select * from big as b join small s on s.id = b.id where b.kind = 'x' and s.name = 'y'");
    expect(answer.index).toBe("create index on big (kind)");
  });

  test("a scan that nothing narrows proposes no index", () => {
    const answer = explain("select count(kind) from big");
    expect(answer.verdict).toContain("nothing in the query narrows them");
    expect(answer.index).toBeUndefined();
  });

  test("an index in use and a small table are not slow", () => {
    expect(explain("select * from big where owner = 'me'").verdict).toContain("not slow");
    expect(explain("select * from small where name = 'x'").verdict).toContain("not slow");
  });

  test("a Postgres sequential scan is understood", () => {
    const answer = explainPlan({
      sql: "select * from big where kind = 'x'",
      plan: ["Seq Scan on big  (cost=0.00..1.00 rows=1 width=4)", "  Filter: (kind = 'x'::text)"],
      tables: [{ name: "big", kind: "table", columns: ["kind"] }],
      rowsOf: () => 9_999,
    });
    expect(answer.index).toBe("create index on big (kind)");
  });
});
