// Two constellations with lines between them that are cut, on real stores.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { admit, connect, endSide, makeSide, type Side, until } from "../../../test/kit/mesh-sides.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { encodeFrame } from "../../protocol/mesh.ts";
import { makeLinePair } from "../../ports/fake-lines.ts";
import { arrivalsRound, type Arrival } from "./arrivals.ts";
import { speakOver } from "./exchange.ts";
import { changeStream, findStream, forgetEntry, renamePeerRows } from "./mesh.sql.ts";
import { mostItems } from "./outbox.ts";

onEachDatabase("the exchange between constellations", (makeScene) => {
  let desk: Side;
  let laptop: Side;
  beforeEach(async () => {
    desk = await makeSide(makeScene, "desk", 1);
    laptop = await makeSide(makeScene, "laptop", 2);
    admit(laptop, desk, desk);
  });
  afterEach(async () => {
    await endSide(desk);
    await endSide(laptop);
  });

  const say = (number: number) => ({ kind: "message" as const, id: `m${number}`, body: { number } });
  const arrivals = (side: Side) =>
    side.store.db.selectFrom("mesh_arrivals").selectAll().orderBy("heard_ms").orderBy("seq").execute();
  const ids = async (side: Side) => (await arrivals(side)).map(({ id }) => id);
  const left = async (side: Side) => (await side.store.db.selectFrom("mesh_outbox").select("id").execute()).length;
  const streamOf = async (side: Side) => {
    const row = await findStream(side.store.db, { constellation: side.name, entry: side.peers[0]?.entry ?? "" });
    if (row === undefined) throw new Error("no stream");
    return row;
  };
  const doAll = async (side: Side, done: Arrival[]): Promise<void> => {
    const doing = async (arrival: Arrival): Promise<void> => void done.push(arrival);
    const context = side.context();
    await arrivalsRound(context, { message: doing }, (line) => side.said.push(line), new AbortController().signal);
  };

  test("carries items in their order, both ways, and forgets what was taken", async () => {
    for (const number of [1, 2, 3]) await laptop.put("desk", say(number));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    await desk.put("laptop", say(7));
    await until(async () => (await left(desk)) === 0);
    expect(await ids(desk)).toEqual(["m1", "m2", "m3"]);
    expect(await ids(laptop)).toEqual(["m7"]);
    expect(await streamOf(laptop)).toMatchObject({ last_seq: 3, taken_seq: 3, held_bytes: 0 });
    line.cut();
    await line.over;
  });

  test("the same item put in again, or sent again after its answer was lost, is one item", async () => {
    expect(await laptop.put("desk", say(1))).toBe(true);
    expect(await laptop.put("desk", say(1))).toBe(false);
    const line = connect(laptop, desk);
    await until(async () => (await ids(desk)).length === 1);
    line.cut();
    await line.over;
    // As if the answer had not come: it lies in the outbox again under its number.
    const of = { constellation: "laptop", entry: laptop.peers[0]?.entry ?? "" };
    await laptop.store.write(async (tx) => {
      await changeStream(tx, of, { taken_seq: 0 });
      await tx.db.deleteFrom("mesh_outbox").execute();
      await tx.insert("mesh_outbox", { ...of, seq: 1, id: "m1", kind: "message", body: "{}", bytes: 2, at_ms: 1 });
    });
    await laptop.put("desk", say(2));
    const again = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    expect(await ids(desk)).toEqual(["m1", "m2"]);
    again.cut();
    await again.over;
  });

  test("goes on where it was after every cut, however often", async () => {
    const all = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const number of all) await laptop.put("desk", say(number));
    for (let cuts = 1; (await left(laptop)) > 0; cuts++) {
      const line = connect(laptop, desk);
      const before = (await ids(desk)).length;
      await until(async () => (await ids(desk)).length > before + (cuts % 5) || (await left(laptop)) === 0);
      line.cut();
      await line.over;
    }
    expect(await ids(desk)).toEqual(all.map((number) => `m${number}`));
  });

  test("a peer whose record is from a backup is not believed to be where it was", async () => {
    for (const number of [1, 2, 3]) await laptop.put("desk", say(number));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    line.cut();
    await line.over;
    desk.clock.advance(1_000);
    // The laptop's record is the one from before: nothing was put in yet.
    const of = { constellation: "laptop", entry: laptop.peers[0]?.entry ?? "" };
    await laptop.store.write((tx) => changeStream(tx, of, { last_seq: 0, taken_seq: 0 }));
    await laptop.put("desk", { ...say(1), id: "other" });
    const first = connect(laptop, desk);
    await first.over;
    expect(await left(laptop)).toBe(1);
    const second = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    expect(await ids(desk)).toEqual(["m1", "m2", "m3", "other"]);
    second.cut();
    await second.over;
  });

  test("items that a peer no longer has are named, once", async () => {
    await laptop.put("desk", say(1));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    line.cut();
    await line.over;
    // The desk's record is an older one: it never took the first.
    const of = { constellation: "desk", entry: desk.peers[0]?.entry ?? "" };
    await desk.store.write((tx) => changeStream(tx, of, { their_seq: 0 }));
    await laptop.put("desk", say(2));
    const again = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    again.cut();
    await again.over;
    const events = await desk.store.db.selectFrom("events").select(["type", "data"]).execute();
    expect(events.filter(({ type }) => type === "mesh.items-missing").map(({ data }) => JSON.parse(data))).toEqual([
      { peer: "laptop", items: 1, new_stream: false },
    ]);
  });

  test("nothing of an evicted peer is taken in or done, also of what was on its way", async () => {
    await laptop.put("desk", say(1));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    const [evicted] = desk.peers.splice(0);
    if (evicted === undefined) throw new Error("no peer");
    await laptop.put("desk", say(2));
    await line.over;
    const done: Arrival[] = [];
    await doAll(desk, done);
    expect(done).toEqual([]);
    expect((await arrivals(desk)).map(({ id, state }) => ({ id, state }))).toEqual([{ id: "m1", state: "refused" }]);
    await desk.store.write((tx) => forgetEntry(tx, { constellation: "desk", ...evicted }));
    expect(await findStream(desk.store.db, { constellation: "desk", entry: evicted.entry })).toBeUndefined();
  });

  test("what a peer sent before it was renamed is done, and its rows go by the new name", async () => {
    await laptop.put("desk", say(1));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    line.cut();
    await line.over;
    const [peer] = desk.peers.splice(0);
    if (peer === undefined) throw new Error("no peer");
    desk.peers.push({ ...peer, peer: "notebook" });
    const of = { constellation: "desk", entry: peer.entry, peer: "laptop" };
    const row = { constellation: "desk", peer: "laptop", subject: "agent", key: "agent1", data: "{}", heard_ms: 1 };
    await desk.store.write(async (tx) => {
      await tx.insert("mesh_rows", row);
      await renamePeerRows(tx, of, "notebook");
    });
    const done: Arrival[] = [];
    await doAll(desk, done);
    expect(done.map(({ id, from }) => [id, from.peer])).toEqual([["m1", "notebook"]]);
    expect(await desk.store.db.selectFrom("mesh_rows").select("peer").execute()).toEqual([{ peer: "notebook" }]);
  });

  test("a full outbox refuses and keeps what it has", async () => {
    await laptop.put("desk", say(1));
    const of = { constellation: "laptop", entry: laptop.peers[0]?.entry ?? "" };
    await laptop.store.write((tx) => changeStream(tx, of, { last_seq: mostItems }));
    expect(await rejection(laptop.put("desk", say(2)))).toMatchObject({ code: "mesh.outbox-full" });
    expect(await left(laptop)).toBe(1);
    const large = { kind: "message" as const, id: "large", body: { text: "x".repeat(1024 * 1024) } };
    expect(await rejection(laptop.put("desk", large))).toMatchObject({ code: "mesh.too-large" });
  });

  test("an item is done after its refusal of the machine is over; a refusal is final; what is behind it waits", async () => {
    for (const number of [1, 2, 3]) await laptop.put("desk", say(number));
    const line = connect(laptop, desk);
    await until(async () => (await left(laptop)) === 0);
    line.cut();
    await line.over;
    const { Outage, Refusal } = await import("../../protocol/errors.ts");
    const seen: string[] = [];
    let isOut = true;
    const message = async ({ id }: Arrival): Promise<void> => {
      seen.push(id);
      if (id === "m1" && isOut) throw new Outage("write", "the inbox", new Error("no room"));
      if (id === "m2") throw new Refusal("mesh.bad-item", "no", {});
    };
    const round = () => arrivalsRound(desk.context(), { message }, () => {}, new AbortController().signal);
    expect(await round()).toBeGreaterThan(0);
    expect(seen).toEqual(["m1"]);
    isOut = false;
    await round();
    expect(seen).toEqual(["m1"]);
    desk.clock.advance(10_000);
    expect(await round()).toBeUndefined();
    expect(seen).toEqual(["m1", "m1", "m2", "m3"]);
    expect((await arrivals(desk)).map(({ state }) => state)).toEqual(["done", "refused", "done"]);
  });

  const hostile: readonly [string, (greeted: () => Uint8Array) => readonly Uint8Array[]][] = [
    ["bytes that are no frame", () => [new Uint8Array([1, 2, 3])]],
    [
      "an item before the greeting",
      () => [encodeFrame({ is: "item", seq: 1, id: "x", kind: "message", at_ms: 1, body: "{}" })],
    ],
    ["two greetings", (greeting) => [greeting(), greeting()]],
    [
      "an item out of order",
      (greeting) => [greeting(), encodeFrame({ is: "item", seq: 5, id: "x", kind: "message", at_ms: 1, body: "{}" })],
    ],
    ["an answer to what was never sent", (greeting) => [greeting(), encodeFrame({ is: "taken", seq: 9 })]],
    ["a field more than there is", () => [new TextEncoder().encode('{"is":"taken","seq":1,"more":1}')]],
  ];
  test.each(hostile)("%s ends the line, and nothing is taken in", async (_, frames) => {
    const peer = desk.peers[0];
    if (peer === undefined) throw new Error("no peer");
    const pair = makeLinePair({ here: "desk", there: "laptop" }, { here: peer.entry, there: "theirs" });
    const parts = { ...desk.context(), log: () => {}, arrived: () => {}, upToDate: async () => undefined };
    const { ended } = speakOver(parts, pair.here, peer);
    const greeting = () =>
      encodeFrame({ is: "greeting", stream: "mst_x", first: 1, taken: null, now_ms: desk.clock.nowMs() });
    for (const frame of frames(greeting)) await pair.there.send(frame).catch(() => {});
    expect(await ended).toMatch(/peer/);
    expect(await arrivals(desk)).toEqual([]);
  });
});
