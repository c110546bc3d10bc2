// The commands that settings name: each program is there.

import { complaintAboutProgram } from "../../settings/commands.ts";
import type { Check } from "./check.ts";

export const commandChecks: readonly Check[] = [
  {
    code: "config.commands",
    async look({ commands, env }) {
      const named = await commands();
      const missing = named.flatMap(({ setting, program }) => {
        const complaint = complaintAboutProgram(program, env["PATH"]);
        return complaint === undefined ? [] : [{ setting, complaint }];
      });
      if (missing.length === 0) {
        const saw = named.length === 0 ? "no setting names a command" : "every command that a setting names is there";
        return [{ code: "config.commands", state: "well", saw }];
      }
      return missing.map(({ setting, complaint }) => ({
        code: "config.commands",
        state: "warning",
        saw: `${setting}: ${complaint}`,
        means: "What constel would run there does not happen.",
        mend: `Install the program, or name another in config.toml (\`constel config path\` says where it is).`,
      }));
    },
  },
];
