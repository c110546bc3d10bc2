// Asks the origin which commit a branch of work has, and brings it in, checked by git's own rules: somebody may have pushed it.

import { createHash } from "node:crypto";
import { Outage } from "../../protocol/errors.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function branchAt(parts: GroundParts, branch: string): Promise<string | undefined> {
  const { git, directory, wish } = parts;
  const variables = { GIT_DIR: directory };
  const ref = `refs/heads/${branch}`;
  const asked = await git.talk({ args: ["ls-remote", "--refs", "--", wish.origin, ref], variables });
  if (asked.code !== 0) {
    const why = asked.timedOut ? "it did not answer in time" : asked.stderr.trim().slice(-500);
    throw new Outage("ask", wish.origin, why, { mayRetry: true });
  }
  const lines = Buffer.from(asked.stdout).toString("utf8").split("\n");
  const commit = lines.find((line) => line.endsWith(`\t${ref}`))?.split("\t")[0];
  if (commit === undefined || !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return undefined;
  const has = ["rev-parse", "-q", "--verify", "--end-of-options", `${commit}^{commit}`];
  if ((await git.ask({ args: has, variables })) !== undefined) return commit;
  const kept = `refs/constel/there/${createHash("sha256").update(branch).digest("hex").slice(0, 24)}`;
  const fetch = ["-c", "fetch.fsckObjects=true", "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--refmap="];
  const brought = await git.talk({ args: [...fetch, "--", wish.origin, `+${ref}:${kept}`], variables });
  if (brought.code !== 0)
    throw new Outage("fetch", `${branch} from ${wish.origin}`, brought.stderr.trim().slice(-500), { mayRetry: true });
  return commit;
}
