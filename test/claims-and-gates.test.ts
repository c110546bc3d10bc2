// Tests what agents claim and what the gate says of two lines of work merged, on the real program.

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "./kit/home.ts";
import { text, WorktreesHome } from "./kit/worktrees-home.ts";
import { rejection } from "./kit/rejection.ts";

const files = { "src/store/a.ts": "export const a = 1;\n", "src/b.ts": "export const b = 1;\n" };
const trespass = "b edits src/store/a.ts, which agent1 (a) has claimed: moving it";

test("an edit inside another's claim is a finding, and is over when the claim ends by itself", async () => {
  await using at = new WorktreesHome(files);
  await at.observe();
  at.write(at.b, { "src/store/a.ts": "export const a = 2;\n", "src/b.ts": "export const b = 2;\n" });
  at.write(at.a, { "src/store/own.ts": "export const own = 1;\n" });
  await at.touch(at.a);
  await at.touch(at.b);
  expect(await at.titles()).toEqual([]);
  const claim = ["claim", "add", "store", "--reason", "moving it", "--severity", "high"];
  const made = await at.constel(claim, { cwd: join(at.a, "src"), env: { CONSTEL_AGENT: "agent1" } });
  expect(made.stdout).toContain("agent1 claims src/store until");
  await until(
    "the trespass is known",
    () => at.titles(),
    (titles) => titles.includes(trespass),
  );
  const { findings } = await at.caller.call("finding.list", {});
  expect(findings).toMatchObject([{ kind: "claim", severity: "high", files: ["src/store/a.ts"] }]);
  const listed = await at.constel(["claim", "ls"]);
  expect(listed.stdout).toMatch(/agent1 +high .*app +src\/store +moving it/);
  // An agent speaks for itself only.
  const [{ id } = { id: "" }] = (await at.caller.call("claim.list", {})).claims;
  expect(await rejection(at.callerAs("agent2").call("claim.drop", { id }))).toMatchObject({ code: "claim.not-yours" });
  const outside = await at.constel(["claim", "add", "../app"], { cwd: at.a });
  expect(outside.stderr).toContain("[claim.outside]");
  const held = async () => {
    const [plan] = (await at.caller.call("plan.landing", {})).repositories;
    return plan?.steps.flatMap(({ label, why }) => (why.some((one) => one.startsWith("it is held:")) ? [label] : []));
  };
  expect(await held()).toEqual([]);
  await at.constel([...claim, "--exclusive"], { cwd: join(at.a, "src"), env: { CONSTEL_AGENT: "agent1" } });
  // Whoever edits is held, not the holder.
  expect(await held()).toEqual(["b"]);
  // The same paths again renew it, here to its end.
  const renewed = [...claim, "--for", "1s"];
  await at.constel(renewed, { cwd: join(at.a, "src"), env: { CONSTEL_AGENT: "agent1" } });
  await until(
    "the claim is over",
    () => at.titles(),
    (titles) => titles.length === 0,
  );
  expect((await at.caller.call("claim.list", {})).claims).toEqual([]);
  expect(await at.events("finding.")).toEqual(["finding.opened", "finding.closed"]);
  expect(await at.events("claim.")).toEqual(["claim.made", "claim.renewed", "claim.renewed"]);
});

test("what a side only took in from the default branch is no edit inside a claim, and a drop ends it", async () => {
  await using at = new WorktreesHome(files);
  at.write(at.repository, { "src/store/a.ts": "export const a = 3;\n" });
  at.git(at.repository, "commit", "-qam", "landed");
  at.git(at.b, "merge", "-q", "main");
  await at.observe();
  await at.caller.call("worktree.observe", { path: at.a, agent: "agent1" });
  const { id } = await at.caller.call("claim.add", { path: at.a, paths: ["src/store", "*.sql"], agent: "agent1" });
  at.write(at.b, { "db/one.sql": "select 1;\n" });
  await at.touch(at.b);
  await until(
    "the edit in the claim is known",
    () => at.titles(),
    (titles) => titles.length > 0,
  );
  const { findings } = await at.caller.call("finding.list", {});
  expect(findings).toMatchObject([{ kind: "claim", severity: "medium", files: ["db/one.sql"] }]);
  // Forgotten and added again, with the claim still there.
  await at.constel(["repo", "forget", "app"]);
  expect(await at.titles()).toEqual([]);
  await at.observe();
  await until(
    "the claim counts again",
    () => at.titles(),
    (titles) => titles.length === 1,
  );
  expect((await at.constel(["claim", "drop", id.slice(-6)])).stdout).toBe("agent1 no longer claims it.\n");
  await until(
    "it is over",
    () => at.titles(),
    (titles) => titles.length === 0,
  );
});

test("a gate that only the merge fails is a finding: by the landed command, once per tree, closed when it passes", async () => {
  await using at = new WorktreesHome({ "x.txt": text() });
  const [runs, evil] = [join(at.top, "runs"), join(at.top, "evil")];
  // Red when both sides' lines are there.
  const gate = `echo "$CONSTEL_GATE_TREE" >> ${runs}; ! { grep -q '^a$' x.txt && grep -q '^b$' x.txt; }`;
  at.write(at.repository, { "constel.toml": '[gate]\ncommand = "sh gate.sh"\n', "gate.sh": gate });
  at.git(at.repository, "add", "-A");
  at.git(at.repository, "commit", "-qm", "gate");
  for (const worktree of [at.a, at.b]) at.git(worktree, "merge", "-q", "main");
  mkdirSync(at.home, { mode: 0o700 });
  writeFileSync(join(at.home, "config.toml"), '[[gate.pairs]]\nrepository = "app"\nsettle_seconds = 0\n');
  await at.observe();
  at.write(at.a, { "x.txt": text({ 1: "a" }), "constel.toml": `[gate]\ncommand = "touch ${evil}"\n` });
  at.write(at.b, { "x.txt": text({ 10: "b" }) });
  await at.touch(at.a);
  await at.touch(at.b);
  const isOpen = (titles: string[]): boolean =>
    titles.some((title) => title === "the gate fails on a and b merged, and passes on each alone");
  await until("the finding", () => at.titles(), isOpen);
  // Merged, each alone, merged once more.
  const trees = readFileSync(runs, "utf8").trim().split("\n");
  expect([trees.length, new Set(trees).size]).toEqual([4, 3]);
  await at.constel(["daemon", "stop"]);
  await at.constel(["daemon", "start"]);
  await at.touch(at.a);
  expect(isOpen(await at.titles())).toBe(true);
  at.write(at.b, { "x.txt": text({ 10: "fits" }) });
  await at.touch(at.b);
  await until(
    "the gate has passed",
    () => at.titles(),
    (titles) => titles.length === 0,
  );
  expect(readFileSync(runs, "utf8").trim().split("\n").length).toBe(5);
  expect(await Bun.file(evil).exists()).toBe(false);
  expect(await at.events("finding.")).toEqual(["finding.opened", "finding.closed"]);
  expect(at.git(at.repository, "status", "--porcelain")).toBe("");
});
