// Being let in: asks at the socket where the kernel tells either side who the other is (`who.sock`). The daemon learns which process we
// are and gives a pass; we learn whether it is the daemon, before it hears anything of us, and which file its other socket is. That file is
// then held by a descriptor and connected to through it, so that nobody can put another socket in its place between the two.

import { closeSync, fstatSync, lstatSync, openSync } from "node:fs";
import type { DaemonProof } from "../ports/daemon-proof.ts";
import { type Facts, Refusal } from "../protocol/errors.ts";
import { NoDaemon, outageAt, silentDaemon } from "./no-daemon.ts";
import { withShortPath } from "./short-path.ts";

/** The daemon answers at once. */
const deadlineMs = 5_000;

/** The program that listens there, by its own word. A daemon from before builds had names says nothing. */
export interface DaemonMet {
  readonly build: string | undefined;
  readonly installation: string | undefined;
  readonly pid: number | undefined;
  /** Of constel. */
  readonly version?: string | undefined;
}

export interface Admission {
  readonly daemon: DaemonMet;
  /** By which the daemon knows this process. */
  readonly pass: string;
  /** Reaches the socket for requests: calls back with a path that leads to the daemon's own file for as long as it is used. */
  reach<T>(use: (unix: string) => Promise<T>): Promise<T>;
}

export interface AdmissionWish {
  /** `who.sock`. */
  readonly who: string;
  /** `daemon.sock`. */
  readonly door: string;
  /** Absent in tests of what is no daemon: then whoever listens is believed. */
  readonly proof: DaemonProof | undefined;
}

export async function beAdmitted({ who, door, proof }: AdmissionWish): Promise<Admission> {
  const { pass, file, pid, problem, build, installation, version } = await ask(who, proof);
  if (problem !== undefined)
    throw impostor(who, pid === undefined ? "what" : `process ${pid}, which`, { why: problem, pid });
  const daemon = { build, installation, pid, version };
  if (proof === undefined) return { daemon, pass, reach: (use) => withShortPath(door, use) };
  return {
    daemon,
    pass,
    async reach(use) {
      using held = hold(door);
      // The daemon itself is there, and can be told to end: then what was put in its place goes as well.
      if (held.file !== file)
        throw impostor(door, "what", { why: "it is not the socket that the daemon made", daemon: pid });
      return await use(held.unix);
    },
  };
}

function impostor(path: string, who: string, facts: Facts): Refusal {
  const known = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
  return new Refusal("daemon.impostor", `${who} listens at ${path} is not the daemon: ${facts["why"]}`, {
    path,
    ...known,
  });
}

/** O_PATH of Linux, by which a file is held without being opened. */
const pathOnly = 0o10000000;

interface Held extends Disposable {
  readonly file: string;
  readonly unix: string;
}

/** Where the system has no such descriptors, the file is only looked at. */
function hold(path: string): Held {
  try {
    if (process.platform !== "linux")
      return { file: fileOf(lstatSync(path, { bigint: true })), unix: path, [Symbol.dispose]: () => {} };
    const fd = openSync(path, pathOnly);
    return {
      file: fileOf(fstatSync(fd, { bigint: true })),
      unix: `/proc/self/fd/${fd}`,
      [Symbol.dispose]: () => closeSync(fd),
    };
  } catch (cause) {
    throw new NoDaemon(path, cause);
  }
}

const fileOf = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`;

interface Heard {
  readonly pass: string;
  /** Of the socket for requests. */
  readonly file: string;
  readonly pid?: number | undefined;
  readonly problem?: string | undefined;
  readonly build?: string | undefined;
  readonly installation?: string | undefined;
  readonly version?: string | undefined;
}

/** Nobody there, as the request itself will find. */
const nothing: Heard = { pass: "", file: "" };

async function ask(path: string, proof: DaemonProof | undefined): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>();
  const nonce = proof?.nonce() ?? "";
  const silent = (): void => {
    if (proof === undefined) resolve(nothing);
    else reject(silentDaemon(path, deadlineMs));
  };
  const ended = (): void => {
    if (proof === undefined) resolve(nothing);
    else reject(new NoDaemon(path, "it ended before it answered"));
  };
  const timer = setTimeout(silent, deadlineMs);
  let heard = "";
  let connection: { terminate(): void } | undefined;
  try {
    connection = await withShortPath(path, (unix) =>
      Bun.connect({
        unix,
        socket: {
          open(socket) {
            socket.write(`?${nonce}`);
            proof?.prepare();
          },
          data(socket, bytes) {
            heard += bytes.toString("latin1");
            if (!heard.endsWith("\n")) return;
            const [pass = "", door = "", shown = "", build, place, version] = heard.trim().split(" ");
            const installation = place === undefined ? undefined : Buffer.from(place, "base64url").toString();
            const { fd } = socket as unknown as { readonly fd: number };
            const judged = proof?.judge(fd, { nonce, pass, door, proof: shown }) ?? Promise.resolve({});
            judged.then((verdict) => resolve({ pass, file: door, build, installation, version, ...verdict }), reject);
          },
          close: ended,
          error: ended,
        },
      }),
    );
    return await promise;
  } catch (cause) {
    if (proof === undefined) return nothing;
    // If not even its directory can be opened, there is nothing to be kept from.
    const why = await withShortPath(path, proof.whyKept).catch(() => undefined);
    throw outageAt(path, cause, why);
  } finally {
    clearTimeout(timer);
    // Beside a daemon that is stopped it would stay open, and the command with it.
    connection?.terminate();
  }
}
