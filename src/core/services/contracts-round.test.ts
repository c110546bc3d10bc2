import { onEachDatabase } from "../../../test/kit/databases.ts";
import { contractsRoundSuite } from "./contracts-round.suite.ts";

onEachDatabase("contracts", (makeScene) => contractsRoundSuite(makeScene));
