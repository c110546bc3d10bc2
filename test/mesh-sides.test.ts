// Constellations that have nothing in common but lines to each other and an origin: collisions across them are foreseen on both sides, between siblings by
// their root, where all owners shared the repository.

import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./kit/directory.ts";
import { until } from "./kit/home.ts";
import { makeOrigin, sharedRefs, TeamMember } from "./kit/team-member.ts";
import { text } from "./kit/worktrees-home.ts";

const some = (list: readonly unknown[]): boolean => list.length > 0;
const none = (list: readonly unknown[]): boolean => list.length === 0;

/** A worktree in which an agent has changed one line. */
async function begin(who: TeamMember, branch: string, line: string): Promise<string> {
  expect((await who.constel(["repo", "add"], { cwd: who.clone })).code).toBe(0);
  const path = who.worktree(branch);
  who.session("agent1", path);
  who.write(path, { "x.txt": text({ 3: line }) });
  return path;
}

test("two siblings hear of each other's uncommitted work by their root; it ends with the work, the share and the peer", async () => {
  using place = temporaryDirectory("origin");
  const origin = makeOrigin(place.path, { "x.txt": text() });
  await using root = new TeamMember("constel0", undefined, origin);
  await using ada = new TeamMember("ada", undefined, origin);
  await using bob = new TeamMember("bob", undefined, origin);
  await root.keepLines();
  for (const sibling of [ada, bob]) await sibling.keepLines({});
  await begin(ada, "cents", "cents");
  const theirs = await begin(bob, "euros", "euros");
  expect((await root.constel(["repo", "add"], { cwd: root.clone })).code).toBe(0);

  // Nobody is there to hear of it: nothing is sent.
  expect((await ada.constel(["repo", "share", ada.clone])).stdout).toContain("it reaches nobody");
  for (const sibling of [ada, bob]) await sibling.pairWith(root);
  expect((await bob.constel(["repo", "share", bob.clone])).stdout).toContain("with every peer of the mesh");
  await until(
    "the siblings' work is at the origin",
    () => sharedRefs(origin),
    (refs) => refs.length === 2,
  );
  expect([await ada.titles(), await bob.titles()]).toEqual([[], []]);

  // The root's owner shares it too: from then on it passes on what its siblings say.
  expect((await root.constel(["repo", "share", root.clone])).code).toBe(0);
  const adas = await ada.heard("agent1", (said) => said.includes("euros"));
  const bobs = await bob.heard("agent1", (said) => said.includes("cents"));
  expect(adas).toContain("cents and euros (agent1, bob by constel0 on ");
  expect(bobs).toContain("(agent1, ada by constel0 on ");
  expect((await ada.constel(["repo", "shared"])).stdout).toContain("bob by constel0");

  bob.write(theirs, { "x.txt": text({ 9: "elsewhere" }) });
  await until("ada's finding is over", () => ada.titles(), none);
  bob.write(theirs, { "x.txt": text({ 3: "euros" }) });
  await until("it is back", () => ada.titles(), some);
  await root.json(["mesh", "evict", "bob", "--reason", "sold"]);
  await until("nothing is compared with who was evicted", () => ada.titles(), none);

  for (const one of [ada, bob]) await one.constel(["repo", "unshare", one.clone]);
  await until("nothing is left at the origin", () => sharedRefs(origin), none);
}, 600_000);

test("an origin that takes no private refs: the work comes over the line", async () => {
  using place = temporaryDirectory("origin");
  const origin = makeOrigin(place.path, { "x.txt": text() });
  const hook = join(origin, "hooks/update");
  writeFileSync(hook, '#!/bin/sh\ncase $1 in refs/constel/*) echo "no private refs here" >&2; exit 1;; esac\n');
  chmodSync(hook, 0o755);
  await using root = new TeamMember("constel0", undefined, origin);
  await using ada = new TeamMember("ada", undefined, origin);
  await root.keepLines();
  await ada.keepLines({});
  await ada.pairWith(root);
  await begin(root, "cents", "cents");
  await begin(ada, "euros", "euros");
  for (const who of [root, ada]) expect((await who.constel(["repo", "share", who.clone])).code).toBe(0);
  expect((await until("the root knows", () => root.titles(), some)).join()).toContain("euros (agent1, ada on ");
  expect((await until("the sibling knows", () => ada.titles(), some)).join()).toContain("cents (agent1, constel0 on ");
  expect(sharedRefs(origin)).toEqual([]);
}, 400_000);
