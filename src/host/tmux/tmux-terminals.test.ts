import { describe } from "bun:test";
import { TmuxStage } from "./tmux-stage.suite.ts";
import { terminalsSuite } from "../../ports/terminals.suite.ts";

describe("terminals on tmux", () => {
  terminalsSuite(async () => new TmuxStage());
});
