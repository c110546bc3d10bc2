// One suite, two databases.

import { afterAll, beforeAll, describe, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "../../test/kit/postgres.ts";
import { storeSuite } from "./store.suite.ts";

storeSuite("SQLite", async () => {
  const directory = temporaryDirectory("store");
  const backupDirectory = join(directory.path, "backups");
  mkdirSync(backupDirectory);
  return {
    url: `sqlite:${join(directory.path, "meta.db")}`,
    backupDirectory,
    async end() {
      directory[Symbol.dispose]();
    },
  };
});

if (withoutPostgres !== undefined) {
  test.skip(`the store on Postgres (left out: ${withoutPostgres})`, () => {});
} else {
  describe("with a private Postgres", () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.stop());

    storeSuite("Postgres", async () => ({
      url: await server.database(),
      backupDirectory: "/nonexistent",
      end: async () => {},
    }));
  });
}
