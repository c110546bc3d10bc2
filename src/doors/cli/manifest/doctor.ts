import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "doctor",
    summary: "Look at everything constel rests on, and mend what is safe to mend",
    details: "Exit code 1 when something is broken. Works with the daemon dead and the database corrupt.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: {
      fix: { summary: "Mend what is safe to mend" },
      quiet: { summary: "Print problems only", short: "q" },
    },
    examples: ["constel doctor", "constel doctor --fix"],
    load: async () => (await import("../commands/doctor.ts")).doctor,
  },
];
