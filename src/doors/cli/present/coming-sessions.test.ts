import { expect, test } from "bun:test";
import type { ComingSession } from "../../../floor/agents/up.ts";
import { comingSessions } from "./coming-sessions.ts";

const root = (runtime: string): ComingSession => ({ agent: "agent0", role: "root", runtime });
const watchdog = (runtime: string): ComingSession => ({ agent: "agentinfinity", role: "watchdog", runtime });
const clones = (count: number, runtime: string): ComingSession[] =>
  Array.from({ length: count }, (_, at) => ({ agent: `agent${at + 1}`, role: "clone", runtime }));

test("it is said how many sessions come and whose they are", () => {
  const cases: readonly (readonly [readonly ComingSession[], string | undefined])[] = [
    [[], undefined],
    [[...clones(1, "claude")], "starting 1 session of claude: agent1; it uses your account with its provider"],
    [
      [root("claude"), ...clones(2, "claude"), watchdog("claude")],
      "starting 4 sessions of claude: agent0 (the root), agent1, agent2, agentinfinity (the watchdog); each uses your account with its provider",
    ],
    [
      [...clones(100, "script"), watchdog("script")],
      "starting 101 sessions of script: 100 clones (agent1 to agent100), agentinfinity (the watchdog)",
    ],
    [
      [root("claude"), ...clones(2, "codex"), watchdog("claude")],
      "starting 4 sessions: agent0 (the root), agentinfinity (the watchdog) on claude; agent1, agent2 on codex; each uses your account with its provider",
    ],
    [
      [root("script"), ...clones(1, "claude")],
      "starting 2 sessions: agent0 (the root) on script; agent1 on claude; agent1 uses your account with its provider",
    ],
  ];
  for (const [coming, said] of cases) expect(comingSessions(coming)).toBe(said);
});
