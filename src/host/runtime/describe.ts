// Describes what `constel runtime list` and `constel runtime check` show: each program, whether it is there, and whether the installed
// version is one its adapter was tested with.

import { testedWith } from "../../ports/tested-with.ts";
import type { Abilities, Runtime, RuntimeMachine } from "../../ports/runtime.ts";

export interface RuntimeDescription {
  readonly name: string;
  readonly installed: boolean;
  readonly path: string | undefined;
  readonly version: string | undefined;
  readonly checkedVersions: readonly string[];
  readonly verdict: "checked" | "unchecked-version" | "unknown-version" | "not-installed";
  readonly advice: string;
  readonly abilities: Abilities;
}

export async function describeRuntime(runtime: Runtime, machine: RuntimeMachine): Promise<RuntimeDescription> {
  const { installed, path, version, matchesChecked } = await runtime.detect(machine);
  const verdict = !installed
    ? "not-installed"
    : matchesChecked
      ? "checked"
      : version === undefined
        ? "unknown-version"
        : "unchecked-version";
  const checked = testedWith(runtime.checkedVersions);
  const advice = {
    checked: "as tested",
    "unchecked-version": `${checked}; ${version ?? ""} may behave differently, above all in its screens and session files`,
    "unknown-version": `it did not tell its version; ${checked}`,
    "not-installed": `not on the PATH; ${checked}`,
  }[verdict];
  const { name, checkedVersions, abilities } = runtime;
  return { name, installed, path, version, checkedVersions, verdict, advice, abilities };
}
