// Shared work between constellations that have lines to each other: who is told of what, what a root passes on, and how objects come.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { onEachDatabase } from "../../../test/kit/databases.ts";
import { admit, connect, endSide, makeSide, type Side, until } from "../../../test/kit/mesh-sides.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { sideLimits, type SideRoute } from "../../ports/sides.ts";
import { sidePartBytes } from "../../protocol/mesh-bodies.ts";
import { ownSides } from "../sharing/own-sides.ts";
import { putShared } from "../sharing/sides.sql.ts";
import { teamSides } from "../sharing/team-sides.ts";
import { arrivalsRound } from "./arrivals.ts";
import { takeRows, tellPeer } from "./rows.ts";
import { SideObjectsOfPeers } from "./side-objects.ts";
import { sharedWork, sidesOverMesh } from "./sides.ts";

const app = "origin:app";
const commit = "a".repeat(40);
const keys = { ada: "a".repeat(16), bob: "b".repeat(16), root: "c".repeat(16) };

onEachDatabase("shared work over the mesh", (makeScene) => {
  let root: Side;
  let ada: Side;
  let bob: Side;
  const objects = new Map<Side, SideObjectsOfPeers>();
  const of = (side: Side): SideObjectsOfPeers => {
    const known = objects.get(side) ?? new SideObjectsOfPeers(side.context());
    objects.set(side, known);
    return known;
  };
  beforeEach(async () => {
    root = await makeSide(makeScene, "root", 1);
    ada = await makeSide(makeScene, "ada", 2);
    bob = await makeSide(makeScene, "bob", 3);
    admit(ada, root, root);
    admit(bob, root, root);
  });
  afterEach(async () => {
    objects.clear();
    for (const side of [root, ada, bob]) await endSide(side);
  });

  async function share(side: Side, repository = app): Promise<void> {
    const row = { constellation: side.name, repository, mark: "m", wanted: "shared", shared_by: "owner" };
    await side.store.write((tx) => putShared(tx, { ...row, shared_ms: 1, heard_ms: 1, problem: null }));
  }
  const publish = async (side: Side, route: SideRoute = "origin", repository = app): Promise<void> => {
    const key = keys[side.name as keyof typeof keys];
    const words = { branch: `${side.name}s`, agent: "agent1", task: null, machine: `${side.name}-host` };
    const one = { key, ref: `refs/constel/constel0/${key}`, commit, route, detail: null, words };
    await ownSides(side.context()).publish(repository, [one]);
  };
  /** Everything that one has for the other is taken in and done there; and how it is told how things are. */
  async function carry(from: Side, to: Side): Promise<void> {
    const peer = from.peers.find((one) => one.peer === to.name);
    if (peer === undefined) throw new Error("no peer");
    await tellPeer(from.context(), peer, { version: "0.1.0", work: await sharedWork(from.context()) });
    await bring(from, to);
  }
  async function bring(from: Side, to: Side): Promise<void> {
    const line = connect(from, to);
    const held = async (): Promise<boolean> =>
      (await from.store.db.selectFrom("mesh_outbox").select("id").where("entry", "=", entryOf(from, to)).execute())
        .length === 0;
    await until(held);
    line.cut();
    await line.over;
    const rows = (arrival: Parameters<typeof takeRows>[1]) => takeRows(to.context(), arrival);
    const doings = { rows, "side.wanted": of(to).wanted, "side.objects": of(to).came };
    await arrivalsRound(to.context(), doings, (said) => to.said.push(said), new AbortController().signal);
  }
  const entryOf = (from: Side, to: Side): string => from.peers.find((one) => one.peer === to.name)?.entry ?? "";
  const seen = async (side: Side): Promise<string[]> =>
    (await sidesOverMesh(side.store, app, 100)).map((one) => `${one.words.branch} of ${one.constellation}`).toSorted();

  test("what is shared is told both ways, what is not stays, and what is shared no more goes", async () => {
    await publish(ada);
    await carry(ada, root);
    expect(await seen(root)).toEqual([]);
    await share(ada);
    await share(ada, "origin:other");
    await share(root);
    await publish(ada);
    await publish(ada, "origin", "origin:other");
    await publish(root);
    await carry(ada, root);
    await carry(root, ada);
    expect(await seen(root)).toEqual(["adas of ada"]);
    expect(await seen(ada)).toEqual(["roots of root"]);
    // The same commit of another repository is not of this one.
    expect((await sidesOverMesh(root.store, "origin:other", 100)).map(({ key }) => key)).toEqual([keys.ada]);
    await ownSides(ada.context()).withdraw(app);
    await carry(ada, root);
    expect(await seen(root)).toEqual([]);
  });

  test("a root passes on to each sibling what the others share, if it shares the repository itself, with the time of their silence", async () => {
    for (const side of [ada, bob]) {
      await share(side);
      await publish(side);
      await carry(side, root);
    }
    await carry(root, bob);
    expect(await seen(bob)).toEqual([]);
    await share(root);
    await carry(root, bob);
    await carry(root, ada);
    expect(await seen(bob)).toEqual(["adas of ada by root"]);
    expect(await seen(ada)).toEqual(["bobs of bob by root"]);
    const [before] = await sidesOverMesh(bob.store, app, 100);
    root.clock.advance(10 * 60_000);
    bob.clock.advance(10 * 60_000);
    await carry(root, bob);
    const [after] = await sidesOverMesh(bob.store, app, 100);
    expect(after?.heardMs).toBe(before?.heardMs as number);
    // A sibling passes nothing on, and a root not what was passed on to it.
    await carry(bob, root);
    expect(await seen(root)).toEqual(["adas of ada", "bobs of bob"]);
  });

  test("objects that no origin takes are asked for and come in parts, also by a root that passes them on", async () => {
    const bundle = Buffer.alloc(2 * sidePartBytes, 7);
    for (const side of [ada, bob, root]) await share(side);
    await publish(ada, "bundle");
    await ownSides(ada.context()).bring(app, keys.ada, bundle);
    await carry(ada, root);
    await carry(root, bob);
    const [side] = await sidesOverMesh(bob.store, app, 100);
    if (side === undefined) throw new Error("not told");
    expect(await of(bob).ofSide(side)).toBeUndefined();
    await bring(bob, root);
    // The root has none itself: it asks.
    await bring(root, ada);
    await bring(ada, root);
    expect(await of(bob).ofSide(side)).toBeUndefined();
    bob.clock.advance(61_000);
    expect(await of(bob).ofSide(side)).toBeUndefined();
    await bring(bob, root);
    await bring(root, bob);
    expect(Buffer.from((await of(bob).ofSide(side)) ?? []).equals(bundle)).toBe(true);
  });

  test("a peer that never sends what it told of keeps nobody else's objects back", async () => {
    for (const side of [ada, bob, root]) await share(side);
    for (const side of [ada, bob]) {
      await publish(side, "bundle");
      await ownSides(side.context()).bring(app, keys[side.name as "ada" | "bob"], Buffer.from(side.name));
      await carry(side, root);
    }
    const sides = await sidesOverMesh(root.store, app, 100);
    const [silent, other] = ["ada", "bob"].map((name) => sides.find(({ constellation }) => constellation === name));
    if (silent === undefined || other === undefined) throw new Error("not told");
    // As a round does it: each in turn, the silent one first.
    const ask = async (): Promise<(Uint8Array | undefined)[]> => [
      await of(root).ofSide(silent),
      await of(root).ofSide(other),
    ];
    expect(await ask()).toEqual([undefined, undefined]);
    // It hears that it is asked, and nothing of its answer ever comes.
    await bring(root, ada);
    root.clock.advance(31_000);
    await ask();
    await bring(root, bob);
    await bring(bob, root);
    expect((await ask()).map((one) => one && Buffer.from(one).toString())).toEqual([undefined, "bob"]);
  });

  test("a peer that tells of countless lines of work takes no other's place", async () => {
    for (const side of [bob, root]) await share(side);
    await publish(bob);
    await carry(bob, root);
    const [known] = await sidesOverMesh(root.store, app, 100);
    const [row] = await root.store.db.selectFrom("mesh_rows").selectAll().where("subject", "=", "side").execute();
    if (known === undefined || row === undefined) throw new Error("not told");
    await root.store.write(async (tx) => {
      for (let n = 0; n < 150; n += 1)
        await tx.insert("mesh_rows", { ...row, peer: "ada", key: `${row.key}${n}`, heard_ms: row.heard_ms + 1 + n });
    });
    const found = await sidesOverMesh(root.store, app, 100);
    expect(found.filter(({ constellation }) => constellation === "bob")).toHaveLength(1);
    expect(found.filter(({ constellation }) => constellation === "ada")).toHaveLength(sideLimits.own);
  });

  test("objects that nobody asked for, of another commit, out of order or without end are not kept", async () => {
    for (const side of [ada, root]) await share(side);
    await publish(ada, "bundle");
    await carry(ada, root);
    const [side] = await sidesOverMesh(root.store, app, 100);
    if (side === undefined) throw new Error("not told");
    const { ref } = side;
    const from = root.peers.find(({ peer }) => peer === "ada");
    if (from === undefined) throw new Error("no peer");
    const came = (more: object, by = from): Promise<void> => {
      const body = { ref, commit, part: 0, parts: 1, content: "QQ==", ...more };
      return of(root).came({ id: "x", from: by, body, heardMs: 1 });
    };
    await came({});
    expect(await of(root).ofSide(side)).toBeUndefined(); // asks
    await came({ commit: "b".repeat(40) });
    await came({ part: 1 });
    await came({}, { ...from, peer: "bob" });
    expect(await of(root).ofSide(side)).toBeUndefined();
    const part = "A".repeat(sidePartBytes);
    const enough = Math.ceil(((sideLimits.bundleBytes / 3) * 4) / sidePartBytes) + 1;
    for (let n = 0; n < enough; n += 1) await came({ part: n, parts: 100, content: part });
    expect(await of(root).ofSide(side)).toBeUndefined();
    for (const bad of [{ parts: 101 }, { content: `${part}A` }, { part: -1 }, { commit: "HEAD" }, { more: 1 }])
      expect(await rejection(came(bad))).toMatchObject({ code: "mesh.bad-item" });
  });

  test("a root says nothing of itself but what it shares; what is no side is refused", async () => {
    const from = ada.peers[0];
    if (from === undefined) throw new Error("no peer");
    const take = (rows: unknown[]) => takeRows(ada.context(), { id: "x", from, body: { rows }, heardMs: 1 });
    const self = { subject: "constellation", key: "self", data: { version: "1", findings: 0, waits: 0 } };
    expect(await rejection(take([self]))).toMatchObject({ code: "mesh.bad-item" });
    const words = { repository: app, key: keys.root, ref: "r", commit, route: "origin", detail: null, branch: "x" };
    const side = { ...words, agent: null, task: null, machine: "m", of: null, silent_since_ms: null };
    for (const bad of [{ ...side, route: "ssh" }, { ...side, branch: "x".repeat(2_000) }, { ...side, more: 1 }, words])
      expect(await rejection(take([{ subject: "side", key: "k", data: bad }]))).toMatchObject({
        code: "mesh.bad-item",
      });
    // Only a root passes on what others told it.
    const sibling = root.peers[0];
    if (sibling === undefined) throw new Error("no peer");
    const passedOn = { subject: "side", key: "k", data: { ...side, of: "bob" } };
    const taken = takeRows(root.context(), { id: "x", from: sibling, body: { rows: [passedOn] }, heardMs: 1 });
    expect(await rejection(taken)).toMatchObject({ code: "mesh.bad-item" });
    // Said under another repository's key, it is of none.
    await take([{ subject: "side", key: "0123456789abcdef k", data: side }]);
    expect(await sidesOverMesh(ada.store, app, 100)).toEqual([]);
  });

  test("a member of a team that names another's ref as its own is passed over", async () => {
    await root.store.write(async (tx) => {
      for (const name of ["eve", "bob"]) {
        const row = { constellation: name, repository: app, mark: "m", wanted: "shared", shared_by: "owner" };
        await tx.insert("shared_repositories", { ...row, shared_ms: 1, heard_ms: 1, problem: null });
        const ref = `refs/constel/bob/${keys.bob}`;
        const words = { branch: name, agent: null, task: null, machine: "m", detail: null, at_ms: 1 };
        const side = { constellation: name, repository: app, key: keys.bob, ref, commit_id: commit, route: "origin" };
        await tx.insert("shared_sides", { ...side, ...words });
      }
    });
    const others = await teamSides({ store: root.store }).others(app, 100);
    expect(others.map(({ constellation }) => constellation)).toEqual(["bob"]);
  });
});
