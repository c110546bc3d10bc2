// Users' SQL: it can read everything, a page at a time, and change nothing.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type MakeScene, withStore } from "../../test/kit/databases.ts";
import { openReader } from "./read-only.ts";
import type { Reader } from "./reader.ts";
import type { Dialect } from "./tables.ts";
import { crash } from "./writing.suite.ts";
import { rejection } from "../../test/kit/rejection.ts";

export function readerSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("users' SQL", () => {
    const here = withStore(makeScene);
    let reader: Reader;
    beforeEach(async () => {
      await here.store.write((tx) => tx.insert("crashes", crash("c1")));
      await here.store.write((tx) => tx.insert("crashes", crash("c2")));
      reader = await openReader(here.scene.url);
    });
    afterEach(() => reader.close());

    const all = async (text: string, maxRows?: number): Promise<{ columns: readonly string[]; rows: unknown[] }> => {
      const answer = await reader.rows(text, maxRows === undefined ? {} : { maxRows });
      const rows: unknown[] = [];
      for await (const row of answer.rows) rows.push(row);
      return { columns: answer.columns, rows };
    };
    test("rows come as arrays after their column names, numbers as numbers", async () => {
      expect(await all("select id, at_ms, agent from crashes order by id;")).toEqual({
        columns: ["id", "at_ms", "agent"],
        rows: [
          ["c1", 5, "agent1"],
          ["c2", 5, "agent1"],
        ],
      });
      expect(await all("select count(*) as n from crashes")).toEqual({ columns: ["n"], rows: [[2]] });
      expect(await all("select id from crashes where id = 'none'")).toEqual({ columns: ["id"], rows: [] });
    });

    test("columns of the same name do not hide each other", async () => {
      const text = "select a.id, b.id from crashes a join crashes b on a.id < b.id -- pairs";
      expect(await all(text)).toEqual({ columns: ["id", "id"], rows: [["c1", "c2"]] });
    });

    test("many rows stream, stop at the most that was asked, and may be left in the middle", async () => {
      expect((await all(numbers(20_000))).rows).toHaveLength(20_000);
      expect((await all(numbers(20_000), 3)).rows).toEqual([[1], [2], [3]]);
      for await (const row of (await reader.rows(numbers(20_000))).rows) {
        expect(row).toEqual([1]);
        break;
      }
      expect((await all("select 1 as one")).rows).toEqual([[1]]);
    });

    const changes = [
      "insert into crashes select * from crashes",
      "update crashes set what = 'x'",
      "delete from crashes",
      "drop table crashes",
      "create table planted (id text)",
      "select 1; delete from crashes",
      "select ';'; delete from crashes",
      "/* select */ delete from crashes",
      "-- select\ndelete from crashes",
      "pragma query_only = off",
      "attach '/tmp/planted.db' as planted",
      "vacuum",
      "begin",
      "commit",
      "set transaction read write",
      "explain delete from crashes",
    ];
    test("a text that is not one reading statement is refused and changes nothing", async () => {
      for (const text of changes) {
        expect(await rejection(all(text))).toMatchObject({ code: "query.not-read-only" });
        expect((await all("select count(*) as n from crashes")).rows).toEqual([[2]]);
      }
    });

    test("a change hidden behind WITH is refused by the database itself", async () => {
      const hidden =
        dialect === "sqlite"
          ? "with x as (select 1) delete from crashes"
          : "with gone as (delete from crashes returning id) select * from gone";
      expect(await rejection(all(hidden))).toMatchObject({ code: expect.stringMatching(/^query\./) });
      expect((await all("select count(*) as n from crashes")).rows).toEqual([[2]]);
    });

    test("an unknown table names what exists, and nonsense is invalid", async () => {
      expect(await rejection(all("select * from crashs"))).toMatchObject({
        code: "query.unknown-table",
        facts: { table: expect.stringContaining("crashs"), names: expect.arrayContaining(["crashes", "timeline"]) },
      });
      expect(await rejection(all("select nothing from crashes"))).toMatchObject({ code: "query.invalid" });
      expect(await rejection(all("select from where"))).toMatchObject({ code: "query.invalid" });
      expect(await rejection(all("  -- nothing"))).toMatchObject({ code: "query.invalid" });
    });

    test("semicolons and comment marks inside strings are text", async () => {
      expect((await all(`select 'a;b--c' as "x;y"`)).rows).toEqual([["a;b--c"]]);
    });

    test("tables and views are listed with their columns", async () => {
      const relations = await reader.tables();
      expect(relations).toContainEqual({
        name: "crashes",
        kind: "table",
        columns: Object.keys(crash("any")),
      });
      expect(relations.find((relation) => relation.name === "timeline")?.kind).toBe("view");
      expect(relations.filter((relation) => relation.name.startsWith("sqlite_"))).toEqual([]);
    });

    test("the plan of a statement names the table it reads", async () => {
      expect((await reader.explain("select * from crashes where what = 'x'")).join("\n")).toContain("crashes");
      expect(await rejection(reader.explain("delete from crashes"))).toMatchObject({ code: "query.not-read-only" });
    });
  });
}

function numbers(count: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n`;
}
