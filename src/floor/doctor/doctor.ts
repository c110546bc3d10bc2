// Doctor: looks at everything constel rests on, names each problem with a code, what it means and how to mend it, and
// mends what is safe when asked. Each check stands alone: one that fails to run is itself a problem, not the end.

import { messageOf } from "../../protocol/errors.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";
import { commandChecks } from "./command-checks.ts";
import { daemonChecks } from "./daemon-checks.ts";
import { databaseChecks } from "./database-checks.ts";
import { installChecks } from "./install-checks.ts";
import { homeChecks } from "./home-checks.ts";
import { meshChecks } from "./mesh-checks.ts";
import { workChecks } from "./work-checks.ts";
import { toolChecks } from "./tool-checks.ts";

export interface DoctorReport {
  readonly results: readonly (Omit<CheckResult, "fix"> & {
    readonly fixed: string | null;
    readonly fixable: boolean;
  })[];
  /** True when nothing is broken; warnings do not count. */
  readonly healthy: boolean;
}

const checks: readonly Check[] = [
  ...toolChecks,
  ...homeChecks,
  ...commandChecks,
  ...daemonChecks,
  ...meshChecks,
  ...databaseChecks,
  ...workChecks,
  ...installChecks,
];

export async function runDoctor(given: DoctorContext, options: { fix: boolean }): Promise<DoctorReport> {
  const context = { ...given }; // what checks share is of this run
  const results: DoctorReport["results"][number][] = [];
  for (const check of checks) {
    for (const { fix, ...result } of await look(check, context)) {
      const fixed = options.fix && fix !== undefined ? await tryFix(fix) : undefined;
      results.push({
        ...result,
        ...(fixed?.ok === true ? { state: "well" as const } : {}),
        ...(fixed?.ok === false ? { saw: `${result.saw}; repairing it failed: ${fixed.text}` } : {}),
        fixed: fixed?.ok === true ? fixed.text : null,
        fixable: fix !== undefined,
      });
    }
  }
  return { results, healthy: results.every((result) => result.state !== "broken") };
}

async function look(check: Check, context: DoctorContext): Promise<readonly CheckResult[]> {
  try {
    return await check.look(context);
  } catch (cause) {
    return [
      {
        code: check.code,
        state: "broken",
        saw: `could not look: ${messageOf(cause)}`,
        means: "The check itself failed, so nothing is known.",
        mend: "Fix what the message names, then run doctor again.",
      },
    ];
  }
}

async function tryFix(fix: () => string | Promise<string>): Promise<{ ok: boolean; text: string }> {
  try {
    return { ok: true, text: await fix() };
  } catch (cause) {
    return { ok: false, text: messageOf(cause) };
  }
}
