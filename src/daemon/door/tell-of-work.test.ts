import { expect, test } from "bun:test";
import { sqliteScene, withStore } from "../../../test/kit/databases.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { systemRandom } from "../../host/clock/system-clock.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import type { TableName, Tables } from "../../store/tables.ts";
import { storedTexts } from "./stored-texts.ts";
import { tellOfFinding } from "./tell-of-work.ts";

const here = withStore(sqliteScene);
const put = (table: TableName, row: Record<string, unknown>) =>
  here.store.write((tx) => tx.insert(table, { constellation: "constel0", ...row } as unknown as Tables[TableName]));

async function finding(id: string, ours: string | null, theirs: string | null): Promise<void> {
  await put("findings", {
    id,
    fingerprint: id,
    kind: "semantic",
    severity: "high",
    repository: "r",
    pair: id,
    ours_label: "a",
    ours_worktree: ours,
    ours_branch: null,
    theirs_label: "b",
    theirs_worktree: theirs,
    theirs_branch: null,
    title: "a renames price; b calls it",
    action: "Agree on the name.",
    files: "[]",
    symbols: "[]",
    evidence: "[]",
    evidence_hash: "",
    evidence_kind: "",
    by_compiler: 0,
    blocking: 0,
    state: "open",
    opened_ms: 5,
    updated_ms: 5,
    closed_ms: null,
    closed_because: null,
    closed_by: null,
    times_opened: 1,
    dismissed_ms: null,
    dismissed_by: null,
    dismissed_reason: null,
    dismissed_scope: null,
    dismissal: null,
  });
}
const worktree = (path: string, agent: string | null) =>
  put("worktrees", {
    path,
    repository: "r",
    branch: null,
    head: null,
    snapshot_commit: null,
    snapshot_tree: null,
    operation: null,
    skipped: null,
    detail: null,
    ahead: null,
    behind: null,
    uncommitted: 1,
    agent,
    first_seen_ms: 1,
    changed_ms: null,
    last_observed_ms: 1,
  });

function scene(home: string) {
  const bus = {
    home,
    clock: here.clock,
    random: systemRandom,
    liveness: systemLiveness,
    sign: undefined,
    recorder: undefined,
  };
  const context = {
    store: here.store,
    clock: here.clock,
    random: systemRandom,
    constellation: "constel0",
    actor: "owner",
  };
  return { tell: (id: string, note?: string) => tellOfFinding({ bus, texts: storedTexts }, context, { id, note }) };
}

test("both sides of a finding are told once each, with what to do, by the owner", async () => {
  using home = temporaryDirectory("tell");
  const { tell } = scene(home.path);
  await worktree("/w/a", "agent1");
  await worktree("/w/b", "agent2");
  await finding("fnd_000001", "/w/a", "/w/b");
  expect(await tell("fnd_000001", "agent2 keeps the name")).toEqual({ id: "fnd_000001", agents: ["agent1", "agent2"] });
  const boxes = await Promise.all(
    ["agent1", "agent2"].map(async (agent) => [
      ...new Bun.Glob(`channels/agent/${agent}/inbox/*.json`).scanSync(home.path),
    ]),
  );
  expect(boxes.map((box) => box.length)).toEqual([1, 1]);
  const [file = ""] = boxes[0] ?? [];
  const { from, text } = (await Bun.file(`${home.path}/${file}`).json()) as { from: string; text: string };
  expect([from, text]).toEqual([
    "agentowner",
    "This collision is to be settled between you and agent2: a renames price; b calls it\nAgree on the name.\nagent2 keeps the name\nBoth sides' lines: constel conflicts --explain 000001",
  ]);
});

test("a finding of branches that nobody works on has nobody to tell", async () => {
  using home = temporaryDirectory("tell");
  const { tell } = scene(home.path);
  await finding("fnd_000002", "/w/nobody", null);
  expect(await rejection(tell("fnd_000002"))).toMatchObject({ code: "finding.nobody" });
});
