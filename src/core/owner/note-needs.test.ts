import { expect, test } from "bun:test";
import { onEachDatabase, withStore } from "../../../test/kit/databases.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { Need } from "../agents/needs.ts";
import type { Context } from "../context.ts";
import { forgetOld } from "./forget-old.ts";
import { duePages, noteNeeds, notePaged } from "./note-needs.ts";
import { defaultPageRules, pageRules } from "./page-rules.ts";

const need = (kind: string, says = "it happened"): Need => ({
  key: `${kind}:agent1`,
  kind,
  agent: "agent1",
  says,
  since_ms: null,
  next: "constel status",
});

onEachDatabase("what needs the owner", (makeScene) => {
  const here = withStore(makeScene);
  const context = (): Context => ({
    store: here.store,
    clock: here.clock,
    random: seededRandom(3),
    constellation: "constel0",
    actor: "daemon",
  });
  const due = async (rules = defaultPageRules): Promise<string[]> =>
    (await duePages(context(), rules)).map(({ kind }) => kind);
  const minutes = (count: number): void => here.clock.advance(count * 60_000);

  test("each is told once, after its time, also when it comes and goes", async () => {
    await noteNeeds(context(), [need("permission"), need("dead")]);
    expect(await due()).toEqual(["permission"]);
    await notePaged(context(), await duePages(context(), defaultPageRules), true);
    expect(await due()).toEqual([]);
    minutes(5);
    expect(await due()).toEqual(["dead"]);
    await noteNeeds(context(), []);
    expect(await due()).toEqual([]);
    minutes(10);
    await noteNeeds(context(), [need("permission", "says it in other words")]);
    expect(await due()).toEqual([]);
    await noteNeeds(context(), []);
    minutes(61);
    await noteNeeds(context(), [need("permission")]);
    expect(await due()).toEqual(["permission"]);
    const rows = await here.store.db.selectFrom("owner_needs").select(["key", "ended_ms"]).orderBy("key").execute();
    expect(rows).toMatchObject([{ key: "dead:agent1" }, { key: "permission:agent1", ended_ms: null }]);
  });

  test("when nobody could be told it is tried again, ever less often", async () => {
    await noteNeeds(context(), [need("quarantine")]);
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      await notePaged(context(), await duePages(context(), defaultPageRules), false);
      let waited = 0;
      while ((await due()).length === 0) {
        minutes(1);
        waited++;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("what is long over is forgotten, what lasts is not", async () => {
    await noteNeeds(context(), [need("ready"), need("dead")]);
    await noteNeeds(context(), [need("ready")]);
    minutes(60);
    await forgetOld(context(), here.clock.nowMs() - 60_000);
    const rows = await here.store.db.selectFrom("owner_needs").select("kind").execute();
    expect(rows).toEqual([{ kind: "ready" }]);
  });

  test("the owner's rules come first", async () => {
    const rules = pageRules([
      { kind: "ready", after_seconds: 60 },
      { kind: "permission", page: false },
      { kind: "findings", urgent: true },
    ]);
    await noteNeeds(context(), [need("ready"), need("permission"), need("findings")]);
    expect(await due(rules)).toEqual(["findings"]);
    minutes(1);
    expect((await due(rules)).sort()).toEqual(["findings", "ready"]);
  });
});

test("a rule that is not understood is refused", () => {
  expect(() => pageRules([{ kind: "permisson" }])).toThrow("kind must be one of");
  expect(() => pageRules([{ kind: "ready", after: 3 }])).toThrow("there is no after");
  expect(() => pageRules([{ kind: "ready", after_seconds: "soon" }])).toThrow("after_seconds");
});
