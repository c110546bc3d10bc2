// Tests which findings a round opens and closes, on each database, with a simulated view of the contracts.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { type MakeScene, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { Context } from "../context.ts";
import { dismissFinding } from "../findings/dismiss.ts";
import { forget, register } from "../worktrees/register.ts";
import { silenceOf } from "../worktrees/silence.ts";
import { takeIn } from "../worktrees/take-in.ts";
import type { ContractOutcome, ContractResult } from "./contract-outcome.ts";
import { contractsRound } from "./contracts-round.ts";
import { noDeclarations, readDeclarations } from "./declared-files.ts";
import type { ContractSight } from "./read-graph.ts";

const declared = `services:
  - { name: orders, provides: [openapi.yaml] }
  - { name: web, repository: web, consumes: [orders] }
  - { name: journeys, repository: journeys, consumes: [{ service: orders, how: tests }] }
  - { name: mobile, repository: mobile, consumes: [web] }
`;
const repositories = ["shop", "web", "journeys", "mobile", "other"];

const breaking: Extract<ContractResult, { kind: "compared" }> = {
  kind: "compared",
  others: [],
  notes: [],
  complete: true,
  breaking: [
    {
      rule: "response-property-removed",
      verdict: "breaking",
      path: "GET /orders 200.total",
      direction: "response",
      before: "number",
      after: null,
      text: "it is gone",
      names: ["total"],
    },
  ],
};

/** A value that readers may be surprised by. */
/** Everything was searched, and no name found. */
const unused = { lines: [], used: [], unsure: [] };

const grown = {
  rule: "response-enum-value-added",
  verdict: "dangerous",
  before: null,
  after: "void",
  names: ["status"],
} as const;

export function contractsRoundSuite(makeScene: MakeScene): void {
  const here = withStore(makeScene);
  const random = seededRandom(3);
  const context = (): Context => {
    const { store, clock } = here;
    return { store, clock, random, constellation: store.constellation, actor: "owner" };
  };

  /** A worktree of each repository; nobody but a change of its own says that it is worked on. */
  async function begin(more: { readonly isClean?: readonly string[]; readonly agents?: boolean } = {}): Promise<void> {
    for (const name of repositories) {
      const place = { repository: `remote:${name}`, path: `/w/${name}`, top: `/w/${name}` };
      const agent = more.agents === true ? { agent: `agent${name}` } : {};
      await register(context(), { place, ...agent, isOwnersWord: true });
      await see(name, { uncommitted: more.isClean?.includes(name) !== true });
    }
  }

  async function see(
    name: string,
    more: {
      readonly uncommitted?: boolean;
      readonly operation?: string;
      readonly path?: string;
      readonly branch?: string;
    } = {},
  ): Promise<void> {
    const { uncommitted = true, operation = null, path = `/w/${name}`, branch = "b" } = more;
    const row = {
      path,
      branch,
      head: "h",
      commit: "c",
      tree: "t",
      skipped: null,
      detail: null,
      ahead: 0,
      behind: 0,
    };
    await takeIn(context(), {
      repository: `remote:${name}`,
      defaultBranch: "origin/main",
      worktrees: [{ ...row, uncommitted, operation }],
      present: [path],
      sides: [`worktree ${path}`],
      landed: [],
      left: 0,
      pairs: [],
      problem: null,
    });
  }

  async function round(
    result: ContractResult | undefined,
    more: Partial<ContractSight> = {},
    shop = "/w/shop",
  ): Promise<string[]> {
    const outcome = {
      worktree: shop,
      mergedWith: null,
      commit: "c",
      tree: "t",
      contract: "openapi.yaml",
      renamedTo: null,
    };
    const outcomes: ContractOutcome[] = result === undefined ? [] : [{ ...outcome, result }];
    const sight: ContractSight = {
      declared: async (one) =>
        readDeclarations(one === "remote:shop" ? [{ path: "services.yaml", text: declared }] : []),
      contractChanges: async () => ({ looked: [shop], outcomes }),
      usesOf: async () => ({
        lines: [{ path: "cart.ts", line: 3, text: "order.total", name: "total" }],
        used: ["total"],
        unsure: [],
      }),
      interfacesOf: async () => undefined,
      generatedIn: async () => undefined,
      namesInGenerated: async () => undefined,
      beganMs: async () => undefined,
      landedSince: async () => undefined,
      ...more,
    };
    await contractsRound(context(), { sight, root: "/root", guests: () => [] });
    return await open();
  }

  async function open(): Promise<string[]> {
    const rows = await here.store.db
      .selectFrom("findings")
      .select(["repository", "severity", "state"])
      .where("state", "!=", "closed")
      .execute();
    return rows.map(({ repository, severity }) => `${repository} ${severity}`).sort();
  }

  const told = ["remote:journeys medium", "remote:mobile medium", "remote:web high"];

  test("a break is high for who uses it directly and medium for tests and whoever is reached through others; undone, all end", async () => {
    await begin();
    expect(await round(breaking)).toEqual(told);
    const finding = await here.store.db
      .selectFrom("findings")
      .selectAll()
      .where("severity", "=", "high")
      .executeTakeFirstOrThrow();
    expect(finding).toMatchObject({ kind: "contract", ours_worktree: "/w/web", theirs_worktree: "/w/shop" });
    expect([finding.title, finding.action].join(" ")).toContain("openapi.yaml of orders");
    expect(finding.action).toContain("cart.ts:3");
    expect(JSON.parse(finding.files)).toEqual(["cart.ts"]);
    // A report of the consumer's own pairs says nothing of it.
    await see("web", { uncommitted: false });
    await see("web");
    expect(await open()).toEqual(told);
    expect(await round(breaking)).toEqual(told);
    expect(await round(undefined)).toEqual([]);
    expect(await round(breaking)).toEqual(told);
  });

  test("the views say who provides what, and whom a change would concern, by the last round that saw every repository", async () => {
    await begin();
    const users = async () => {
      const { rows } = await sql<{ consumer: string | null; how: string | null; chain: string }>`
        select consumer, how, chain from contracts where contract = 'openapi.yaml' order by consumer`.execute(
        here.store.db,
      );
      return rows.map(({ consumer, how, chain }) => `${consumer} ${how} ${chain}`);
    };
    const seen = [
      'journeys tests ["orders","journeys"]',
      'mobile indirect ["orders","web","mobile"]',
      'web direct ["orders","web"]',
    ];
    await round(undefined);
    expect(await users()).toEqual(seen);
    const { writes } = here.store;
    await round(undefined);
    expect(here.store.writes).toBe(writes);
    // One repository was not read: nobody knows what it declares.
    await round(undefined, { declared: async () => undefined });
    expect(await users()).toEqual(seen);
    await round(undefined, { declared: async () => noDeclarations });
    expect(await users()).toEqual([]);
    const { rows } = await sql`select service from services`.execute(here.store.db);
    expect(rows).toEqual([]);
  });

  test("what only the merge of two worktrees does is a finding of its own, also that it cannot be read, which keeps nothing else open", async () => {
    await begin();
    await round(breaking);
    const work = { worktree: "/w/shop", commit: "c", tree: "t", contract: "openapi.yaml", renamedTo: null };
    const both = async (merged: ContractResult, own: readonly ContractOutcome[]) =>
      await round(undefined, {
        contractChanges: async () => ({
          looked: ["/w/shop"],
          outcomes: [...own, { ...work, mergedWith: "/w/shop-2", result: merged }],
        }),
      });
    expect(await both(breaking, [{ ...work, mergedWith: null, result: breaking }])).toHaveLength(2 * told.length);
    const titles = await here.store.db.selectFrom("findings").select("title").execute();
    expect(titles.filter(({ title }) => title.startsWith("b merged with shop-2 changes"))).toHaveLength(told.length);
    // Each can be read alone, so nobody is in the middle of typing: it is told as a break is.
    expect(await both({ kind: "unreadable", problems: [] }, [])).toEqual(told);
  });

  test("where nobody works nothing is said, unless an agent is there", async () => {
    await begin({ isClean: repositories });
    expect(await round(breaking)).toEqual([]);
    await begin({ isClean: repositories, agents: true });
    expect(await round(breaking)).toEqual(told);
  });

  test("what cannot be read ends nothing and alarms nobody; read again, it is over", async () => {
    await begin();
    await round(breaking);
    const problems = [{ side: "after", path: "openapi.yaml", line: 3, message: "is no YAML" }] as const;
    const unread = await round({ kind: "unreadable", problems });
    expect(unread.filter((one) => !one.endsWith("context"))).toEqual(told);
    expect(unread).toHaveLength(6);
    // Whoever asks whether anything collides hears that this was not compared.
    const { complete, open } = await silenceOf({ store: here.store, clock: here.clock } as unknown as Context);
    expect([complete, open.some(({ why }) => why.includes("cannot be read"))]).toEqual([false, true]);
    expect(await round(undefined)).toEqual([]);
  });

  test("a round that could not look ends nothing: no thread, no branch known yet, a worktree not seen, a rebase", async () => {
    await begin();
    await round(breaking);
    const none = async (): Promise<undefined> => undefined;
    expect(await round(undefined, { declared: none, contractChanges: none })).toEqual(told);
    expect(await round(undefined, { contractChanges: none })).toEqual(told);
    expect(await round(undefined, { contractChanges: async () => ({ looked: [], outcomes: [] }) })).toEqual(told);
    await see("shop", { operation: "rebase" });
    expect(await round(undefined)).toEqual(told);
    await see("shop");
    expect(await round(undefined)).toEqual([]);
  });

  test("what has landed since the work began is told until the work follows it, and once where its worktree holds it too", async () => {
    await begin();
    const landed: Partial<ContractSight> = {
      beganMs: async () => 1_000,
      landedSince: async (_, contracts, sinceMs) => ({
        commit: "c2",
        tree: "t2",
        outcomes:
          sinceMs === 1_000 && contracts.includes("openapi.yaml")
            ? [{ contract: "openapi.yaml", result: breaking }]
            : [],
      }),
    };
    // Whoever is reached through others is not told of what has landed: what they use did not change with it.
    const toldOfLanded = ["remote:journeys medium", "remote:web high"];
    expect(await round(undefined, landed)).toEqual(toldOfLanded);
    const [finding] = await here.store.db.selectFrom("findings").selectAll().where("severity", "=", "high").execute();
    expect(finding).toMatchObject({ ours_worktree: "/w/web", theirs_worktree: null });
    expect(finding?.title).toContain("broke on");
    expect(await round(breaking, landed)).toEqual([...toldOfLanded, "remote:mobile medium"].sort());
    expect(await round(undefined, { ...landed, landedSince: async () => undefined })).toEqual(toldOfLanded);
    // Nobody could look, or not everywhere: that says nothing.
    expect(await round(undefined, { ...landed, usesOf: async () => undefined })).toEqual(toldOfLanded);
    const unsure = { ...unused, unsure: ["total"] };
    expect(await round(undefined, { ...landed, usesOf: async () => unsure })).toEqual(toldOfLanded);
    expect(await round(undefined, { ...landed, usesOf: async () => unused })).toEqual([]);
    expect(await round(undefined, landed)).toEqual(toldOfLanded);
    expect(await round(undefined, { ...landed, beganMs: async () => 2_000 })).toEqual([]);
  });

  test("routes that are only inferred are told one step lower, and only to whoever was seen to ask for what changes", async () => {
    await begin();
    const place = { line: 3, isTest: false, hints: [], method: "GET" };
    const offered = { format: "inferred", operations: ["GET /orders", "GET /stock"], base: "", channels: [] };
    const nothing = { contracts: [], requests: [], events: [], imports: [], generated: [] };
    const seen: Partial<ContractSight> = {
      declared: async () => readDeclarations([]),
      usesOf: async () => unused,
      interfacesOf: async (one) => {
        if (one === "remote:shop") return { ...nothing, contracts: [{ ...offered, path: "routes:." }] };
        if (one === "remote:web") return { ...nothing, requests: [{ ...place, file: "cart.ts", path: "/orders" }] };
        return one === "remote:mobile"
          ? { ...nothing, requests: [{ ...place, file: "b.ts", path: "/stock" }] }
          : nothing;
      },
      contractChanges: async () => ({
        looked: ["/w/shop"],
        outcomes: [
          {
            worktree: "/w/shop",
            mergedWith: null,
            commit: "c",
            tree: "t",
            contract: "routes:.",
            renamedTo: null,
            result: breaking,
          },
        ],
      }),
    };
    expect(await round(undefined, seen)).toEqual(["remote:web medium"]);
    const finding = await here.store.db.selectFrom("findings").selectAll().executeTakeFirstOrThrow();
    expect([finding.title, finding.action].join(" ")).toMatch(/the routes in code of shop \(inferred\).*cart\.ts:3/);
    expect(
      await round(undefined, { ...seen, contractChanges: async () => ({ looked: ["/w/shop"], outcomes: [] }) }),
    ).toEqual([]);
  });

  test("generated code that is older than the contract of another repository is told where it lies, until it is made anew", async () => {
    await begin({ isClean: ["other", "mobile", "journeys"] });
    const added = { ...breaking, breaking: [], others: breaking.breaking.map((one) => ({ ...one, ...grown })) };
    const nothing = { contracts: [], requests: [], events: [], imports: [], generated: [] };
    const made = { file: "gen/orders.ts", from: ["shop/openapi.yaml"], format: "openapi" };
    const at = (madeMs: number, isEdited = false) => ({ files: [made.file], isEdited, madeMs });
    const seen = (
      state: Awaited<ReturnType<ContractSight["generatedIn"]>>,
      held: string[] = [],
    ): Partial<ContractSight> => ({
      interfacesOf: async (one) => ({ ...nothing, generated: one === "remote:web" ? [made] : [] }),
      generatedIn: async () => state,
      namesInGenerated: async () => held,
      landedSince: async (_, __, sinceMs) => {
        const outcomes = sinceMs === 1_000 ? [{ contract: "openapi.yaml", result: added }] : [];
        return { commit: "c2", tree: "t2", outcomes };
      },
    });
    expect(await round(undefined, seen(at(1_000)))).toEqual(["remote:web medium"]);
    const finding = await here.store.db.selectFrom("findings").selectAll().executeTakeFirstOrThrow();
    expect(finding).toMatchObject({ kind: "stale-types-elsewhere", ours_worktree: "/w/web", theirs_worktree: null });
    expect(finding.title).toContain("gen/orders.ts is older than openapi.yaml of orders on origin/main of shop");
    // Files that cannot be looked at end no finding. Made anew, they end it, in a commit or while they are still being worked on.
    expect(await round(undefined, seen(undefined))).toEqual(["remote:web medium"]);
    await see("web", { operation: "rebase" });
    expect(await round(undefined, seen(at(2_000)))).toEqual(["remote:web medium"]);
    await see("web");
    expect(await round(undefined, seen(at(2_000)))).toEqual([]);
    expect(await round(undefined, seen(at(1_000, true)))).toEqual(["remote:web medium"]);
    expect(await round(undefined, seen(at(1_000, true), ["status"]))).toEqual([]);
    expect(await round(undefined, seen(at(1_000), ["status"]))).toEqual([]);
    // If it has landed and a worktree of the provider still holds it, it is told once, as landed.
    expect(await round(added, seen(at(1_000)))).toEqual(["remote:web medium"]);
    expect(await round(undefined, seen(at(2_000)))).toEqual([]);
    // Work that has not landed is told lower, and as what it is.
    expect(await round(added, seen(at(3_000)))).toEqual(["remote:web low"]);
    expect(await round(breaking, seen(at(3_000), ["total"]))).toEqual(["remote:web high", "remote:web low"]);
    expect(await round(undefined, seen(at(3_000)))).toEqual([]);
    expect(await round(undefined, seen("gone"))).toEqual([]);
  });

  test("a worktree that is moved takes its broken contracts along, on either side, and what was dismissed of them", async () => {
    await begin();
    await round(breaking);
    const reasons = async (): Promise<string[]> => {
      const rows = await here.store.db
        .selectFrom("findings")
        .select("closed_because")
        .where("state", "=", "closed")
        .execute();
      return rows.map(({ closed_because }) => closed_because ?? "");
    };
    const { id } = await here.store.db
      .selectFrom("findings")
      .select("id")
      .where("severity", "=", "high")
      .executeTakeFirstOrThrow();
    await dismissFinding(context(), { id, reason: "agreed", scope: "finding" });
    // Twice before anybody looks at its contracts again.
    await see("shop", { path: "/between/shop" });
    await see("shop", { path: "/new/shop" });
    expect(await round(undefined, { contractChanges: async () => ({ looked: [], outcomes: [] }) })).toEqual(told);
    expect(await reasons()).toEqual([]);
    expect(await round(breaking, {}, "/new/shop")).toEqual(told);
    const fromShop = "moved to /new/shop: worktree /w/shop";
    expect(await reasons()).toEqual([fromShop, fromShop, fromShop]);
    await see("web", { path: "/new/web" });
    expect(await round(breaking, {}, "/new/shop")).toEqual(told);
    expect((await reasons()).slice(3)).toEqual(["moved to /new/web: worktree /w/web"]);
    const states = here.store.db.selectFrom("findings").select("state").where("severity", "=", "high");
    expect(await states.where("state", "!=", "closed").execute()).toEqual([{ state: "dismissed" }]);
    // Another branch there is other work, and what is gone is over.
    await see("journeys", { path: "/new/journeys", branch: "c" });
    await round(breaking, {}, "/new/shop");
    expect((await reasons()).slice(4)).toEqual(["worktree /w/journeys is gone"]);
  });

  test("services that are declared no longer, and a provider that was forgotten, end what was said", async () => {
    await begin();
    await round(breaking);
    expect(await round(undefined, { declared: async () => readDeclarations([]) })).toEqual([]);
    expect(await round(breaking)).toEqual(told);
    await forget(context(), { repository: "remote:shop" });
    expect(await round(undefined)).toEqual([]);
  });
}
