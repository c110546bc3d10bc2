import { onEachDatabase } from "../../../test/kit/databases.ts";
import { auditSuite } from "./audit.suite.ts";
import { signaturesSuite } from "./signatures.suite.ts";

onEachDatabase("the store", (makeScene, dialect) => {
  auditSuite(makeScene, dialect);
  signaturesSuite(makeScene, dialect);
});
