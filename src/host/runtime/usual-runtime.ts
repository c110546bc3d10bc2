// The program that agents run on when nobody names one: what the settings say, else one that is installed. No program is preferred. Of several, those
// that constel was tested with come before the others, and then the alphabet decides.

import type { Runtime } from "../../ports/runtime.ts";
import { findProgram } from "./detect.ts";

/** Empty when the settings name none and none is installed. A script is any command, and so never meant by itself. */
export function usualRuntime(
  configured: string,
  runtimes: readonly Pick<Runtime, "name" | "checkedVersions">[],
  path: string,
): string {
  if (configured !== "") return configured;
  const isTested = ({ checkedVersions }: Pick<Runtime, "checkedVersions">): boolean => checkedVersions.length > 0;
  const names = (those: typeof runtimes): string[] => those.map(({ name }) => name).sort();
  const inOrder = [...names(runtimes.filter(isTested)), ...names(runtimes.filter((one) => !isTested(one)))];
  return inOrder.find((name) => name !== "script" && findProgram(name, path) !== undefined) ?? "";
}
