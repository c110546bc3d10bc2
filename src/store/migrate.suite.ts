// Migrations: the new state is verified before it counts, a backup stays, the way back works, and a newer schema is left alone.

import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { type MakeScene, withStore } from "../../test/kit/databases.ts";
import { listBackups, verifyBackup } from "./backup.ts";
import { refuseOtherSchema } from "./migrate.ts";
import { allMigrations } from "./migrations/all.ts";
import { expectColumns, type Migration, type Untyped } from "./migrations/migration.ts";
import { letVersionWrite, openStore, undoMigration } from "./open.ts";
import { openSnapshot } from "./snapshot.ts";
import type { Dialect } from "./tables.ts";
import { verifyChain } from "./timeline.ts";
import { type PublicView, publicViews } from "./views.ts";
import { crash, invocation } from "./writing.suite.ts";
import { rejection, throwing } from "../../test/kit/rejection.ts";

const next = allMigrations.length + 1;

/** Adds a column with content made from the rows there are, and can take it back. */
const shout: Migration = {
  version: next,
  name: "shout",
  async up(db) {
    await sql`alter table crashes add column shout text`.execute(db);
    await sql`update crashes set shout = upper(what)`.execute(db);
  },
  async verify(db, dialect) {
    await expectColumns(db, dialect, "crashes", [...Object.keys(crash("any")), "shout"]);
  },
  async down(db) {
    await sql`alter table crashes drop column shout`.execute(db);
  },
};

const doomed = (part: "up" | "verify"): Migration => ({
  version: next + 1,
  name: "doomed",
  async up(db) {
    await sql`delete from crashes`.execute(db);
    await sql`create table doomed (id text)`.execute(db);
    if (part === "up") throw new Error("up failed");
  },
  async verify() {
    throw new Error("verify failed");
  },
});

export function migrateSuite(makeScene: MakeScene, dialect: Dialect): void {
  describe("migrations", () => {
    const here = withStore(makeScene, "empty");
    const more = { migrations: [...allMigrations, shout] };
    const addCrash = async (): Promise<void> => {
      await here.store.write(async (tx) => {
        await tx.insert("crashes", crash("c1"));
        await tx.record({ type: "agent.crashed", actor: "test" });
      });
    };
    const backups = async (): Promise<string[]> => {
      if (dialect === "sqlite") return listBackups(here.scene.backupDirectory).map((backup) => backup.path);
      const found = await here.scene.raw(
        "select schema_name as name from information_schema.schemata where schema_name like 'constel_backup_%'",
      );
      return found.map((row) => String(row["name"]));
    };

    test("a new database is brought to the newest version without a backup, and then left alone", async () => {
      expect(here.store.migrated).toEqual({ from: 0, to: allMigrations.length, backup: undefined });
      const again = await here.reopen();
      expect(again.migrated).toEqual({ from: allMigrations.length, to: allMigrations.length, backup: undefined });
      expect(await backups()).toEqual([]);
    });

    test("a migration keeps the rows and the chain, and a backup of the state before it", async () => {
      await addCrash();
      const store = await here.reopen(more);
      expect(await here.scene.raw("select id, shout from crashes")).toEqual([{ id: "c1", shout: "EXIT" }]);
      expect(await verifyChain(store.db, "constel0")).toMatchObject({ ok: true, count: 1 });
      const backup = store.migrated.backup ?? "";
      expect(await backups()).toEqual([backup]);
      if (dialect === "sqlite") expect(verifyBackup(backup)).toEqual({ ok: true, version: next - 1, events: 1 });
      else expect(await here.scene.raw(`select id, what from ${backup}.crashes`)).toEqual([{ id: "c1", what: "exit" }]);
    });

    test.each(["up", "verify"] as const)("when %s fails, the old state stands as it was", async (part) => {
      await addCrash();
      const failing = { migrations: [...allMigrations, shout, doomed(part)] };
      expect(await throwing(here.reopen(failing))).toThrow(`${part} failed`);
      here.store = await openStore(here.options());
      expect(here.store.migrated.from).toBe(allMigrations.length);
      expect(await here.store.db.selectFrom("crashes").selectAll().execute()).toEqual([crash("c1")]);
      expect(await throwing(here.scene.raw("select * from doomed"))).toThrow();
      expect(await verifyChain(here.store.db, "constel0")).toMatchObject({ ok: true, count: 1 });
    });

    test("undo and redo keep the data, each behind its own backup", async () => {
      await addCrash();
      await here.reopen(more);
      await here.store.close();
      here.clock.advance(1000);
      const undone = await undoMigration({ ...here.options(), ...more });
      expect(undone).toMatchObject({ from: next, to: next - 1 });
      here.store = await openStore(here.options());
      expect(await here.store.db.selectFrom("crashes").selectAll().execute()).toEqual([crash("c1")]);
      expect(await here.scene.raw("select type from timeline")).toEqual([{ type: "agent.crashed" }]);
      here.clock.advance(1000);
      await here.reopen(more);
      expect(await here.scene.raw("select shout from crashes")).toEqual([{ shout: "EXIT" }]);
      expect(await backups()).toHaveLength(3);
      expect(await verifyChain(here.store.db, "constel0")).toMatchObject({ ok: true, count: 1 });
    });

    test("what cannot be undone is refused and nothing changes", async () => {
      const { down: _, ...oneWay } = shout;
      await here.reopen({ migrations: [...allMigrations, oneWay] });
      await here.store.close();
      const refused = undoMigration({ ...here.options(), migrations: [...allMigrations, oneWay] });
      expect(await rejection(refused)).toMatchObject({ code: "store.nothing-to-undo" });
      here.store = await openStore(here.options(more));
      expect(here.store.migrated.from).toBe(next);
    });

    test("a newer schema is refused with both versions named, and nothing is written", async () => {
      await here.reopen(more);
      await here.store.close();
      const before = await here.scene.raw("select * from schema_migrations order by version");
      expect(await rejection(openStore(here.options()))).toMatchObject({
        code: "store.newer-schema",
        message: expect.stringContaining(`schema version ${next}; this constel knows up to ${next - 1}`),
        facts: { schema: next, known: next - 1 },
      });
      expect(await here.scene.raw("select * from schema_migrations order by version")).toEqual(before);
    });

    test("an older version leaves a database alone that a newer one wrote to, and names it; let write again, it does", async () => {
      const written = (): Promise<unknown[]> => here.scene.raw("select * from meta where key = 'written-by'");
      const refused = { code: "store.newer-version", facts: { newer: "0.2.0", own: "0.1.9" } };
      const openable = async (version: string): Promise<void> => {
        const { migrated } = await here.reopen({ version });
        expect(migrated.backup).toBeUndefined();
        await here.store.close();
      };
      await here.store.close();
      await openable("0.1.9");
      await openable("0.2.0-rc.1");
      await openable("0.2.0");
      const views = { views: publicViews.slice(1) };
      for (const older of [{ version: "0.1.9" }, { version: "0.1.9", ...views }, { version: "0.1.9", ...more }])
        for (const opening of [openStore, undoMigration])
          expect(await rejection(opening({ ...here.options(older) }))).toMatchObject(refused);
      expect(String(await rejection(openStore(here.options({ version: "0.1.9" }))))).toContain(
        "was last written by constel 0.2.0; this is constel 0.1.9",
      );
      expect(await written()).toMatchObject([{ value: "0.2.0" }]);
      expect(await here.scene.raw("select seq from timeline")).toEqual([]);
      expect(await letVersionWrite(here.options({ version: "0.2.0" }), "0.1.9")).toBe("0.2.0");
      expect(await letVersionWrite(here.options({ version: "0.2.0" }), "0.1.9")).toBeUndefined();
      await openable("0.1.9");
      await openable("0.2.0");
      await openable("0.10.0");
      expect(await rejection(openStore(here.options({ version: "0.9.0" })))).toMatchObject({
        facts: { newer: "0.10.0" },
      });
      here.store = await openStore(here.options());
    });

    test("a newer schema is refused in the name of the version that made it", async () => {
      await here.reopen({ ...more, version: "0.3.0" });
      await here.store.close();
      const refused = await rejection(openStore(here.options({ version: "0.2.0" })));
      expect(refused).toMatchObject({ code: "store.newer-schema", facts: { newer: "0.3.0" } });
      expect(String(refused)).toContain(`schema version ${next}, from constel 0.3.0; this constel knows`);
      expect(await rejection(letVersionWrite(here.options(), "0.2.0"))).toMatchObject({ code: "store.newer-schema" });
      here.store = await openStore(here.options(more));
      const at = { db: here.store.db as unknown as Untyped, dialect };
      expect(String(await refuseOtherSchema(at, allMigrations))).toContain("from constel 0.3.0");
    });

    test("a schema with another history is refused, whether it is shorter, longer or as long, and nothing is written", async () => {
      await addCrash();
      await here.store.close();
      const row = (version: number, name: string) =>
        `insert into schema_migrations (version, name, applied_ms) values (${version}, '${name}', 1)`;
      const [known] = allMigrations;
      const histories = {
        "of another name": [row(1, "first-tables")],
        "longer, of another name": [row(1, "first-tables"), row(2, "messages"), row(24, "pair notes")],
        "the same until the second": [row(1, known?.name ?? ""), row(2, "whisper")],
        "none, with our tables": [],
        "another program's": ["drop table schema_migrations", "create table schema_migrations (version text)"],
      };
      for (const [which, statements] of Object.entries(histories)) {
        await here.scene.raw("delete from schema_migrations", ...statements);
        const before = await here.scene.raw("select * from schema_migrations order by version");
        for (const opening of [openStore, undoMigration, openSnapshot]) {
          const refused = opening({ ...here.options(more) }).then(
            () => "opened",
            (cause: unknown) => cause,
          );
          expect([which, opening.name, await refused]).toMatchObject([
            which,
            opening.name,
            { code: "store.foreign-schema" },
          ]);
        }
        expect(await here.scene.raw("select * from schema_migrations order by version")).toEqual(before);
        expect(await here.scene.raw("select id from crashes")).toEqual([{ id: "c1" }]);
        expect(await backups()).toEqual([]);
      }
    });

    test("a question that an older or newer schema could not answer is refused with both versions named", async () => {
      const at = { db: here.store.db as unknown as Untyped, dialect };
      const [older, newer] = [await refuseOtherSchema(at, more.migrations), await refuseOtherSchema(at, [])];
      expect(older).toMatchObject({ code: "store.older-schema", facts: { schema: next - 1, known: next } });
      expect(newer).toMatchObject({ code: "store.newer-schema", facts: { schema: next - 1, known: 0 } });
      expect(await refuseOtherSchema(at, allMigrations)).toBeUndefined();
    });

    test("migrations with a gap in their versions are a bug", async () => {
      const gap = here.options({ migrations: [...allMigrations, { ...shout, version: next + 1 }] });
      expect(await throwing(openStore(gap))).toThrow(`should have version ${next}`);
    });

    test("each public view gives the columns it declares, and its example runs", async () => {
      await here.store.write((tx) => tx.insert("cli_invocations", invocation("cli_1")));
      await addCrash();
      for (const view of publicViews) {
        const [row] = await here.scene.raw(`select * from ${view.name} limit 1`);
        if (row !== undefined) expect(Object.keys(row)).toEqual(view.columns.map((column) => column.name));
        await here.scene.raw(view.example);
      }
      expect(await here.scene.raw("select at, agent from cli_recent")).toEqual([
        { at: "2026-01-02T03:04:05.678Z", agent: null },
      ]);
    });

    test("the newest events, of all or of one type, open findings and pairs in which something is open are found by an index", async () => {
      const planOf = async (query: string): Promise<string> => {
        // Postgres reads a table of a few rows whole unless it is told not to.
        const explain = dialect === "sqlite" ? ["explain query plan"] : ["set enable_seqscan = off", "explain"];
        const statements = [...explain.slice(0, -1), `${explain.at(-1)} ${query}`];
        return JSON.stringify(await here.scene.raw(...statements));
      };
      const newest = await planOf("select at, type from timeline order by seq desc limit 20");
      expect(newest).toContain("events_seq");
      const ofType = await planOf("select at from timeline where type = 'task.created' order by seq desc limit 20");
      expect(ofType).toContain("events_type");
      expect(await planOf("select id from findings where state = 'open' order by opened_ms")).toContain(
        "findings_open",
      );
      // Postgres chooses among indexes by how many rows there are, and here are none.
      const ready = dialect === "sqlite" ? ["open_pairs_", "findings_open"] : [];
      for (const index of ready) expect(await planOf("select score from merge_readiness")).toContain(`INDEX ${index}`);
    });

    test("a view whose declaration changed is made again; one that gives other columns is refused", async () => {
      const columns = [{ name: "answer", meaning: "the answer" }];
      const view = (select: string): PublicView[] => [
        { name: "answers", summary: "", columns, example: "select * from answers", sql: select },
      ];
      await here.reopen({ views: view("select 41 as answer") });
      await here.reopen({ views: view("select 42 as answer") });
      expect(await here.scene.raw("select answer from answers")).toEqual([{ answer: 42 }]);
      expect(await throwing(here.scene.raw("select * from timeline"))).toThrow();
      expect(await throwing(here.reopen({ views: view("select 43 as reply") }))).toThrow("declared are (answer)");
      expect(await here.scene.raw("select answer from answers")).toEqual([{ answer: 42 }]);
      here.store = await openStore(here.options());
      expect(await here.scene.raw("select * from timeline")).toEqual([]);
    });
  });
}
