// Peers over TLS 1.3, for LANs and VPNs. Both ends show a certificate of their mesh key, which TLS makes them prove; who it is decides the
// list, not a name or a date in it. The line's own handshake is bound to this very TLS connection (RFC 9266).
//
// No address is looked for or announced: it dials the places that the owner named, and listens where the owner said.

import { isIP } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { lookup } from "node:dns/promises";
import { messageOf, Outage, systemCode } from "../../../protocol/errors.ts";
import {
  type Listener,
  MeshTrouble,
  type MeshStep,
  type Route,
  type Transport,
  type Wire,
} from "../../../ports/mesh.ts";
import { type MeshKey, pemOf } from "../mesh-key.ts";
import { wireOfSocket } from "../stream-wire.ts";
import { certificateFor, keyInCertificate } from "./certificate.ts";

const protocol = "constel-mesh";
const handshakeMs = 5_000;
const dialMs = 10_000;
/** Connections whose other end is not known to the list yet are counted by the greeter; this bounds those that have not even ended TLS. */
const mostConnections = 256;
const bindingLabel = "EXPORTER-Channel-Binding";
const bindingBytes = 32;

export function tlsTransport(key: MeshKey): Transport {
  const own = { key: pemOf(key.privateKey), cert: certificateFor(key) };
  const always = {
    ...own,
    minVersion: "TLSv1.3",
    maxVersion: "TLSv1.3",
    ALPNProtocols: [protocol],
    // No authority vouches for these keys: the list does, which is asked with the key that TLS proved.
    rejectUnauthorized: false,
  } as const;

  async function dial(at: string, signal: AbortSignal): Promise<Wire> {
    const { host, port } = placeIn(at);
    const address = await addressOf(host, at);
    return new Promise((resolve, reject) => {
      const socket = connect({ ...always, host: address, port, checkServerIdentity: () => undefined });
      const timer = setTimeout(
        () => fail(new MeshTrouble("route", at, `no answer within ${dialMs / 1_000} s`)),
        dialMs,
      );
      const stop = (): void => fail(new MeshTrouble("wire", at, "it was given up"));
      const fail = (cause: Error): void => {
        done();
        socket.destroy();
        reject(cause);
      };
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      };
      signal.addEventListener("abort", stop, { once: true });
      socket.on("error", (cause) => fail(troubleOf(at, cause)));
      socket.once("close", () => fail(new MeshTrouble("wire", at, "it closed the connection")));
      socket.once("secureConnect", () => {
        done();
        const provenKey = keyOf(socket);
        if (provenKey === undefined || socket.alpnProtocol !== protocol)
          return fail(new MeshTrouble("wire", at, "whoever listens there is no constellation"));
        resolve(wireOfSocket(socket, { transport: "tls", at }, { provenKey, binding: bindingOf(socket) }));
      });
      if (signal.aborted) stop();
    });
  }

  async function listen(
    at: string,
    meet: (wire: Wire) => void,
    refused: (from: Pick<Wire, "route">, why: string) => void = () => {},
  ): Promise<Listener> {
    const { host, port } = placeIn(at);
    const server = createServer({ ...always, requestCert: true, handshakeTimeout: handshakeMs });
    const sockets = new Set<{ destroy(): unknown }>();
    server.maxConnections = mostConnections;
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => socket.destroy());
    });
    server.on("tlsClientError", (cause, socket) => {
      const isLate = /timeout/i.test(cause.message);
      const why = isLate
        ? `it did not end its TLS handshake within ${handshakeMs / 1_000} s`
        : "it is no constellation: it speaks no TLS 1.3, or another protocol over it";
      refused({ route: routeFrom(socket) }, why);
      socket.destroy();
    });
    server.on("secureConnection", (socket) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      const provenKey = keyOf(socket);
      const route = routeFrom(socket);
      if (provenKey === undefined || socket.alpnProtocol !== protocol) {
        refused({ route }, "it is no constellation: it shows no key, or speaks another protocol");
        return void socket.destroy();
      }
      meet(wireOfSocket(socket, route, { provenKey, binding: bindingOf(socket) }));
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => reject(new Outage("listen", at, cause)));
      server.listen(port, host, resolve);
    });
    const bound = server.address();
    const listens = typeof bound === "object" && bound !== null ? `${bracketed(bound.address)}:${bound.port}` : at;
    return {
      route: { transport: "tls", at: listens },
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          for (const socket of sockets) socket.destroy();
        }),
    };
  }

  return { kind: "tls", dial, listen };
}

const keyOf = (socket: TLSSocket): string | undefined => {
  const { raw } = socket.getPeerCertificate() ?? {};
  return raw === undefined ? undefined : keyInCertificate(raw);
};

const bindingOf = (socket: TLSSocket): Buffer =>
  socket.exportKeyingMaterial(bindingBytes, bindingLabel, Buffer.alloc(0));

const routeFrom = ({ remoteAddress = "nowhere", remotePort = 0 }: TLSSocket): Route => ({
  transport: "tls",
  at: `${bracketed(plain(remoteAddress))}:${remotePort}`,
});

const plain = (address: string): string => address.replace(/^::ffff:/i, "");
const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address);

export function placeIn(at: string): { readonly host: string; readonly port: number } {
  const [, six, four = "", port] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(at) ?? [];
  if (port === undefined) throw new MeshTrouble("name", at, "it is no host:port");
  return { host: six ?? four, port: Number(port) };
}

/** Resolved first, so that a name that nobody knows is told from an address that nobody answers at. */
async function addressOf(host: string, at: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    return (await lookup(host)).address;
  } catch (cause) {
    throw new MeshTrouble("name", at, `the name ${host} cannot be resolved (${systemCode(cause) ?? messageOf(cause)})`);
  }
}

const steps: Readonly<Record<string, readonly [MeshStep, string]>> = {
  ECONNREFUSED: ["port", "nobody listens at this port"],
  ENETUNREACH: ["route", "there is no route to this network"],
  EHOSTUNREACH: ["route", "there is no route to this machine"],
  ETIMEDOUT: ["route", "nothing came back"],
  ECONNRESET: ["wire", "it closed the connection"],
};

function troubleOf(at: string, cause: Error): MeshTrouble {
  const [step, why] = steps[systemCode(cause) ?? ""] ?? [];
  if (step !== undefined && why !== undefined) return new MeshTrouble(step, at, why);
  if (/ALERT_NO_APPLICATION_PROTOCOL|ALERT_PROTOCOL_VERSION|WRONG_VERSION|ALERT_HANDSHAKE/.test(cause.message))
    return new MeshTrouble("wire", at, "whoever listens there is no constellation");
  return new MeshTrouble("wire", at, cause.message.split("\n")[0] ?? "it broke");
}
