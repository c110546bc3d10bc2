// Constellations that have lines to each other: a code, a fingerprint that both owners compare, lines that come back by themselves, peers
// that are evicted, and entries that somebody planted.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { verifyAudit } from "../../core/audit/verify.ts";
import { until } from "../../../test/kit/home.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { Constellation } from "./mesh.suite.ts";

const codeOf = async (work: Promise<unknown>): Promise<string> => ((await rejection(work)) as { code: string }).code;

test("a code is good once; a line stands once both owners have confirmed, and comes back by itself", async () => {
  await using root = await Constellation.begin("constel0");
  await using desk = await Constellation.begin("desk", {});
  const { code } = await root.ask["mesh.invite"](root.context, { as: "sibling" });
  const { peer } = await desk.ask["mesh.join"](desk.context, { code });
  expect(peer).toMatchObject({ name: "constel0", role: "root", state: "waiting" });
  await root.untilPeer("desk", (there) => there !== undefined);
  expect(await root.peer("desk")).toMatchObject({ role: "sibling", state: "waiting", fingerprint: peer.fingerprint });
  expect(await codeOf(desk.ask["mesh.join"](desk.context, { code }))).toBe("mesh.unreachable");
  const fingerprint = peer.fingerprint ?? "";
  const wrong = { name: "constel0", fingerprint: "0000-0000-0000" };
  expect(await codeOf(desk.ask["mesh.confirm"](desk.context, wrong))).toBe("mesh.another-fingerprint");
  await desk.ask["mesh.confirm"](desk.context, { name: "constel0", fingerprint });
  await desk.untilPeer("constel0", (there) => there?.step === "key");
  expect((await root.peer("desk"))?.state).toBe("waiting");
  await root.ask["mesh.confirm"](root.context, { name: "desk", fingerprint });
  await desk.untilPeer("constel0", (there) => there?.state === "connected");
  await desk.mesh.lines.to("constel0")?.send(Buffer.from("hello"));
  await until(
    "it is heard",
    () => root.heard,
    (heard) => heard.length > 0,
  );
  expect(root.heard).toEqual(["desk: hello"]);
  await desk.stop();
  await root.untilPeer("desk", (there) => there?.state === "away");
  await desk.start();
  await root.untilPeer("desk", (there) => there?.state === "connected");
  await root.mesh.lines.to("desk")?.send(Buffer.from("back"));
  await until(
    "it is heard",
    () => desk.heard,
    (heard) => heard.length > 0,
  );
});

test("a peer that is evicted is gone at once, with what is in flight, and its key no longer lets it in", async () => {
  await using root = await Constellation.begin("constel0");
  await using desk = await Constellation.begin("desk", {});
  await desk.pairWith(root);
  expect(await codeOf(root.ask["mesh.rename"](root.context, { name: "desk", new_name: "constel0" }))).toBe(
    "mesh.name-taken",
  );
  await root.ask["mesh.rename"](root.context, { name: "desk", new_name: "under-the-desk" });
  await root.untilPeer("under-the-desk", (there) => there?.state === "connected");
  const line = desk.mesh.lines.to("constel0");
  const before = root.heard.length;
  const sending = Promise.allSettled(Array.from({ length: 100 }, () => line?.send(Buffer.alloc(100_000, "x"))));
  await root.ask["mesh.evict"](root.context, { name: "under-the-desk", reason: "sold" });
  const heardAtEviction = root.heard.length;
  expect(root.mesh.lines.to("under-the-desk")).toBeUndefined();
  await sending;
  expect(heardAtEviction - before).toBeLessThan(100);
  await desk.untilPeer("constel0", (there) => there?.step === "key");
  expect(root.heard).toHaveLength(heardAtEviction);
  expect(root.logged.filter((said) => said.includes("refused"))).toEqual([
    expect.stringContaining("its key is not on the list"),
  ]);
  expect((await verifyAudit(root.context)).ok).toBe(true);
});

test("an entry that constel did not write lets nobody in, and the audit finds one that was set back", async () => {
  await using root = await Constellation.begin("constel0");
  await using desk = await Constellation.begin("desk", {});
  await desk.pairWith(root);
  const [before] = await root.store.db.selectFrom("mesh_peers").selectAll().execute();
  await root.ask["mesh.evict"](root.context, { name: "desk", reason: "" });
  plant(root, "update mesh_peers set state = 'confirmed', ended_ms = null, why = null");
  await root.mesh.readAnew();
  expect(await root.peer("desk")).toMatchObject({ state: "planted" });
  await desk.untilPeer("constel0", (there) => there?.step === "key");
  plant(root, "update mesh_peers set signature = ?", before?.signature ?? null);
  expect((await verifyAudit(root.context)).problem).toContain("was set back");
});

test("what cannot be understood is refused", async () => {
  await using root = await Constellation.begin("constel0", {});
  const { ask, context } = root;
  const invite = (at?: string) => ask["mesh.invite"](context, { as: "sibling", at });
  expect(await codeOf(invite())).toBe("mesh.no-address");
  const { code } = await invite("127.0.0.1:1");
  const join = (text: string) => codeOf(ask["mesh.join"](context, { code: text }));
  expect(await join(code)).toBe("mesh.itself");
  expect(await join(code.toLowerCase().replaceAll(/.{5}/g, "$& "))).toBe("mesh.itself");
  expect(await join(code.replace(/(?<=^.{20})./, (digit) => (digit === "0" ? "1" : "0")))).toBe("mesh.bad-code");
  expect(await join("CM1")).toBe("mesh.bad-code");
  const add = (name: string, key: string, role: "root" | "sibling" = "sibling") =>
    ask["mesh.add"](context, { name, key, role });
  const { key } = await ask["mesh.key"](context);
  expect(await codeOf(add("me", key))).toBe("mesh.itself");
  const others = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";
  await add("one", others, "root");
  expect(await codeOf(add("two", others))).toBe("mesh.known-key");
  expect(await codeOf(add("two", others.toLowerCase(), "root"))).toBe("mesh.two-roots");
  expect(await codeOf(ask["mesh.evict"](context, { name: "two", reason: "" }))).toBe("mesh.unknown-peer");
  for (let count = 1; count < 20; count += 1) await invite("127.0.0.1:1");
  expect(await codeOf(invite("127.0.0.1:1"))).toBe("mesh.too-many-codes");
});

/** As somebody writes who can open the database, past constel. */
function plant({ settings }: Constellation, statement: string, ...values: (string | null)[]): void {
  const database = new Database(join(settings.home, "meta.db"));
  try {
    database.run("pragma busy_timeout = 5000");
    database.run(statement, values);
  } finally {
    database.close();
  }
}
