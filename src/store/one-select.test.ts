import { describe, expect, test } from "bun:test";
import { Refusal } from "../protocol/errors.ts";
import { oneSelect } from "./one-select.ts";

/** Returns what the refusal names. Undefined when the statement is taken. */
function foundIn(sql: string): unknown {
  try {
    oneSelect(sql);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return cause.facts["found"] ?? cause.code;
  }
}

const check = (sql: string, found: string | undefined): void => expect(foundIn(sql)).toEqual(found);

describe("a query may only read", () => {
  test("one statement that selects is taken", () => {
    check("select 1", undefined);
    check("  SELECT * FROM tasks;  ", undefined);
    check("with a as (select 1) select * from a", undefined);
    check("values (1), (2)", undefined);
    check("select 1; -- the end", undefined);
  });

  test("a write is refused and named", () => {
    check("delete from tasks", "DELETE");
    check("insert into tasks values (1)", "INSERT");
    check("with a as (select 1) update tasks set x = 1", "UPDATE");
    check("with a as (delete from tasks returning *) select * from a", "DELETE");
    check("drop table tasks", "DROP");
    check("select * into copy from tasks", "INTO");
  });

  test("PRAGMA, ATTACH and anything else that is no query is refused and named", () => {
    check("pragma journal_mode = delete", "PRAGMA");
    check("ATTACH 'x.db' as x", "ATTACH");
    check("vacuum", "VACUUM");
    check("explain select 1", "EXPLAIN");
    check("set role x", "SET");
  });

  test("a second statement is refused, even behind comments", () => {
    check("select 1; select 2", "a second statement");
    check("select 1 /* ; */ ; /* x */ drop table t", "a second statement");
  });

  test("words inside strings, names and comments do not count", () => {
    check("select 'insert; delete' as \"drop; table\" -- update", undefined);
    check("with a as (select 'update' as x) select x from a where x = 'delete'", undefined);
    check("select replace(x, 'a', 'b') from t", undefined);
    check("with t as (select 1) select replace(x, 'a', 'b') from t", undefined);
    check("select $$ ; drop table x $$", undefined);
  });

  test("the closing semicolon and what is behind it are left out", () => {
    expect(oneSelect("select ';' as x ; -- the end")).toBe("select ';' as x ");
    expect(oneSelect("(select 1) union (select 2)")).toBe("(select 1) union (select 2)");
  });

  test("an empty query is refused", () => {
    check("", "query.invalid");
    check(" -- nothing\n", "query.invalid");
  });
});
