// Upgrade and downgrade over two versions with living agents, messages on their way and a harvest in its gate, killed at each step; from a home of the oldest schema too. Nothing
// may be lost: every agent lives on with the process it had, every message that was accepted arrives once, every task lands once, and the timeline verifies.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { copyRoot } from "./empty-root.ts";
import { makeRelease } from "./make-release.ts";
import type { SigningKey } from "./minisign.ts";
import { must, type Stage } from "./stage.ts";
import { ownTarget } from "./targets.ts";

export async function rehearseUpgrade(stage: Stage, key: SigningKey, isShort: boolean): Promise<void> {
  const next = `${stage.version.replace(/\d+$/, "")}99`;
  const releases = `${stage.root}-releases`;
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
  await copyRoot(stage.empty, stage.root);
  const where = {
    root: stage.root,
    as: "you" as const,
    env: { PATH: "/home/you/.local/bin:/usr/bin:/bin", FROM: stage.version, TO: next, AGENTS: isShort ? "4" : "20" },
    shown: { "/dist": stage.into, "/releases": releases, "/upgrade.sh": join(import.meta.dir, "upgrade.sh") },
  };
  // The earlier release lies with the later one, as where releases lie.
  Bun.spawnSync(["cp", "-al", stage.into, join(releases, "download", `v${stage.version}`)]);
  Bun.spawnSync(["cp", "-r", stage.into, join(releases, "download", `v${stage.version}`)]);
  const said = await must(where, "sh", "-c", "sh /dist/install.sh --from /dist && sh /upgrade.sh");
  const steps = said.split("\n").filter((line) => line.startsWith("step: "));
  stage.say(`    ${steps.length} steps; ${steps.at(-1)?.slice("step: ".length) ?? "nothing was said"}`);
}
