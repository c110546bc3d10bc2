import { onEachDatabase } from "../../../test/kit/databases.ts";
import { noticesSuite } from "./notices.suite.ts";

onEachDatabase("notices", (makeScene, dialect) => noticesSuite(makeScene, dialect === "sqlite"));
