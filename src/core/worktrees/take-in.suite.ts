// Tests that what sensing reports is taken into a real store the same way on both databases.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { FindingDraft, OpenPart, PairSide, PairVerdict } from "../../protocol/findings.ts";
import type { ObservedWorktree, RepositoryReport } from "../../ports/sensing.ts";
import type { MakeScene } from "../../../test/kit/databases.ts";
import { withStore } from "../../../test/kit/databases.ts";
import type { Tx } from "../../store/group-commit.ts";
import { verifyChain } from "../../store/timeline.ts";
import { addClaim, heldClaims } from "../claims/claim.ts";
import { dismissFinding } from "../findings/dismiss.ts";
import { gateRun, keepGateRun } from "../findings/gate-runs.ts";
import { prune } from "../findings/prune.ts";
import { showFinding } from "../findings/queries.ts";
import type { Context } from "../context.ts";
import { findingsOf } from "./findings-of.ts";
import { listRepositories } from "./list.ts";
import { planFor } from "./plan.ts";
import { forget, register } from "./register.ts";
import { silenceOf } from "./silence.ts";
import { takeIn } from "./take-in.ts";
import { rejection } from "../../../test/kit/rejection.ts";

const repository = "remote:example.org/team/app";

const worktree = (name: string, more: Partial<ObservedWorktree> = {}): ObservedWorktree => ({
  path: `/w/${name}`,
  branch: name,
  head: "h1",
  commit: "c1",
  tree: "t1",
  operation: null,
  skipped: null,
  detail: null,
  ahead: 1,
  behind: 0,
  uncommitted: false,
  ...more,
});

const side = (name: string): PairSide => ({
  label: name,
  worktree: `/w/${name}`,
  branch: name,
  commit: "c",
  tree: "t",
});

const collision = (path: string, more: Partial<FindingDraft> = {}): FindingDraft => ({
  kind: "textual",
  severity: "high",
  fingerprint: `f ${path}`,
  title: `a and b change the same lines of ${path}`,
  action: "Talk.",
  files: [path],
  symbols: [],
  evidence: [{ rule: "content", path, symbol: null, ours: [], theirs: [], message: "" }],
  evidenceKind: `content ${path}`,
  ...more,
});

/** A workspace of a task whose gate was red for this commit. */
async function redAt(tx: Tx, { path, sha }: { readonly path: string; readonly sha: string }): Promise<void> {
  const constellation = "constel0";
  const where = { constellation, task: 1, origin: "o", target: "main", ready_sha: sha, holder: null, problem: null };
  const made = { rescue: null, kept_ms: null, created_ms: 1, removing_ms: null, removed_ms: null };
  const place = {
    root: "/w",
    place: path,
    path,
    source: "/w",
    branch: path,
    base_sha: "0",
    port_first: 0,
    port_count: 0,
  };
  const id = `workspace ${path}`;
  await tx.db
    .insertInto("workspaces")
    .values({ id, name: path, state: "ready", ...where, ...made, ...place })
    .execute();
  await sql`insert into harvests
    (id, constellation, train, task, place_in_train, workspace, origin, phase, outcome, report, attempts, ready_sha, outages, fencing_token, asked_by, asked_ms)
    values (${`harvest ${path}`}, ${constellation}, ${path}, 1, 0, ${id}, 'o', 'ended', 'red', '{}', 1, ${sha}, 0, 1, 'owner', 1)`.execute(
    tx.db,
  );
}

function report(findings: readonly FindingDraft[], more: Partial<RepositoryReport> = {}): RepositoryReport {
  const verdict = { ours: side("a"), theirs: side("b"), findings, complete: true, open: [], notes: [] };
  return {
    repository,
    defaultBranch: "origin/main",
    worktrees: [worktree("a"), worktree("b")],
    present: ["/w/a", "/w/b"],
    sides: ["worktree /w/a", "worktree /w/b"],
    landed: [],
    left: 0,
    pairs: [verdict],
    problem: null,
    ...more,
  };
}

export function takeInSuite(makeScene: MakeScene): void {
  const here = withStore(makeScene);
  const random = seededRandom(3);
  const context = (): Context => ({
    store: here.store,
    clock: here.clock,
    random,
    constellation: here.store.constellation,
    actor: "owner",
  });
  const begin = () => register(context(), { place: { repository, path: "/w/a", top: "/w/a" }, isOwnersWord: true });
  const types = async (): Promise<string[]> =>
    (await here.store.db.selectFrom("events").select("type").orderBy("seq").execute()).map(({ type }) => type);
  const open = async () => (await findingsOf(context(), { all: false, limit: 10 })).findings;

  test("what was seen is stored and told once, and the same report again writes nothing", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    const once = await types();
    expect(once).toEqual(["repository.added", "worktree.observed", "worktree.observed", "finding.opened"]);
    await takeIn(context(), report([collision("x")]));
    expect(await types()).toEqual(once);
    expect(await open()).toMatchObject([{ title: "a and b change the same lines of x", severity: "high" }]);
  });

  test("another snapshot of the same commit is stored and not told; a commit is told", async () => {
    await begin();
    await takeIn(context(), report([]));
    const before = (await types()).length;
    await takeIn(context(), report([], { worktrees: [worktree("a", { tree: "t2", commit: "c2" })] }));
    expect((await types()).length).toBe(before);
    const row = await here.store.db.selectFrom("worktrees").selectAll().where("path", "=", "/w/a").executeTakeFirst();
    expect(row?.snapshot_tree).toBe("t2");
    await takeIn(context(), report([], { worktrees: [worktree("a", { head: "h2" })] }));
    expect((await types()).slice(before)).toEqual(["worktree.observed"]);
  });

  test("a worktree that is gone takes its row and its findings with it", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    const alone = { worktrees: [], pairs: [], present: ["/w/a"], sides: ["worktree /w/a"] };
    await takeIn(context(), report([], alone));
    expect((await types()).slice(-2)).toEqual(["worktree.gone", "finding.closed"]);
    expect(await open()).toEqual([]);
    const [known] = (await listRepositories(context())).repositories;
    expect(known?.worktrees.map(({ path }) => path)).toEqual(["/w/a"]);
  });

  test("closed, back, dismissed, wider: the timeline has each step once", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    await takeIn(context(), report([]));
    await takeIn(context(), report([]));
    const closed = await here.store.db.selectFrom("findings").select("id").executeTakeFirst();
    const late = dismissFinding(context(), { id: closed?.id ?? "", reason: "late", scope: "finding" });
    expect(await rejection(late)).toMatchObject({ code: "finding.unknown" });
    await takeIn(context(), report([collision("x")]));
    const [finding] = await open();
    const id = finding?.id ?? "";
    expect(await dismissFinding(context(), { id: id.slice(-6), reason: "agreed", scope: "finding" })).toEqual({
      id,
      scope: "finding",
      dismissed: 1,
    });
    await takeIn(context(), report([]));
    await takeIn(context(), report([collision("x", { evidenceKind: "content x\ncontent y" })]));
    expect(await open()).toEqual([]);
    await takeIn(context(), report([collision("x", { evidenceKind: "modify/delete x" })]));
    expect((await types()).filter((type) => type.startsWith("finding."))).toEqual([
      "finding.opened",
      "finding.closed",
      "finding.reopened",
      "finding.dismissed",
      "finding.reopened",
    ]);
    expect(await showFinding(context(), { id })).toMatchObject({ state: "open", dismissed_reason: null });
  });

  test("a dismissal of files covers what comes later, and nobody hears of that", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    const [finding] = await open();
    await dismissFinding(context(), { id: finding?.id ?? "", reason: "generated", scope: "files" });
    const later = collision("x", { fingerprint: "another", kind: "duplicate-work" });
    await takeIn(context(), report([collision("x"), later]));
    expect(await open()).toEqual([]);
    expect((await findingsOf(context(), { all: true, limit: 10 })).findings.map(({ state }) => state)).toEqual([
      "dismissed",
      "dismissed",
    ]);
    expect((await types()).filter((type) => type === "finding.opened").length).toBe(1);
  });

  test("what is only context is kept and never told", async () => {
    await begin();
    await takeIn(context(), report([collision("x", { severity: "context", kind: "overlap" })]));
    expect(await open()).toEqual([]);
    expect((await findingsOf(context(), { all: true, limit: 10 })).total).toBe(1);
    expect((await types()).filter((type) => type.startsWith("finding."))).toEqual([]);
  });

  test("odd bytes in names are stored as they can be and do not stop anything", async () => {
    await begin();
    await takeIn(context(), report([collision("a\udcffb\0c", { fingerprint: "odd" })]));
    const [finding] = await open();
    expect(finding?.files).toEqual(["a\udcffb\0c"]);
  });

  test("a forgotten repository's reports change nothing, a hook does not bring it back, the owner does", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    expect(await forget(context(), { repository: "app" })).toMatchObject({ worktrees: 2, closed: 1 });
    await takeIn(context(), report([collision("x")]));
    expect(await open()).toEqual([]);
    const place = { repository, path: "/w/a", top: "/w/a" };
    const agent = { place, agent: "agent3", isOwnersWord: false };
    expect(await register(context(), agent)).toMatchObject({ added: false, observed: false });
    expect(await register(context(), { place, isOwnersWord: true })).toMatchObject({ added: true, observed: true });
    expect((await listRepositories(context())).repositories.length).toBe(1);
  });

  test("an agent's word puts its name to the worktree, and a look keeps it", async () => {
    await begin();
    await register(context(), {
      place: { repository, path: "/w/b", top: "/w/b" },
      agent: "agent3",
      isOwnersWord: false,
    });
    await takeIn(context(), report([]));
    const [known] = (await listRepositories(context())).repositories;
    expect(known?.worktrees.map(({ agent }) => agent)).toEqual([null, "agent3"]);
  });

  test("merge readiness says what takes points away, and the plan follows it", async () => {
    await begin();
    const worktrees = [
      worktree("a", { uncommitted: true }),
      worktree("b", { behind: 30 }),
      worktree("c", { operation: "rebase" }),
      worktree("d", { skipped: "corrupt", detail: "HEAD cannot be read" }),
      worktree("main", { ahead: 0 }),
    ];
    const present = worktrees.map(({ path }) => path);
    const sides = present.map((path) => `worktree ${path}`);
    const landing = { ours: side("b"), theirs: { ...side("main"), worktree: null, branch: "origin/main" } };
    const withMain = { ...landing, findings: [collision("z")], complete: true, open: [], notes: [] };
    const pairs = [...report([collision("x"), collision("y", { severity: "medium" })]).pairs, withMain];
    await takeIn(context(), report([], { worktrees, present, sides: [...sides, "branch origin/main"], pairs }));
    const { rows } = await sql<{
      branch: string;
      score: number;
      reasons: string;
    }>`select branch, score, reasons from merge_readiness order by branch`.execute(here.store.db);
    expect(rows.map((row) => ({ ...row, score: Number(row.score) }))).toEqual([
      {
        branch: "a",
        score: 50,
        reasons: "1 high finding; 1 medium finding; uncommitted work; 2 pairs not fully checked",
      },
      {
        branch: "b",
        score: 5,
        reasons:
          "2 high findings; 1 medium finding; conflicts with the default branch; behind the default branch by 30; 2 pairs not fully checked",
      },
      { branch: "c", score: 75, reasons: "in the middle of a rebase; 1 pair not fully checked" },
      { branch: "d", score: 0, reasons: "cannot be looked at: HEAD cannot be read; 1 pair not fully checked" },
      { branch: "main", score: 95, reasons: "2 pairs not fully checked" },
    ]);
    const [plan] = (await planFor(context(), { repository: "app" })).repositories;
    expect(plan?.steps.map(({ verdict, label }) => `${verdict} ${label}`)).toEqual([
      "land a",
      "hold c",
      "hold b",
      "hold d",
      "nothing main",
    ]);
    const { rows: shown } = await sql<{ title: string }>`select title from open_findings`.execute(here.store.db);
    expect(shown.length).toBe(3);
  });

  test("no number praises what is broken whatever the others do, and the plan holds what does not parse", async () => {
    await begin();
    const names = ["a", "b", "c", "d", "e", "main"];
    const worktrees = names.map((name) => worktree(name, { head: `h-${name}`, ahead: name === "main" ? 0 : 1 }));
    const marked: OpenPart = { what: "syntax", why: "x.md has conflict markers at line 1", sides: ["ours"] };
    const large: OpenPart = { what: "file", why: "x.bin cannot be read", sides: ["theirs"] };
    const foreign: OpenPart = { what: "syntax", why: "y.ts was not checked: syntax error", sides: ["theirs"] };
    const none = { findings: [], complete: false, notes: [] };
    const pairs = [
      { ...none, ours: side("a"), theirs: side("b"), open: [large, marked] },
      {
        ...none,
        ours: side("c"),
        theirs: side("b"),
        open: [large, { ...foreign, sides: ["ours", "theirs"] as const }],
      },
    ];
    const contract = collision("openapi.yaml", { kind: "contract", title: "d breaks" });
    const broken = { ours: { ...side("web"), worktree: "/v/web" }, theirs: side("d"), findings: [contract] };
    const all = [...pairs, { ...none, ...broken, open: [] }];
    const sides = [...names.map((name) => `worktree /w/${name}`), "worktree /v/web"];
    const present = worktrees.map(({ path }) => path);
    await takeIn(context(), report([], { worktrees, present, sides, pairs: all }));
    await here.store.write(async (tx) => {
      await redAt(tx, { path: "/w/e", sha: "h-e" });
      await redAt(tx, { path: "/w/main", sha: "another commit" });
    });
    const { rows } = await sql<{ branch: string; score: number; reasons: string }>`
      select branch, score, reasons from merge_readiness order by branch`.execute(here.store.db);
    const faulty = "a changed file does not parse or has conflict markers";
    expect(rows.map(({ branch, score, reasons }) => [branch, Number(score), reasons])).toEqual([
      ["a", 20, `${faulty}; 1 pair not fully checked`],
      ["b", 20, `${faulty}; 2 pairs not fully checked`],
      ["c", 20, `${faulty}; 1 pair not fully checked`],
      ["d", 20, "breaks a contract that others use; 1 high finding"],
      ["e", 20, "the gate was red for this commit"],
      ["main", 100, ""],
    ]);
    const [plan] = (await planFor(context(), { repository: "app" })).repositories;
    expect(plan?.steps.map(({ verdict, label, why }) => `${verdict} ${label}: ${why.join("; ")}`)).toEqual([
      "land d: breaks a contract that web uses",
      "hold e: the gate was red for this commit: it has to be mended first",
      "hold a: x.md has conflict markers at line 1",
      "hold c: y.ts was not checked: syntax error",
      "hold b: y.ts was not checked: syntax error; x.bin cannot be read",
      "nothing main: is where the others land",
    ]);
  });

  test("what is open in a pair is kept while it is, told once for all pairs, and takes the last points of readiness", async () => {
    await begin();
    const scores = async (): Promise<number[]> => {
      const { rows } = await sql<{ score: number }>`select score from merge_readiness order by branch`.execute(
        here.store.db,
      );
      return rows.map(({ score }) => Number(score));
    };
    const opened = (...open: OpenPart[]): RepositoryReport => {
      const plain = report([]);
      return { ...plain, pairs: plain.pairs.map((pair) => ({ ...pair, open, complete: open.length === 0 })) };
    };
    await takeIn(context(), opened());
    const whole = await scores();
    expect(await silenceOf(context())).toEqual({ complete: true, open: [], notes: [] });
    const syntax: OpenPart = { what: "syntax", why: "t.py was not checked: syntax error at line 3", paths: ["t.py"] };
    await takeIn(context(), opened({ what: "types", why: "", isComing: true }, syntax));
    const { complete, open } = await silenceOf(context(), repository);
    expect([complete, open.map(({ why, pairs, coming }) => [why, pairs, coming])]).toEqual([
      false,
      [
        ["types still to be checked in 1 of 1 pair", 1, true],
        ["t.py was not checked: syntax error at line 3", 1, false],
      ],
    ]);
    expect(await scores()).toEqual(whole.map((score) => score - 5));
    // The same again writes nothing; the answer takes the row away, and so does the end of a side.
    const before = await types();
    await takeIn(context(), opened({ what: "types", why: "", isComing: true }, syntax));
    expect(await types()).toEqual(before);
    await takeIn(context(), opened());
    expect((await silenceOf(context())).complete).toBe(true);
    await takeIn(context(), opened(syntax));
    await takeIn(context(), { ...opened(), pairs: [], sides: [] });
    expect((await silenceOf(context())).open.filter(({ what }) => what === "syntax")).toEqual([]);
  });

  test("what nobody was asked is kept and told once for all pairs, and nothing of that is complete", async () => {
    await begin();
    const unasked = "Python types were not checked: pyright is not on the PATH";
    const sides = ["a", "b", "c"];
    const worktrees = sides.map((name) => worktree(name, { tree: `tree of ${name}` }));
    const present = worktrees.map(({ path }) => path);
    const verdict = (one: string, other: string, notes: readonly string[]): PairVerdict => ({
      ours: { ...side(one), tree: `tree of ${one}` },
      theirs: { ...side(other), tree: `tree of ${other}` },
      findings: [],
      complete: notes.length === 0 || one === "b",
      open: [],
      notes,
    });
    const same = { ...verdict("b", "c", ["the two are the same"]), theirs: { ...side("c"), tree: "tree of b" } };
    const noted = (...notes: string[]): RepositoryReport =>
      report([], {
        worktrees,
        present,
        sides: present.map((path) => `worktree ${path}`),
        pairs: [verdict("a", "b", notes), verdict("a", "c", notes), same],
      });
    const rows = async () => await here.store.db.selectFrom("open_pairs").selectAll().orderBy("pair").execute();
    await takeIn(context(), noted());
    expect(await rows()).toEqual([]);
    here.clock.advance(1);
    await takeIn(context(), noted(unasked));
    const known = { complete: false, open: [], notes: [{ why: unasked, pairs: 2 }] };
    expect(await silenceOf(context())).toEqual(known);
    expect(await findingsOf(context(), { all: false, limit: 10 })).toMatchObject(known);
    expect((await planFor(context(), {})).repositories).toMatchObject([
      {
        ...known,
        steps: [
          ["a", "2 pairs"],
          ["b", "1 pair"],
          ["c", "1 pair"],
        ].map(([label, pairs]) => ({
          label,
          score: 99,
          reasons: [`not everything was asked about ${pairs}`],
          why: [`no collision seen; not everything was asked about ${pairs}`],
        })),
      },
    ]);
    // The same again writes nothing, not even when it was looked at.
    const { last_observed_ms: wroteMs } = await here.store.db
      .selectFrom("repositories")
      .select("last_observed_ms")
      .executeTakeFirstOrThrow();
    const stored = await rows();
    here.clock.advance(1);
    await takeIn(context(), noted(unasked));
    expect(await rows()).toEqual(stored);
    expect(await here.store.db.selectFrom("repositories").select("last_observed_ms").execute()).toEqual([
      { last_observed_ms: wroteMs },
    ]);
    // Once it is asked, there is nothing to say.
    await takeIn(context(), noted());
    expect(await rows()).toEqual([]);
  });

  test("a repository that was not looked at since the daemon began, or not wholly yet, is not called complete", async () => {
    await begin();
    await takeIn(context(), report([]));
    const told = async (left: number | undefined) => {
      const now = { ...context(), pairsLeft: () => left };
      const [plan] = (await planFor(now, {})).repositories;
      const { complete, open } = await silenceOf(now);
      expect(plan).toMatchObject({ complete, open });
      return [complete, open.map(({ why, coming }) => [why, coming]), plan?.steps[0]?.why];
    };
    const never = "example.org/team/app has not been looked at since the daemon began";
    expect(await told(undefined)).toEqual([false, [[never, true]], ["no collision seen so far"]]);
    const some = "1 of 1 pair of example.org/team/app still to be compared";
    expect(await told(1)).toEqual([false, [[some, true]], ["no collision seen so far"]]);
    expect(await told(0)).toEqual([true, [], ["collides with nothing"]]);
    // Without a daemon it is what was last seen.
    expect((await silenceOf(context())).complete).toBe(true);
  });

  test("what is long over is let go in batches; what holds, and the timeline, stays", async () => {
    await begin();
    const many = Array.from({ length: 600 }, (_, index) => collision(`old${index}`, { severity: "context" }));
    await takeIn(context(), report([...many, collision("x"), collision("dismissed")]));
    const dismissed = (await open()).find(({ files }) => files[0] === "dismissed");
    await dismissFinding(context(), { id: dismissed?.id ?? "", reason: "agreed", scope: "finding" });
    await takeIn(context(), report([collision("x"), collision("dismissed")]));
    await keepGateRun(context(), { repository, tree: "t", command: "make" }, { outcome: "red", detail: "" });
    const cutMs = here.clock.nowMs() + 1;
    const events = await types();
    expect(await prune(context(), here.clock.nowMs())).toEqual({ removed: 0, more: false });
    expect(await prune(context(), cutMs)).toEqual({ removed: 501, more: true });
    expect(await prune(context(), cutMs)).toEqual({ removed: 100, more: false });
    const left = await here.store.db.selectFrom("findings").select(["state", "files"]).orderBy("files").execute();
    expect(left).toEqual([
      { state: "dismissed", files: '["dismissed"]' },
      { state: "open", files: '["x"]' },
    ]);
    // Its pair is gone, though nobody reported that.
    await here.store.write(
      async ({ db }) => void (await db.deleteFrom("worktrees").where("path", "=", "/w/b").execute()),
    );
    await prune(context(), cutMs);
    expect(await prune(context(), cutMs)).toEqual({ removed: 0, more: false });
    expect((await here.store.db.selectFrom("findings").select("state").execute()).map(({ state }) => state)).toEqual([
      "open",
    ]);
    expect(await here.store.db.selectFrom("dismissals").select("id").execute()).toEqual([]);
    expect(await types()).toEqual(events);
    expect(await verifyChain(here.store.db, here.store.constellation)).toMatchObject({ ok: true });
  });

  test("a gate's word on a tree is kept for its repository and command, and the later one holds", async () => {
    const kept = { repository, tree: "t", command: "make" };
    await keepGateRun(context(), kept, { outcome: "red", detail: "no\0" });
    await keepGateRun(context(), kept, { outcome: "red", detail: "no", confirmed: true });
    expect(await gateRun(context(), kept)).toEqual({ outcome: "red", detail: "no", confirmed: true });
    expect(await gateRun(context(), { ...kept, command: "make all" })).toBeUndefined();
    expect(await gateRun(context(), { ...kept, repository: "other" })).toBeUndefined();
  });

  test("a claim is held where its holder works, until it ends; nobody who left keeps others away", async () => {
    await begin();
    await takeIn(context(), report([]));
    await register(context(), {
      place: { repository, path: "/w/b", top: "/w/b" },
      agent: "agent1",
      isOwnersWord: false,
    });
    const words = [{ word: "src", isThere: true }];
    const about = { repository, top: "/w/a", cwd: "/w/a", words, severity: "low", reason: "" } as const;
    const made = await addClaim(context(), { ...about, agent: "agent1", forMs: 5_000 });
    const mine = await addClaim(context(), { ...about, words: [{ word: "src/x", isThere: true }], forMs: 9_000 });
    expect([made.holder, mine.holder, mine.also_claimed_by]).toEqual(["agent1", "owner", ["agent1"]]);
    const agent = { ...context(), actor: "agent2" };
    expect(await rejection(addClaim(agent, { ...about, agent: "agent1", forMs: 1 }))).toMatchObject({
      code: "claim.not-yours",
    });
    const held = async () =>
      (await heldClaims(context())).byRepository
        .get(repository)
        ?.map((one) => [one.holder, one.own])
        .sort();
    expect(await held()).toEqual([
      ["agent1", ["/w/b"]],
      ["owner", ["/w/a"]],
    ]);
    expect((await heldClaims(context())).nextEndMs).toBe(made.expires_ms);
    here.clock.advance(5_000);
    expect(await held()).toEqual([["owner", ["/w/a"]]]);
    const gone = { worktrees: [], pairs: [], present: ["/w/b"], sides: ["worktree /w/b"] };
    await takeIn(context(), report([], gone));
    expect(await held()).toBeUndefined();
  });

  test("a look that did not come to its end is told, and ends nothing", async () => {
    await begin();
    await takeIn(context(), report([collision("x")]));
    const before = await types();
    const none = { worktrees: [], present: [], sides: [], pairs: [], defaultBranch: null, isUnlooked: true } as const;
    await takeIn(context(), report([], { ...none, problem: "an object is missing" }));
    expect(await types()).toEqual(before);
    expect(await open()).toHaveLength(1);
    const [known] = (await listRepositories(context())).repositories;
    expect(known).toMatchObject({ problem: "an object is missing", complete: false, default_branch: "origin/main" });
    expect(known?.worktrees).toHaveLength(2);
    await takeIn(context(), report([collision("x")]));
    expect((await listRepositories(context())).repositories).toMatchObject([{ problem: null, complete: true }]);
  });
}
