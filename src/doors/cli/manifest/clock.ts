import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/clock.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "clock status",
    summary: "Show whether the machine's clock agrees with the time that was seen to pass",
    details:
      "While it has jumped ahead, nothing is removed, ended or given up because of its age. Exits 1 while it has jumped.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel clock status"],
    load: async () => (await load()).status,
  },
  {
    name: "clock accept",
    summary: "Confirm that the machine's clock is right after it has jumped",
    details:
      "What is older than the settings keep goes from then on. Without this, a clock that has jumped is believed after a week of running steadily.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    examples: ["constel clock accept"],
    load: async () => (await load()).accept,
  },
];
