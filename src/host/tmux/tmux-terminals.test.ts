import { describe } from "bun:test";
import { TmuxStage } from "./tmux-stage.suite.ts";
import { terminalsSuite } from "./terminals.suite.ts";

describe("terminals on tmux", () => {
  terminalsSuite(async () => new TmuxStage());
});
