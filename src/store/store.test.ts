// Tests what the store promises, on both databases. One file, so that one private Postgres serves all of it.

import { onEachDatabase } from "../../test/kit/databases.ts";
import { migrateSuite } from "./migrate.suite.ts";
import { readerSuite } from "./reader.suite.ts";
import { sharedSuite } from "./shared.suite.ts";
import { timelineSuite } from "./timeline.suite.ts";
import { writingSuite } from "./writing.suite.ts";

onEachDatabase("the store", (makeScene, dialect) => {
  writingSuite(makeScene);
  timelineSuite(makeScene, dialect);
  migrateSuite(makeScene, dialect);
  readerSuite(makeScene, dialect);
  sharedSuite(makeScene, dialect);
});
