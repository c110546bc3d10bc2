import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { sqliteScene } from "../../test/kit/databases.ts";
import { FakeClock } from "../host/clock/fake-clock.ts";
import { openSnapshot } from "./snapshot.ts";

test("a database that is only being made is looked at like one that is not there", async () => {
  const scene = await sqliteScene();
  const options = { url: scene.url, backupDirectory: scene.backupDirectory, clock: new FakeClock() };
  const look = async (): Promise<unknown[]> => {
    const snapshot = await openSnapshot(options);
    try {
      return await snapshot.db.selectFrom("agents").selectAll().execute();
    } finally {
      await snapshot.close();
    }
  };
  try {
    expect(await look()).toEqual([]);
    // As a daemon leaves it for a moment: the file, with its header, and no tables.
    const making = new Database(scene.path);
    making.run("pragma journal_mode = wal");
    making.run("begin immediate");
    making.run("create table agents (id text)");
    expect(await look()).toEqual([]);
    making.run("rollback");
    making.close();
  } finally {
    await scene.end();
  }
});
