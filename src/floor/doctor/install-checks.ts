// What `constel install` put into people's own files.

import { join } from "node:path";
import { readInstallRecords } from "../install/install-records.ts";
import { hookedRuntimes, installProblem } from "../install/verify-install.ts";
import type { Check } from "./check.ts";

export const installChecks: readonly Check[] = [
  {
    code: "install.files",
    look(context) {
      const records = readInstallRecords(context.home);
      const own = { home: context.home, usual: join(context.env["HOME"] ?? "/", ".constel") };
      const hooked = hookedRuntimes(records);
      const mute = [...new Set(records.map(({ runtime }) => runtime))].filter((runtime) => !hooked.has(runtime));
      const found = records.flatMap((record) => installProblem(record, own) ?? []);
      const problems = found.length > 0 ? found : mute.map((runtime) => `no hook of constel's is left for ${runtime}`);
      const code = "install.files";
      if (records.length === 0)
        return Promise.resolve([
          { code, state: "well", saw: "nothing is installed into agent programs' own settings" },
        ]);
      if (problems.length === 0) {
        const runtimes = [...hooked].sort().join(", ");
        return Promise.resolve([{ code, state: "well", saw: `hooks are installed for ${runtimes}` }]);
      }
      return Promise.resolve([
        {
          code,
          state: "warning",
          saw: problems.join("; "),
          means: "Sessions that you start yourself may hear nothing from constel.",
          mend: "`constel install <program> --yes` puts it back; `constel install <program> --undo` takes the rest away.",
        },
      ]);
    },
  },
];
