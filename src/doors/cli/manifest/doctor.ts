import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "doctor",
    summary: "Check everything constel depends on, and repair what is safe to repair",
    details: "Exits 1 if something is broken. Works even when the daemon is down and the database is corrupt.",
    tier: "floor",
    // It must answer where it is not even known who asks; repairing is another matter (commands/doctor.ts).
    may: "anybody",
    effect: "writes",
    flags: {
      fix: { summary: "Repair what is safe to repair" },
      full: { summary: "Read all of the database and of the timeline, however long it takes" },
      run: { summary: "Also make one turn with each installed agent program, on your account (asks first)" },
      yes: { summary: "Make those turns without asking", short: "y" },
      quiet: { summary: "Print problems only", short: "q" },
    },
    examples: ["constel doctor", "constel doctor --fix", "constel doctor --run"],
    load: async () => (await import("../commands/doctor.ts")).doctor,
  },
];
