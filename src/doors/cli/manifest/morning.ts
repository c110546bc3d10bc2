import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("morning.look", {
    name: "morning",
    summary: "One page about the night: what landed, failed, is red, waits for you and what it cost",
    details:
      "Made of rows; no model is asked. --send sends it through your channels (escalate.channels) and exits 1 if it reached nobody. --daily makes a cron that sends it at that time every day; `constel cron remove morning` ends it.",
    flags: {
      since: { field: "back_ms", value: "TIME", summary: "How far back to look (default 12h)" },
      send: { summary: "Send it to you through escalate.channels" },
      daily: { summary: "Send it every day at this time, such as 07:00", value: "HH:MM" },
    },
    examples: ["constel morning", "constel morning --since 3d", "constel morning --daily 07:00"],
    load: async () => (await import("../commands/morning.ts")).morning,
  }),
];
