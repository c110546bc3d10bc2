// Checks what `constel install` put into people's own files.

import { join } from "node:path";
import { listed } from "../../protocol/listed.ts";
import { hookSeenMs } from "../install/hook-seen.ts";
import { type InstallRecord, readInstallRecords } from "../install/install-records.ts";
import { hookedRuntimes, installProblem } from "../install/verify-install.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

/**
 * Tells installed hooks from seen ones: a hook in a file is installed, but only a hook that the program has called proves that it reads
 * the file.
 */
function seenOrNot(
  { home }: DoctorContext,
  records: readonly InstallRecord[],
  runtimes: readonly string[],
): readonly CheckResult[] {
  const code = "install.files";
  const sinceMs = (runtime: string): number =>
    Math.max(...records.filter((one) => one.runtime === runtime).map(({ atMs }) => atMs));
  const isSeen = (runtime: string): boolean => (hookSeenMs(home, runtime) ?? 0) >= sinceMs(runtime);
  const unseen = runtimes.filter((runtime) => !isSeen(runtime));
  const seen = runtimes.filter(isSeen);
  const found =
    seen.length === 0 ? [] : [{ code, state: "well" as const, saw: `hooks of ${listed(seen)} were seen to run` }];
  if (unseen.length === 0) return found;
  return [
    ...found,
    {
      code,
      state: "note",
      saw: `hooks for ${listed(unseen)} are installed, not yet seen`,
      means: `No session of ${listed(unseen)} has called them since, so it is not known that the program reads them.`,
      mend: `Start a new session of ${listed(unseen)} and send one prompt, then run \`constel doctor\` again. If it stays so, look at the program's own /hooks, and at settings that are laid over yours.`,
    },
  ];
}

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
      if (problems.length === 0) return Promise.resolve(seenOrNot(context, records, [...hooked].sort()));
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
