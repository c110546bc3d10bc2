// The program that agents run on when nobody names one: what the settings say, else one that is installed. No program is preferred. Of several, those
// that constel was tested with come before the others, and then the alphabet decides.

import type { Runtime } from "../../ports/runtime.ts";
import { findProgram } from "./detect.ts";

type Known = Pick<Runtime, "name" | "checkedVersions" | "onlyByName">;

/** Empty when the settings name none and none is installed. */
export function usualRuntime(configured: string, runtimes: readonly Known[], path: string): string {
  if (configured !== "") return configured;
  const isTested = ({ checkedVersions }: Known): boolean => checkedVersions.length > 0;
  const names = (those: readonly Known[]): string[] => those.map(({ name }) => name).sort();
  const programs = runtimes.filter(({ onlyByName }) => onlyByName !== true);
  const inOrder = [...names(programs.filter(isTested)), ...names(programs.filter((one) => !isTested(one)))];
  return inOrder.find((name) => findProgram(name, path) !== undefined) ?? "";
}
