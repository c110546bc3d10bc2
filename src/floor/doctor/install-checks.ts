// What `constel install` put into people's own files.

import { readInstallRecords } from "../install/install-records.ts";
import { installProblem } from "../install/verify-install.ts";
import type { Check } from "./check.ts";

export const installChecks: readonly Check[] = [
  {
    code: "install.files",
    look(context) {
      const records = readInstallRecords(context.home);
      const problems = records.flatMap((record) => installProblem(record) ?? []);
      const code = "install.files";
      if (records.length === 0)
        return Promise.resolve([
          { code, state: "well", saw: "nothing is installed into agent programs' own settings" },
        ]);
      if (problems.length === 0) {
        const runtimes = [...new Set(records.map(({ runtime }) => runtime))].sort().join(", ");
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
