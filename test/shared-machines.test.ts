// Two machines as network namespaces, one origin and one Postgres that both reach: a collision across them is printed by both agents' hooks, and a repository
// that was not shared sends nothing, as all packets of its machine show.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import postgres from "postgres";
import { temporaryDirectory } from "./kit/directory.ts";
import { until } from "./kit/home.ts";
import { Networks, serverAddress, withoutNetworks } from "./kit/networks.ts";
import { startPostgres, type TestPostgres, withoutPostgres } from "./kit/postgres.ts";
import { makeOrigin, sharedRefs, TeamMember } from "./kit/team-member.ts";
import { text } from "./kit/worktrees-home.ts";

const without = withoutPostgres ?? withoutNetworks;
const some = (list: readonly unknown[]): boolean => list.length > 0;

/** As an agent's own program calls its hook before the next turn. */
async function hook(who: TeamMember, cwd: string): Promise<string> {
  const payload = { session_id: "s-agent1", cwd, hook_event_name: "UserPromptSubmit", prompt: "go on" };
  const ran = await who.constel(["hook", "claude"], {
    cwd,
    env: { CONSTEL_AGENT: "agent1" },
    input: JSON.stringify(payload),
  });
  return ran.stdout;
}

describe.skipIf(without !== undefined)(
  `two machines with a network between them${without === undefined ? "" : ` (${without})`}`,
  () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    test("a collision is told to both agents by their hooks; of what is not shared no packet and no ref says anything", async () => {
      using place = temporaryDirectory("machines");
      await using networks = new Networks(["ada", "bob"]);
      const url = new URL(await server.database());
      const admin = postgres(url.href, { max: 1 });
      const [row] = await admin`select current_setting('unix_socket_directories') as directory`;
      await admin.end();
      const socket = join(String(row?.["directory"]), `.s.PGSQL.${url.port}`);
      const bun = [process.execPath, "--no-env-file", "--config=/dev/null"];
      await networks.start(
        "server",
        [...bun, join(import.meta.dir, "kit/forward.ts"), serverAddress, "5432", socket],
        "stdout",
      );
      const [shared, own] = [join(place.path, "a"), join(place.path, "b")];
      Bun.spawnSync(["mkdir", "-p", shared, own]);
      const origins = { app: makeOrigin(shared, { "x.txt": text() }), diary: makeOrigin(own, { "y.txt": text() }) };
      for (const [name, origin] of Object.entries(origins))
        Bun.spawnSync(["mv", origin, join(place.path, `${name}.git`)]);
      const gitDaemon = join(Bun.spawnSync(["git", "--exec-path"]).stdout.toString().trim(), "git-daemon");
      const serving = [
        "--verbose",
        "--reuseaddr",
        "--export-all",
        "--enable=receive-pack",
        `--base-path=${place.path}`,
      ];
      await networks.start("server", [gitDaemon, ...serving, `--listen=${serverAddress}`, place.path], "stderr");

      const store = `postgres://app@${serverAddress}:5432${url.pathname}`;
      const address = (name: string): string => `git://${serverAddress}/${name}.git`;
      await using ada = new TeamMember("ada", store, address("app"), networks.on("ada"));
      await using bob = new TeamMember("bob", store, address("app"), networks.on("bob"));
      const diary = join(bob.top, "diary");
      bob.git(bob.top, "clone", "-q", address("diary"), diary);
      // From here on everything that bob's machine sends and hears is kept.
      const ended = await networks.capture("bob", 2, place.path);
      const quiet = { CONSTEL_REPO_FETCH_SECONDS: "0" };
      const [mine, theirs] = [ada.worktree("cents"), bob.worktree("euros")];
      ada.write(mine, { "x.txt": text({ 3: "cents" }) });
      bob.write(theirs, { "x.txt": text({ 3: "euros" }) });
      bob.write(diary, { "y.txt": text({ 3: "dear-diary-4711" }), "new.txt": "dear-diary-4712\n" });
      for (const who of [ada, bob]) {
        // Nobody asks origins for their branches: whatever goes there is sent by what is shared.
        expect((await who.constel(["daemon", "start"], { env: quiet })).code).toBe(0);
        expect((await who.constel(["repo", "add"], { cwd: who.clone })).code).toBe(0);
        who.session("agent1", who === ada ? mine : theirs);
        expect((await who.constel(["repo", "share", who.clone, "--with-team"])).code).toBe(0);
      }
      expect((await bob.constel(["repo", "add"], { cwd: diary })).code).toBe(0);
      await ada.heard("agent1", (said) => said.includes("euros"));
      await bob.heard("agent1", (said) => said.includes("cents"));
      const [adas, bobs] = [await hook(ada, mine), await hook(bob, theirs)];
      expect(adas).toContain("euros (agent1, bob on ");
      expect(bobs).toContain("cents (agent1, ada on ");
      // Another state of the shared work has gone out since the diary is watched.
      const before = sharedRefs(join(place.path, "app.git"));
      bob.write(theirs, { "x.txt": text({ 3: "euros", 9: "more" }), "z.txt": "new\n" });
      bob.write(diary, { "new.txt": "dear-diary-4713\n" });
      const files = (): string[] => {
        const ref = before.find((one) => one.includes("/bob/")) ?? "";
        const git = ["git", "--git-dir", join(place.path, "app.git"), "ls-tree", "--name-only", ref];
        return Bun.spawnSync(git).stdout.toString().split("\n");
      };
      await until("the newer state is at the origin", files, (names) => names.includes("z.txt"));
      await bob.constel(["daemon", "stop"]);
      const packets = (await ended()).toString("latin1");
      // The shared one is in the capture, so the capture sees.
      expect([packets.includes("/app.git"), packets.includes("refs/constel/bob/")]).toEqual([true, true]);
      expect(packets).not.toContain("/diary.git\0");
      expect(packets).not.toContain("dear-diary");
      expect(sharedRefs(join(place.path, "diary.git"))).toEqual([]);
      expect(some(sharedRefs(join(place.path, "app.git")))).toBe(true);
      const rows = await ada.json<{ repository: string }[]>(["query", "select distinct repository from shared_sides"]);
      expect(rows).toEqual([{ repository: `remote:${serverAddress}/app` }]);
    }, 600_000);
  },
);
