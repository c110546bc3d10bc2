// Programs for test/mesh-strangers.test.ts, each run in a network namespace of its own.
//   answer AT          a constellation that listens there; prints its mesh key, then answers words on its standard input by lines of JSON
//   attack MODE AT …   somebody who means it no good; prints what became of it

import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/host/clock/system-clock.ts";
import { dialWithin } from "../../src/host/mesh/greet.ts";
import { helloOf } from "../../src/host/mesh/handshake-words.ts";
import { openLine } from "../../src/host/mesh/line.ts";
import { asMeshKey, pemOf } from "../../src/host/mesh/mesh-key.ts";
import { certificateFor } from "../../src/host/mesh/tls/certificate.ts";
import { tlsTransport } from "../../src/host/mesh/tls/tls-transport.ts";
import { ourVersions } from "../../src/host/mesh/versions.ts";
import { Constellation } from "../../src/daemon/mesh/mesh.suite.ts";
import { messageOf } from "../../src/protocol/errors.ts";

const [what = "", ...rest] = process.argv.slice(2);

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

async function answer(at: string): Promise<void> {
  const here = await Constellation.begin("constel0", { "mesh.listen": at });
  const { key } = await here.ask["mesh.key"](here.context);
  say({ key });
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb = "", name = "", key = ""] = line.split(" ");
    if (verb === "add") await here.ask["mesh.add"](here.context, { name, key, role: "sibling" });
    if (verb === "evict") await here.ask["mesh.evict"](here.context, { name, reason: "a test" });
    const { peers } = await here.ask["mesh.peers"](here.context, { all: false });
    say({
      heard: here.heard,
      refused: here.logged.filter((said) => said.includes("refused")),
      connected: peers.filter(({ state }) => state === "connected").map(({ name: peer }) => peer),
      rss: process.memoryUsage.rss(),
    });
  }
  await here[Symbol.asyncDispose]();
}

const placeIn = (at: string): { host: string; port: number } => {
  const [host = "", port = ""] = at.split(":");
  return { host, port: Number(port) };
};

function tlsTo(at: string, options: object): Promise<import("node:tls").TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...placeIn(at), rejectUnauthorized: false, minVersion: "TLSv1.3", ...options }, () =>
      resolve(socket),
    );
    socket.once("error", reject);
  });
}

/** Also when it closed before anybody asked: then no event comes any more. */
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) return resolve();
    socket.on("error", () => {});
    socket.resume();
    socket.once("close", () => resolve());
  });

/** As much as the other end takes, up to ten gigabytes. */
async function pour(socket: Socket): Promise<number> {
  const chunk = Buffer.alloc(65_536, 120);
  let sent = 0;
  const gone = closed(socket);
  while (!socket.destroyed && sent < 10_000_000_000) {
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), gone]);
    sent += chunk.length;
  }
  return sent;
}

/** `given`: of a key that is or was on the list, PKCS #8, base64url; else a new one. */
async function attack(mode: string, at: string, wanted: string, given: string): Promise<void> {
  const privateKey =
    given === undefined || given === ""
      ? generateKeyPairSync("ed25519").privateKey
      : createPrivateKey({ key: Buffer.from(given, "base64url"), format: "der", type: "pkcs8" });
  const key = asMeshKey(privateKey);
  const said = () => ({ constellation: "mallory", program: "0.1.0", now_ms: systemClock.nowMs() });
  const own = { key: pemOf(privateKey), cert: certificateFor(key), ALPNProtocols: ["constel-mesh"] };
  const signal = new AbortController().signal;
  if (mode === "dial" || mode === "send" || mode === "flood" || mode === "record") {
    let bytes: Buffer[] = [];
    let place = at;
    if (mode === "record") {
      const relay = createServer((from) => {
        const to = connect(placeIn(at));
        from.on("data", (chunk) => void bytes.push(Buffer.from(chunk)));
        from.pipe(to);
        to.pipe(from);
        for (const one of [from, to]) one.on("error", () => void (from.destroy(), to.destroy()));
      });
      await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
      place = `127.0.0.1:${(relay.address() as { port: number }).port}`;
    }
    try {
      const wire = await tlsTransport(key).dial(place, signal);
      const proven = await dialWithin(wire, { ourselves: { key, versions: ourVersions, said }, wanted }, systemClock);
      const line = openLine(proven, { peer: "root", entry: "1", clock: systemClock, isOurs: true });
      if (mode === "flood") {
        // A record that says it is longer than any may be, then all there is.
        await proven.wire.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]));
        let sent = 0;
        for (; sent < 10_000_000_000; sent += 65_536)
          try {
            await proven.wire.write(Buffer.alloc(65_536));
          } catch {
            break;
          }
        say({ sent, ended: await line.ended });
      } else {
        await line.send(Buffer.from("payload"));
        if (mode === "record") {
          await new Promise((resolve) => process.stdin.once("data", resolve));
          line.close("recorded");
          await line.ended;
          const again = connect(placeIn(at));
          again.write(Buffer.concat(bytes));
          bytes = [];
          await closed(again);
          say({ replayed: true });
        } else say({ ended: await line.ended });
      }
    } catch (cause) {
      say({ refused: messageOf(cause) });
    }
  }
  if (mode === "pour") say({ sent: await pour(await tlsTo(at, own)) });
  if (mode === "pour-raw") say({ sent: await pour(connect(placeIn(at))) });
  if (mode === "alpn" || mode === "no-alpn")
    try {
      const socket = await tlsTo(at, { ...own, ALPNProtocols: mode === "alpn" ? ["h2"] : undefined });
      socket.write("payload");
      await closed(socket);
      say({ refused: "it closed" });
    } catch (cause) {
      say({ refused: messageOf(cause) });
    }
  if (mode === "version") {
    const socket = await tlsTo(at, own);
    socket.write(
      helloOf({
        versions: { least: 9, newest: 9 },
        fresh: key.privateKey.export({ type: "pkcs8", format: "der" }).subarray(-32),
      }),
    );
    await closed(socket);
    say({ refused: "it closed" });
  }
  if (mode === "half-open") {
    const begun = systemClock.monotonicMs();
    const silent = Array.from({ length: 100 }, () => connect(placeIn(at)));
    await Promise.all(silent.map(closed));
    say({ tookMs: systemClock.monotonicMs() - begun });
  }
  if (mode === "half-proven") {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => tlsTo(at, own).catch(() => undefined)));
    await Promise.all(sockets.map((socket) => (socket === undefined ? undefined : closed(socket))));
    say({ closed: sockets.length });
  }
  process.exit(0);
}

if (what === "answer") await answer(rest[0] ?? "");
else await attack(rest[0] ?? "", rest[1] ?? "", rest[2] ?? "", rest[3] ?? "");
