// Two constellations over one database, each with a clone of one origin: collisions across them are foreseen on both sides where both owners shared the
// repository, and nothing leaves a machine whose owner did not.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "./kit/directory.ts";
import { until } from "./kit/home.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";
import { makeOrigin, sharedRefs, TeamMember } from "./kit/team-member.ts";
import { text } from "./kit/worktrees-home.ts";

const some = (list: readonly unknown[]): boolean => list.length > 0;
const none = (list: readonly unknown[]): boolean => list.length === 0;

describe.skipIf(withoutPostgres !== undefined)("sides of other machines", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("both agents are told of a collision with uncommitted work elsewhere; it ends with the work, and what was sent is taken away", async () => {
    using place = temporaryDirectory("origin");
    const origin = makeOrigin(place.path, { "x.txt": text() });
    const store = await server.database();
    await using ada = new TeamMember("ada", store, origin);
    await using bob = new TeamMember("bob", store, origin);
    const [mine, theirs] = [ada.worktree("cents"), bob.worktree("euros")];
    for (const [who, path] of [
      [ada, mine],
      [bob, theirs],
    ] as const) {
      expect((await who.constel(["repo", "add"], { cwd: who.clone })).code).toBe(0);
      who.session("agent1", path);
    }
    ada.write(mine, { "x.txt": text({ 3: "cents" }) });
    bob.write(theirs, { "x.txt": text({ 3: "euros" }) });
    // One shares, the other does not: nothing of the other is anywhere, and nobody is told.
    expect((await ada.constel(["repo", "share", ada.clone, "--with-team"])).stdout).toContain(
      "with every constellation",
    );
    await until("ada's work is at the origin", () => sharedRefs(origin), some);
    expect(sharedRefs(origin).every((ref) => ref.startsWith("refs/constel/ada/"))).toBe(true);
    expect(await bob.json<unknown[]>(["query", "select distinct constellation from shared_sides"])).toEqual([
      { constellation: "ada" },
    ]);
    expect([await ada.titles(), await bob.titles()]).toEqual([[], []]);

    expect((await bob.constel(["repo", "share", bob.clone])).code).toBe(0);
    const adas = await ada.heard("agent1", (said) => said.includes("euros"));
    const bobs = await bob.heard("agent1", (said) => said.includes("cents"));
    expect(adas).toContain("cents and euros (agent1, bob on ");
    expect(bobs).toContain("(agent1, ada on ");
    expect(adas).toContain("x.txt");
    // The user's repositories know nothing of it.
    for (const who of [ada, bob]) {
      expect(who.git(who.clone, "for-each-ref", "refs/constel")).toBe("");
      expect(who.git(who.clone, "count-objects", "-v")).toContain("size-garbage: 0");
    }
    const tip = sharedRefs(origin).find((ref) => ref.includes("/bob/")) ?? "";
    const commit = Bun.spawnSync(["git", "--git-dir", origin, "rev-parse", tip]).stdout.toString().trim();
    expect(Bun.spawnSync(["git", "cat-file", "-e", commit], { cwd: ada.clone }).exitCode).not.toBe(0);
    // Seen in a list, with where it goes.
    expect((await ada.constel(["repo", "shared"])).stdout).toContain("by origin");

    // The other undoes it: both hear no more of it.
    bob.write(theirs, { "x.txt": text({ 9: "elsewhere" }) });
    await until("ada's finding is over", () => ada.titles(), none);
    await until("bob's finding is over", () => bob.titles(), none);
    bob.write(theirs, { "x.txt": text({ 3: "euros" }) });
    await until("it is back", () => ada.titles(), some);

    expect((await bob.constel(["repo", "unshare", bob.clone])).stdout).toContain("No longer sharing");
    await until("bob's refs are gone", () => sharedRefs(origin).filter((ref) => ref.includes("/bob/")), none);
    await until("nothing is compared with them", () => ada.titles(), none);
    expect(await ada.json<unknown[]>(["query", "select 1 from shared_sides where constellation = 'bob'"])).toEqual([]);
  }, 400_000);

  test("an origin that takes no private refs: the work goes through the database; a worktree with a secret in it stays, and that is said", async () => {
    using place = temporaryDirectory("origin");
    const origin = makeOrigin(place.path, { "x.txt": text() });
    const hook = join(origin, "hooks/update");
    writeFileSync(hook, '#!/bin/sh\ncase $1 in refs/constel/*) echo "no private refs here" >&2; exit 1;; esac\n');
    chmodSync(hook, 0o755);
    const store = await server.database();
    await using ada = new TeamMember("ada", store, origin);
    await using bob = new TeamMember("bob", store, origin);
    const [mine, theirs] = [ada.worktree("cents"), bob.worktree("euros")];
    const leaky = bob.worktree("leaky");
    ada.write(mine, { "x.txt": text({ 3: "cents" }) });
    bob.write(theirs, { "x.txt": text({ 3: "euros" }) });
    bob.write(leaky, {
      "x.txt": text({ 3: "leaky" }),
      "key.txt": `${["ghp", "_"].join("")}${"a1B2c3D4e5".repeat(4)}\n`,
    });
    for (const who of [ada, bob]) {
      await who.constel(["repo", "add"], { cwd: who.clone });
      expect((await who.constel(["repo", "share", who.clone])).code).toBe(0);
    }
    const titles = await until("ada knows", () => ada.titles(), some);
    await until("bob knows", () => bob.titles(), some);
    expect(sharedRefs(origin)).toEqual([]);
    expect(titles.join()).toContain("euros");
    expect(titles.join()).not.toContain("leaky");
    const sides = (await bob.shared())?.sides ?? [];
    const routes = Object.fromEntries(sides.map(({ branch, route, detail }) => [branch, [route, detail]]));
    expect(routes).toEqual({
      euros: ["bundle", null],
      leaky: ["nowhere", "leaky: key.txt holds what looks like a GitHub token"],
    });
    expect((await bob.shared())?.problem).toContain("a GitHub token");
    expect(
      await ada.json<unknown[]>([
        "query",
        "select branch from shared_sides where route <> 'nowhere' and constellation = 'bob'",
      ]),
    ).toEqual([{ branch: "euros" }]);
  }, 400_000);
});
