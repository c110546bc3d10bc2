// Finds what completion offers for a word that names something of this constellation: an agent, a task, a setting. Nothing is started for
// it, and what cannot be read in time is not offered.

import { withDeadline } from "../../../floor/deadline.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { Git } from "../../../host/git/git.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { runtimes } from "../../../host/runtime/all.ts";
import { readRingOf } from "../../../host/keys/key-files.ts";
import type { RingKey } from "../../../host/keys/ring.ts";
import { settingKeys, valuesOf } from "../../../settings/declarations.ts";
import type { Caller } from "../../../client/caller.ts";
import type { Offer } from "./command-shape.ts";
import type { CliContext } from "../context.ts";
import { shortOf } from "../present/finding-lines.ts";
import { serverNames } from "../reach/servers.ts";
import { savedNames } from "../../../floor/saved-queries.ts";

export type Candidate = readonly [word: string, about: string];

/** Somebody who presses Tab waits no longer than this. */
const longestMs = 1_500;
const most = 200;

/** `before`: the words that stand before it. */
export async function offered(
  context: CliContext,
  offer: Offer,
  before: readonly string[],
): Promise<readonly Candidate[]> {
  try {
    return await withDeadline(systemClock, longestMs, () => offers[offer](context, before));
  } catch {
    return [];
  }
}

type Offers = Readonly<
  Record<Offer, (context: CliContext, before: readonly string[]) => Promise<readonly Candidate[]>>
>;

const offers: Offers = {
  agents: asked(async (caller) =>
    (await caller.list("agents.list", {}, ["agent", "state"])).agents.map(({ agent, state }) => [agent, state]),
  ),
  approvals: asked(async (caller) =>
    (await caller.call("approval.list", {})).approvals.map(({ id, agent, asked: text }) => [
      shortOf(id),
      `${agent}: ${text}`,
    ]),
  ),
  assignments: async () => settingKeys.map((key) => [`${key}=`, ""] as const),
  branches: async ({ cwd, env }) => {
    const git = new Git({ processes: systemProcesses, environment: env, deadlineMs: longestMs });
    const args = [
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${most}`,
      "--format=%(refname:short)",
      "refs/heads",
    ];
    const { stdout } = await git.try({ args, cwd });
    const names = Buffer.from(stdout).toString("utf8").split("\n").filter(Boolean);
    return names.map((name) => [name, ""] as const);
  },
  claims: asked(async (caller) =>
    (await caller.list("claim.list", {}, ["id", "holder", "paths"])).claims.map(({ id, holder, paths }) => [
      shortOf(id),
      `${holder}: ${paths.join(", ")}`,
    ]),
  ),
  decisions: asked(async (caller) =>
    (await caller.call("decision.list", {})).decisions.map(({ id, title }) => [shortOf(id), title]),
  ),
  findings: asked(async (caller) =>
    (await caller.list("finding.list", { limit: most }, ["id", "title"])).findings.map(({ id, title }) => [
      shortOf(id),
      title,
    ]),
  ),
  holders: async (context) =>
    [...new Set(keysOf(context).map(({ holder }) => holder))].map((one) => [one, ""] as const),
  keys: async (context) =>
    keysOf(context).flatMap(({ holder, id }) => [
      [holder, ""],
      [id, holder],
    ]),
  memories: asked(async (caller) =>
    (await caller.call("memory.recall", { limit: 100 })).memories.map(({ id, text }) => [shortOf(id), text]),
  ),
  needs: asked(async (caller) =>
    (await caller.call("attention.list", { snoozed: true })).rows.map(({ key, says }) => [key, says]),
  ),
  notices: asked(async (caller) =>
    (await caller.list("notice.list", { limit: most }, ["id", "agent", "title"])).notices.map(
      ({ id, agent, title }) => [shortOf(id), `${agent}: ${title}`],
    ),
  ),
  repositories: asked(async (caller) =>
    (await caller.call("repository.list", {})).repositories.map(({ name, repository }) => [name, repository]),
  ),
  runtimes: async () => runtimes.map(({ name }) => [name, ""] as const),
  "saved-queries": async ({ places }) => savedNames(places.home).map((name) => [name, ""] as const),
  schedules: asked(async (caller) =>
    (await caller.call("schedule.list", {})).schedules.map(({ label, kind }) => [label, kind]),
  ),
  servers: async ({ places }) => serverNames(places.home).map((name) => [name, ""] as const),
  settings: async () => settingKeys.map((key) => [key, ""] as const),
  tasks: asked(async (caller) =>
    (await caller.list("task.list", { limit: most }, ["number", "state", "title"])).tasks.map(
      ({ number, state, title }) => [String(number), `${state}: ${title}`],
    ),
  ),
  tokens: asked(async (caller) =>
    (await caller.call("token.list", {})).tokens
      .filter(({ revoked_ms: revoked }) => revoked === null)
      .map(({ id, name }) => [id, name]),
  ),
  values: async (_, before) => valuesOf(before.at(-1) ?? "").map((value) => [value, ""] as const),
};

/** Those that count now. */
const keysOf = ({ places }: CliContext): readonly RingKey[] =>
  readRingOf(places.home).keys.filter((key) => key.untilMs === undefined && key.revokedMs === undefined);

/** Reads start no daemon. */
function asked(
  ask: (caller: Caller) => Promise<readonly Candidate[]>,
): (context: CliContext) => Promise<readonly Candidate[]> {
  return async (context) => await ask(await context.caller());
}
