import { afterEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { systemClock } from "../clock/system-clock.ts";
import { rejection } from "../../../test/kit/rejection.ts";
import { type Line, type Listener, MeshTrouble, type Wire } from "../../ports/mesh.ts";
import { dialWithin, Greeter } from "./greet.ts";
import type { Ourselves, Proven } from "./handshake.ts";
import { openLine } from "./line.ts";
import { asMeshKey, type MeshKey } from "./mesh-key.ts";
import { tlsTransport } from "./tls/tls-transport.ts";
import { ourVersions, spoken, type Versions } from "./versions.ts";

const key = (): MeshKey => asMeshKey(generateKeyPairSync("ed25519").privateKey);

const side = (own: MeshKey, constellation: string, versions: Versions = ourVersions): Ourselves => ({
  key: own,
  versions,
  said: () => ({ constellation, program: "0.1.0", now_ms: systemClock.nowMs() }),
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Scene {
  readonly at: string;
  readonly greeter: Greeter<string>;
  readonly logged: string[];
  readonly met: Wire[];
  readonly lines: Promise<Proven<string> | undefined>[];
}

async function answering(own: MeshKey, listed: readonly string[], versions = ourVersions): Promise<Scene> {
  const logged: string[] = [];
  const met: Wire[] = [];
  const lines: Promise<Proven<string> | undefined>[] = [];
  const greeter = new Greeter<string>(
    {
      ourselves: side(own, "answerer", versions),
      admit: ({ key: theirs }) => (listed.includes(theirs) ? "peer" : undefined),
      awaitsStrangers: () => false,
      isListed: (theirs) => listed.includes(theirs),
    },
    systemClock,
    (line) => logged.push(line),
  );
  const listener: Listener = (await tlsTransport(own).listen?.("127.0.0.1:0", (wire) => {
    met.push(wire);
    lines.push(greeter.answer(wire));
  })) as Listener;
  closing.push(() => listener.close());
  return { at: listener.route.at, greeter, logged, met, lines };
}

const signal = new AbortController().signal;

async function pair(versionsA = ourVersions, versionsB = ourVersions): Promise<readonly [Line, Line]> {
  const [a, b] = [key(), key()];
  const scene = await answering(a, [b.publicKey], versionsA);
  const wire = await tlsTransport(b).dial(scene.at, signal);
  const dialled = await dialWithin(
    wire,
    { ourselves: side(b, "dialler", versionsB), wanted: a.publicKey },
    systemClock,
  );
  const answered = await scene.lines[0];
  if (answered === undefined) throw new Error("it was refused");
  const parts = { peer: "other", entry: "peer_1", clock: systemClock };
  const lines = [
    openLine(answered, { ...parts, isOurs: false }),
    openLine(dialled, { ...parts, isOurs: true }),
  ] as const;
  closing.push(() => lines.forEach((line) => line.close("the test is over")));
  return lines;
}

async function next(line: Line): Promise<Uint8Array | undefined> {
  return ((await line.frames[Symbol.asyncIterator]().next()) as IteratorResult<Uint8Array, undefined>).value;
}

test("frames go both ways in their order, up to a mebibyte and no more", async () => {
  const [a, b] = await pair();
  const large = Buffer.alloc(1024 * 1024, 7);
  await b.send(Buffer.from("one"));
  await b.send(large);
  await b.send(new Uint8Array());
  expect(Buffer.from((await next(a)) ?? []).toString()).toBe("one");
  expect(Buffer.from((await next(a)) ?? []).equals(large)).toBe(true);
  expect(await next(a)).toHaveLength(0);
  await a.send(Buffer.from("back"));
  expect(Buffer.from((await next(b)) ?? []).toString()).toBe("back");
  expect((await rejection(b.send(Buffer.alloc(1024 * 1024 + 1)))) as Error).toMatchObject({
    message: expect.stringContaining("larger than"),
  });
});

test("a line that one end closes ends at the other", async () => {
  const [a, b] = await pair();
  a.close("evicted");
  expect(await a.ended).toBe("evicted");
  expect(await b.ended).toMatch(/^(the other end closed it|it broke)/);
  expect(await next(b)).toBeUndefined();
});

test("two adjacent versions speak with each other; older ones are refused, naming the side to upgrade", async () => {
  const [a] = await pair(spoken(3), spoken(2));
  expect(a.version).toBe(2);
  const [oldKey, newKey] = [key(), key()];
  const scene = await answering(newKey, [oldKey.publicKey], spoken(4));
  const wire = await tlsTransport(oldKey).dial(scene.at, signal);
  const dialling = { ourselves: side(oldKey, "old", spoken(2)), wanted: newKey.publicKey };
  const trouble = await rejection(dialWithin(wire, dialling, systemClock));
  expect(trouble).toBeInstanceOf(MeshTrouble);
  expect(trouble).toMatchObject({ step: "version", message: expect.stringContaining("upgrade constel here") });
  expect(await scene.lines[0]).toBeUndefined();
  expect(scene.logged.join("\n")).toContain("upgrade constel there");
});

test("a key that is not on the list is refused and logged once, and the wanted key must be at the other end", async () => {
  const [a, b, stranger] = [key(), key(), key()];
  const scene = await answering(a, [b.publicKey]);
  for (let turn = 0; turn < 3; turn += 1) {
    const wire = await tlsTransport(stranger).dial(scene.at, signal);
    const dialling = { ourselves: side(stranger, "stranger"), wanted: a.publicKey };
    expect(await rejection(dialWithin(wire, dialling, systemClock))).toBeInstanceOf(MeshTrouble);
    expect(await scene.lines[turn]).toBeUndefined();
  }
  expect(scene.logged).toHaveLength(1);
  expect(scene.logged[0]).toContain(`key ${stranger.id}: its key is not on the list`);
  const wire = await tlsTransport(b).dial(scene.at, signal);
  const dialling = { ourselves: side(b, "peer"), wanted: stranger.publicKey };
  expect(await rejection(dialWithin(wire, dialling, systemClock))).toMatchObject({ step: "key" });
});
