import { onEachDatabase } from "../../../test/kit/databases.ts";
import { auditSuite } from "./audit.suite.ts";

onEachDatabase("the store", (makeScene, dialect) => auditSuite(makeScene, dialect));
