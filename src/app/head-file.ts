// Keeps the head of the SQLite database in the home, apart from the database: what removes or cuts `meta.db*` leaves it.
// The file has one fixed length and is written over in place through a descriptor that stays open, so that keeping it costs
// one small sync. A new head goes into the older of two places; a checksum tells when one was not written whole, and then
// the other still holds.

import { closeSync, constants, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { Outage } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { readTrusted, writeTrusted } from "../files/trusted-files.ts";
import type { Settings } from "../settings/settings.ts";
import type { DatabaseHead, HeadKeeper } from "../store/database-head.ts";
import { sqlitePath } from "../store/store-address.ts";

/** A page of its own for each, so that writing one never touches the other on the disk. */
const placeBytes = 4096;

/** The head that the home's settings speak of; undefined for Postgres, which keeps its own. */
export function keptHead(settings: Pick<Settings, "home" | "databaseUrl">): HeadKeeper | undefined {
  const path = sqlitePath(settings.databaseUrl);
  return path === undefined ? undefined : headFile(settings.home, path);
}

function headFile(home: string, databasePath: string): HeadKeeper {
  const path = inHome.databaseHead;
  // A home may be moved; a database elsewhere is another one.
  const inside = relative(home, databasePath);
  const database = inside.startsWith("..") ? databasePath : inside;
  let fd: number | undefined;
  let turn = 0;

  const open = (): number => {
    const before = readTrusted(home, path) ?? Buffer.alloc(0);
    turn = newest(before)?.turn ?? 0;
    if (before.length !== 2 * placeBytes) writeTrusted(home, path, Buffer.alloc(2 * placeBytes, " "));
    using directory = TrustedDirectory.open(home, inHome.state);
    const name = path.slice(inHome.state.length + 1);
    return openSync(join(directory.path, name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  };

  const put = (head: DatabaseHead): number => {
    try {
      fd ??= open();
      turn++;
      const bytes = format({ turn, database, head });
      writeSync(fd, bytes, 0, bytes.length, (turn % 2) * placeBytes);
      return fd;
    } catch (cause) {
      throw cause instanceof Outage ? cause : new Outage("write", path, cause);
    }
  };

  return {
    read() {
      const bytes = readTrusted(home, path);
      if (bytes === undefined) return undefined;
      const kept = newest(bytes);
      if (kept === undefined) return "unreadable";
      return kept.database === database ? kept.head : undefined;
    },
    write(head) {
      const handle = put(head);
      try {
        fdatasyncSync(handle);
      } catch (cause) {
        throw new Outage("write", path, cause);
      }
    },
    async put(head) {
      const handle = put(head);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      fdatasync(handle, (cause) => (cause === null ? resolve() : reject(new Outage("write", path, cause))));
      await promise;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

interface Kept {
  /** Counts up with each writing: the larger of two is the newer. */
  readonly turn: number;
  readonly database: string;
  readonly head: DatabaseHead;
}

function format({ turn, database, head }: Kept): Buffer {
  const body = JSON.stringify([turn, database, head.constellation, head.writes, head.seq, head.hash]);
  const text = Buffer.from(`${checksum(body)} ${body}`);
  if (text.length >= placeBytes) throw new Error("the head does not fit into its place");
  const bytes = Buffer.alloc(placeBytes, " ");
  text.copy(bytes);
  bytes[placeBytes - 1] = 0x0a;
  return bytes;
}

function newest(bytes: Buffer): Kept | undefined {
  const places = [bytes.subarray(0, placeBytes), bytes.subarray(placeBytes)];
  const kept = places.map((place) => parse(place.toString())).filter((one) => one !== undefined);
  return kept.sort((a, b) => b.turn - a.turn)[0];
}

function parse(place: string): Kept | undefined {
  const [, sum, body = ""] = /^(\S+) (.*)$/.exec(place.trimEnd()) ?? [];
  if (sum === undefined || sum !== checksum(body)) return undefined;
  const [turn, database, constellation, writes, seq, hash] = JSON.parse(body) as [
    number,
    string,
    string,
    number,
    number,
    string,
  ];
  return { turn, database, head: { constellation, writes, seq, hash } };
}

function checksum(body: string): string {
  return Bun.CryptoHasher.hash("sha256", body, "hex").slice(0, 16);
}
