// Upgrade and downgrade over two versions with living agents, messages on their way and a harvest in its gate, killed at each step; from a home of the oldest schema too. Nothing
// may be lost: every agent lives on with the process it had, every message that was accepted arrives once, every task lands once, and the timeline verifies.

import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyRoot } from "./empty-root.ts";
import { makeRelease } from "./make-release.ts";
import type { SigningKey } from "./minisign.ts";
import { must, type Stage } from "./stage.ts";
import { ownTarget } from "./targets.ts";

export const walks = { up: "upgrades", down: "downgrades", oldest: "upgrades from the oldest schema" } as const;

export async function rehearseUpgrade(
  stage: Stage,
  key: SigningKey,
  walk: keyof typeof walks,
  isShort: boolean,
): Promise<void> {
  const next = `${stage.version.replace(/\d+$/, "")}99`;
  const releases = `${stage.root}-releases`;
  if (!existsSync(releases)) await layReleases(stage, key, releases, next);
  await copyRoot(stage.empty, stage.root);
  const where = {
    root: stage.root,
    as: "you" as const,
    env: {
      PATH: "/home/you/.local/bin:/usr/bin:/bin",
      FROM: stage.version,
      TO: next,
      WALK: walk,
      AGENTS: isShort ? "4" : "20",
    },
    shown: { "/dist": stage.into, "/releases": releases, "/upgrade.sh": join(import.meta.dir, "upgrade.sh") },
  };
  const said = await must(where, "sh", "-c", "sh /dist/install.sh --from /dist && sh /upgrade.sh");
  const steps = said.split("\n").filter((line) => line.startsWith("step: "));
  stage.say(`    ${steps.length} steps; ${steps.at(-1)?.slice("step: ".length) ?? "nothing was said"}`);
}

/** The next version beside this one, as where releases lie. */
async function layReleases(stage: Stage, key: SigningKey, releases: string, next: string): Promise<void> {
  mkdirSync(join(releases, "download"), { recursive: true });
  const into = join(releases, "download", `v${next}`);
  await makeRelease({
    version: next,
    targets: [ownTarget()],
    releases: "",
    key,
    into,
    earlier: [],
    say: () => undefined,
  });
  cpSync(stage.into, join(releases, "download", `v${stage.version}`), { recursive: true });
}
