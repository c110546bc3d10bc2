import { onEachDatabase } from "../../../test/kit/databases.ts";
import { takeInSuite } from "./take-in.suite.ts";

onEachDatabase("what sensing reports", takeInSuite);
