// What each part of the rehearsal works with: the release that was made, an empty root, and what somebody does with a constel that was just installed there.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { everythingIn, type RunInRoot, runInRoot } from "./empty-root.ts";

export interface Stage {
  /** Where the release was made. */
  readonly into: string;
  readonly version: string;
  /** To be copied, never to be changed. */
  readonly empty: string;
  readonly root: string;
  readonly witness: Witness | undefined;
  readonly say: (line: string) => void;
}

/** The real Claude Code, and a scripted model that answers it. */
export interface Witness {
  readonly shown: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs in the root and expects success. */
export async function must(where: RunInRoot, ...words: readonly string[]): Promise<string> {
  const { code, said } = await runInRoot(where, words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code} in the empty root:\n${said.slice(-4000)}`);
  return said;
}

export const scenario = async (stage: Stage, where: RunInRoot, isWhole = true): Promise<void> => {
  const witness = isWhole ? stage.witness : undefined;
  const shown = { ...where.shown, "/scenario.sh": join(import.meta.dir, "scenario.sh"), ...witness?.shown };
  const script = `sh /scenario.sh ${stage.version} && constel uninstall --yes`;
  await must({ ...where, shown, env: { ...where.env, ...witness?.env } }, "sh", "-c", script);
};

/** What is there now and was not before, but for the work and what others left. */
export function expectNothingLeft(stage: Stage, before: ReadonlySet<string>, others: RegExp): void {
  const work =
    /^(home\/you|root)\/(work(\/|$)|\.gitconfig$)|^tmp(\/|$)|^(dist|scenario\.sh|witness|node|registry)(\/|$)/;
  const left = [...everythingIn(stage.root)].filter(
    (path) => !before.has(path) && !work.test(path) && !others.test(path),
  );
  if (left.length > 0) throw new Error(`left behind: ${left.slice(0, 20).join(", ")}`);
}

export function withFlippedByte(path: string, part: number): Buffer {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length * part);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}
