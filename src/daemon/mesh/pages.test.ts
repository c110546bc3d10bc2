// Pages to the owner by the root of the mesh: told once, by whoever can, with the reason where it is not the root.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { sqliteScene } from "../../../test/kit/databases.ts";
import { admit, connect, endSide, makeSide, type Side, until } from "../../../test/kit/mesh-sides.ts";
import { arrivalsRound, type Doings } from "../../core/mesh/arrivals.ts";
import { answerPage } from "../../core/mesh/page-item.ts";
import type { Line } from "../../ports/mesh.ts";
import { PagesByRoot } from "./pages.ts";

let root: Side;
let desk: Side;
let line: Line | undefined;
beforeEach(async () => {
  root = await makeSide(sqliteScene, "constel0", 1);
  desk = await makeSide(sqliteScene, "desk", 2);
  line = undefined;
});
afterEach(async () => {
  await endSide(root);
  await endSide(desk);
});

const text = { subject: "approval: agent1 asks", body: "agent1 asks", urgent: false };
const lines = { to: () => line, attend: () => {} };
const pagesOf = (): PagesByRoot => new PagesByRoot(desk.context(), lines, 60_000);
const held = () => desk.store.db.selectFrom("mesh_outbox").select(["kind", "body"]).execute();
const doAll = (side: Side, doings: Doings) =>
  arrivalsRound(side.context(), doings, (said) => void side.said.push(said), new AbortController().signal);

/** Lets the waiting page look again, until it has its answer. */
async function settled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  await until(async () => {
    desk.clock.advance(300);
    return isOver;
  });
  return work;
}

test("a constellation without a root tells its owner itself", async () => {
  expect(await pagesOf().page(text)).toBeUndefined();
  expect(await pagesOf().hasRoot()).toBe(false);
});

test("the root is asked once, and its answer is the outcome", async () => {
  admit(desk, root, root);
  const pages = pagesOf();
  const pair = connect(desk, root);
  line = pair.here;
  for (const told of [true, false]) {
    let isOver = false;
    const asked = pages.page(text).finally(() => (isOver = true));
    const brought: unknown[] = [];
    await until(async () => {
      desk.speaking.get("constel0")?.poke();
      await doAll(root, {
        page: async ({ id, from, body }) => {
          brought.push(body);
          await answerPage(root.context(), from, id, { told, says: told ? "told through command" : "no channel" });
        },
      });
      root.speaking.get("desk")?.poke();
      await doAll(desk, { "page.told": pages.answered });
      desk.clock.advance(300);
      return isOver;
    });
    expect(brought).toMatchObject([text]);
    const outcome = await asked;
    expect(outcome?.told).toBe(told);
    expect(outcome?.says).toContain(told ? "constel0 says: told through command" : "reached nobody: no channel");
  }
  pair.cut();
  await pair.over;
});

test("a root that is out of reach is waited for, and named in the page that goes out instead", async () => {
  admit(desk, root, root);
  const asked = pagesOf().page(text);
  desk.clock.advance(59_000);
  expect(await Promise.race([asked, Promise.resolve("waits")])).toBe("waits");
  expect(await settled(asked)).toEqual({ told: false, says: "constel0, our root, cannot be reached" });
  expect(await held()).toEqual([]);
});

test("a page that the root did not get before its line fell is taken back, so that it comes once", async () => {
  admit(desk, root, root);
  const pair = connect(desk, root);
  line = pair.here;
  pair.cut();
  await pair.over;
  const outcome = await settled(pagesOf().page(text));
  expect(outcome).toMatchObject({ told: false, says: expect.stringContaining("out of reach before it had this") });
  expect(await held()).toEqual([{ kind: "void", body: "{}" }]);
  const again = connect(desk, root);
  await until(async () => (await held()).length === 0);
  const brought: unknown[] = [];
  await doAll(root, { page: async ({ body }) => void brought.push(body), void: async () => {} });
  expect(brought).toEqual([]);
  again.cut();
  await again.over;
});

test("an answer that is not the root's is nobody's", async () => {
  admit(desk, root, root);
  const pages = pagesOf();
  const sibling = { peer: "laptop", entry: "x", is: "sibling" } as const;
  line = undefined;
  const asked = pages.page(text);
  await pages.answered({ id: "a", from: sibling, heardMs: 1, body: { page: "p", told: true, says: "" } });
  expect((await settled(asked))?.told).toBe(false);
});
