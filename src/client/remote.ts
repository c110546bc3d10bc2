// Calls a daemon on another machine. Nothing is sent before its certificate is the one that was confirmed, or one that a known authority vouches for.

import { X509Certificate } from "node:crypto";
import { Outage, Refusal, systemCode } from "../protocol/errors.ts";
import { readWhoAmI, type WhoAmI, whoAmIPath } from "../protocol/served.ts";
import type { Answer } from "./answer-reader.ts";
import { type Caller, callerOver } from "./caller.ts";
import { type Carrier, carryCall } from "./carry.ts";
import { Connection, type Question, type Socket, type SocketEvents } from "./connection.ts";
import { Connections } from "./connections.ts";

export interface RemotePlace {
  /** `https://desk.example:7434`, or `http://127.0.0.1:7434` for a tunnel or a proxy of this machine. */
  readonly url: string;
  /** SHA-256 of the certificate that was confirmed. It outranks every authority. */
  readonly fingerprint: string | null;
  /** The authority's certificates as PEM; null for those that the system knows. */
  readonly ca: string | null;
}

interface RemoteDaemon {
  /** Not by the name that it has in the context: scripts/quick-sources.ts goes by that. */
  readonly operations: Caller;
  whoAmI(): Promise<WhoAmI>;
}

/** As a server shows itself before anybody believes it. */
export interface Shown {
  readonly fingerprint: string;
  /** The reason why nobody known here vouches for it under this name; undefined when somebody does. */
  readonly problem: string | undefined;
}

const connectMs = 10_000;
/** Of one answer. */
const mostBytes = 256 * 1024 * 1024;

export function remoteDaemon(place: RemotePlace, token: string): RemoteDaemon {
  const connections = new Connections();
  const { host } = new URL(place.url);
  const open = (): Promise<Connection> =>
    Connection.over(host, (events) => connectTo(place, events), mostBytes).catch((cause: unknown) => {
      throw outage(place, cause);
    });
  const once = (question: Question, begun: (giveUp: (why: unknown) => void) => void): Promise<Answer | undefined> =>
    connections.use(open, async (connection) => {
      begun((why) => connection.end(why));
      return connection.ask(question);
    });
  const carrier: Carrier = {
    place: place.url,
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    async ask(question, begun) {
      try {
        // One that was left open too long is closed by the server, which has heard nothing then.
        const answer = (await once(question, begun)) ?? (connections.endIdle(), await once(question, begun));
        if (answer === undefined) throw new Error("the connection ended before it was asked");
        return answer;
      } catch (cause) {
        throw outage(place, cause);
      }
    },
  };
  const call = async (route: string, input: unknown, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return await carryCall(carrier, { route, input, signal, silenceMs: undefined });
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== "http.unauthorised") throw cause;
      const message = `${place.url} does not take this token: it is wrong, revoked or expired`;
      throw new Refusal(cause.code, message, cause.facts, "Ask its owner for another, then: constel login URL");
    }
  };
  return {
    operations: callerOver((name, input, { signal }) => call(`/op/${name}`, input, signal)),
    async whoAmI() {
      const told = readWhoAmI(await call(whoAmIPath, {}, undefined));
      if (told === undefined) throw new Outage("call the server", place.url, "it is no constel that serves");
      return told;
    },
  };
}

/** Connects, looks at the certificate, and leaves; nothing is sent. */
export async function lookAtServer({ url, ca }: Pick<RemotePlace, "url" | "ca">): Promise<Shown> {
  const shown = Promise.withResolvers<Shown>();
  const place = { url, ca, fingerprint: null };
  const socket = await secured(place, {}, (certificate, problem) =>
    shown.resolve({ fingerprint: certificate.fingerprint256, problem: problem ?? wrongName(place, certificate) }),
  ).catch((cause: unknown) => {
    throw outage(place, cause);
  });
  socket.terminate();
  return await shown.promise;
}

function connectTo(place: RemotePlace, events: SocketEvents): Promise<Socket> {
  const { protocol, hostname, port } = new URL(place.url);
  if (protocol === "http:")
    return Bun.connect({
      hostname: bare(hostname),
      port: Number(port || 80),
      socket: { ...events, data: events.data ?? (() => {}) },
    });
  return secured(place, events, (certificate, problem) => {
    if (place.fingerprint !== null) {
      if (certificate.fingerprint256 === place.fingerprint) return;
      throw wrongCertificate(place, `its certificate is ${certificate.fingerprint256}`);
    }
    const why = problem ?? wrongName(place, certificate);
    if (why !== undefined) throw wrongCertificate(place, `nobody vouches for its certificate: ${why}`);
  });
}

/** Answers once `judge` has looked at the certificate; it throws to go no further. */
async function secured(
  { url, ca }: RemotePlace,
  events: SocketEvents,
  judge: (certificate: X509Certificate, problem: string | undefined) => void,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const host = bare(hostname);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const timer = setTimeout(() => reject(new Error(`it did not answer within ${connectMs / 1_000} s`)), connectMs);
  let opened: Socket | undefined;
  try {
    const connecting = Bun.connect({
      hostname: host,
      port: Number(port || 443),
      tls: { rejectUnauthorized: false, serverName: host, ...(ca === null ? {} : { ca }) },
      socket: {
        ...events,
        data: (socket, bytes) => events.data?.(socket, bytes),
        open(socket) {
          opened = socket;
        },
        handshake(socket, isDone, problem) {
          try {
            if (!isDone) throw new Error(problem?.message ?? "it does not speak TLS");
            judge(certificateOf(socket), problem === null ? undefined : problem.message);
            resolve(socket);
          } catch (cause) {
            reject(cause);
          }
        },
        error(socket, cause) {
          reject(cause);
          events.error?.(socket, cause);
        },
        close(socket, cause) {
          reject(cause ?? new Error("it closed the connection"));
          events.close?.(socket, cause);
        },
      },
    });
    connecting.catch(reject);
    return await promise;
  } catch (cause) {
    opened?.terminate();
    throw cause;
  } finally {
    clearTimeout(timer);
  }
}

/** Bun's types leave it out. */
function certificateOf(socket: Socket): X509Certificate {
  const shown = (socket as unknown as { getPeerCertificate(): { raw?: Buffer } | undefined }).getPeerCertificate();
  if (shown?.raw === undefined) throw new Error("it shows no certificate");
  return new X509Certificate(shown.raw);
}

function wrongName({ url }: Pick<RemotePlace, "url">, certificate: X509Certificate): string | undefined {
  const host = bare(new URL(url).hostname);
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  const isFor = isAddress ? certificate.checkIP(host) : certificate.checkHost(host);
  return isFor === undefined ? `it is not for ${host}` : undefined;
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

const wrongCertificate = ({ url, fingerprint }: RemotePlace, why: string): Refusal =>
  new Refusal("server.wrong-certificate", `${url} is not the server that was confirmed: ${why}`, { url, fingerprint });

function outage({ url }: Pick<RemotePlace, "url">, cause: unknown): Outage | Refusal {
  if (cause instanceof Outage || cause instanceof Refusal) return cause;
  const code = systemCode(cause);
  const isAbsent = code === "ECONNREFUSED" || code === "FailedToOpenSocket" || code === "ConnectionRefused";
  return new Outage("call the server", url, isAbsent ? "nobody listens there" : cause, { mayRetry: true });
}
