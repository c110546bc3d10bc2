import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock, seededRandom } from "../ports/fake-clock.ts";
import { openReader } from "./read-only.ts";
import { openSnapshot } from "./snapshot.ts";

test("who looks while a daemon makes the database sees an empty one, not one without tables", async () => {
  const directory = mkdtempSync(join(tmpdir(), "constel-snapshot-"));
  try {
    const path = join(directory, "meta.db");
    // As it is between the first write to the file and the transaction that makes the tables.
    using made = new Database(path);
    made.run("pragma journal_mode = wal");
    const url = `sqlite:${path}`;
    const options = {
      url,
      backupDirectory: directory,
      constellation: "c",
      clock: new FakeClock(),
      random: seededRandom(),
    };
    const snapshot = await openSnapshot(options);
    expect(await snapshot.db.selectFrom("agents").selectAll().execute()).toEqual([]);
    await snapshot.close();
    const reader = await openReader(url);
    expect((await reader.tables()).map(({ name }) => name)).toContain("clones_now");
    await reader.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
