import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "drill",
    summary: "Rehearse a crash: end an agent, the daemon or the ticker on purpose, and say what came back, and when",
    details:
      "`agent3`, `daemon`, `ticker`, or `all` for the daemon, the ticker and one idle agent, one after the other. Each is killed as a crash would (SIGKILL), and nothing is done to bring it back: this shows whether constel does. It asks first; without a terminal it needs --yes. Exits 1 if something did not come back in time. A daemon comes back only while the ticker runs (constel up), or as a service.",
    tier: "floor",
    may: "owner",
    effect: "destroys",
    arguments: [{ name: "what", summary: "agent3, daemon, ticker or all", rest: true }],
    flags: {
      yes: { summary: "Do it without asking" },
      within: { summary: "How long to wait for each, in seconds (default 180)", value: "SECONDS" },
    },
    examples: ["constel drill daemon", "constel drill agent3 ticker --yes", "constel drill all --yes"],
    load: async () => (await import("../commands/drill.ts")).drill,
  },
];
