import type { Target } from "./targets.ts";
import { newKey, readKey } from "./minisign.ts";
import { makeRelease } from "./make-release.ts";
import { versionOf } from "./npm-packages.ts";
export async function rehearse({
  into,
  targets,
  say,
}: {
  into: string;
  isShort: boolean;
  targets: readonly Target[];
  say: (line: string) => void;
}): Promise<void> {
  await makeRelease({ version: versionOf(), targets, releases: "", key: readKey(newKey()), into, earlier: [], say });
}
