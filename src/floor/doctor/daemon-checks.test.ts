import { expect, test } from "bun:test";
import type { DoctorContext } from "./check.ts";
import type { SensingState } from "../../protocol/sensing-state.ts";
import { daemonChecks } from "./daemon-checks.ts";

async function saw(
  problems: readonly { loop: string; problem: string }[],
  sensing?: SensingState,
  foreign?: string,
  open: readonly string[] = [],
): Promise<[string, string, string][]> {
  const context = {
    daemonNow: async () => "answers",
    daemonIsForeign: async () => foreign,
    daemonProblems: async () => problems,
    daemonSensing: async () => sensing,
    daemonOpen: async () => open,
  } as unknown as DoctorContext;
  const results = await Promise.all(daemonChecks.map(({ look }) => look(context)));
  return results.flat().map(({ state, saw: what, means }) => [state, what, means ?? ""]);
}

test("a daemon that answers and cannot look at repositories is not well", async () => {
  expect(await saw([])).toEqual([["well", "it answers", ""]]);
  expect(await saw([{ loop: "observe", problem: "no parser" }])).toEqual([
    [
      "broken",
      "it answers, but its loop observe fails: no parser",
      "Repositories are not looked at: no collision is foreseen.",
    ],
  ]);
});

test("says how many worktrees are watched and how many are polled, and how often", async () => {
  const one = { repository: "r", worktrees: 5, looked: 5, watched: 5, polled: 0, poll_ms: null, pairs_waiting: 0 };
  const watches = { used: 40, most: 900 };
  expect((await saw([], { helpers: [], watches, processes: [], unchecked: [], repositories: [one] }))[1]).toEqual([
    "well",
    "5 worktrees watched, with 40 of at most 900 watches; 0 polled",
    "",
  ]);
  const other = { ...one, watched: 1, polled: 4, poll_ms: 4_200 };
  expect(
    (await saw([], { helpers: [], watches, processes: [], unchecked: [], repositories: [one, other] }))[1],
  ).toEqual([
    "note",
    "6 worktrees watched, with 40 of at most 900 watches; 4 polled, each every 5 s or sooner",
    "An edit that no agent's hook tells of is seen that much later there.",
  ]);
});

test("what a comparison was not asked stands beside what is well, once", async () => {
  const one = { repository: "r", worktrees: 2, looked: 2, watched: 2, polled: 0, poll_ms: null, pairs_waiting: 0 };
  const sensing = { helpers: [], watches: { used: 4, most: 900 }, processes: [], unchecked: [], repositories: [one] };
  const named = async (open: readonly string[]) => (await saw([], sensing, undefined, open)).slice(2);
  expect(await named([])).toEqual([]);
  const means = "Collisions that only show there are not found. Everything else is looked at.";
  expect(await named(["a.json (two) is too large"])).toEqual([
    ["note", "not everything was compared: a.json (two) is too large", means],
  ]);
  expect(await named(["a.json (two) is too large", "no pyright", "b"])).toEqual([
    ["note", "not everything was compared: a.json (two) is too large (and 2 more)", means],
  ]);
  expect(await saw([], undefined, undefined, ["b"])).toEqual([["well", "it answers", ""]]);
});

test("a daemon of another installation is not well; one from before an update is only named", async () => {
  expect((await saw([], undefined, "/opt/other")).map(([state, what]) => [state, what])).toEqual([
    ["broken", "it is another build of constel, started from /opt/other"],
  ]);
  const context = { daemonNow: async () => "outdated" } as unknown as DoctorContext;
  expect((await Promise.all(daemonChecks.map(({ look }) => look(context)))).flat()).toMatchObject([
    { state: "note", saw: "it is from before an update of constel" },
  ]);
});
