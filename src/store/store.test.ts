// One suite, two databases.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
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
