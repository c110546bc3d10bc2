// Keeps the head of the SQLite database in the home, apart from the database: what removes or cuts `meta.db*` leaves it.
// The file has one fixed length and is written over in place through a descriptor that stays open, so that keeping it costs
// one small sync a commit. One sector is written whole or not at all; a checksum tells when it was not.

import { closeSync, constants, fdatasyncSync, openSync, writeSync } from "node:fs";
import { relative } from "node:path";
import { Outage } from "../protocol/errors.ts";
import { inHome } from "../settings/paths.ts";
import { createTrusted, readTrusted, TrustedDirectory, writeTrusted } from "../files/trusted-files.ts";
import type { Settings } from "../settings/settings.ts";
import type { DatabaseHead, HeadKeeper } from "../store/database-head.ts";
import { sqlitePath } from "../store/store-address.ts";

const sectorBytes = 512;

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

  const open = (first: Uint8Array): number => {
    if (!createTrusted(home, path, first.toString()) && readTrusted(home, path)?.length !== first.length)
      writeTrusted(home, path, first);
    using directory = TrustedDirectory.open(home, inHome.state);
    const name = path.slice(inHome.state.length + 1);
    return openSync(directory.at(name), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  };

  return {
    read() {
      const bytes = readTrusted(home, path);
      if (bytes === undefined) return undefined;
      const read = parse(bytes.toString());
      if (read === undefined) return "unreadable";
      return read.database === database ? read.head : undefined;
    },
    write(head) {
      const bytes = format(database, head);
      try {
        fd ??= open(bytes);
        writeSync(fd, bytes, 0, bytes.length, 0);
        fdatasyncSync(fd);
      } catch (cause) {
        throw new Outage("write", path, cause);
      }
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function format(database: string, head: DatabaseHead): Buffer {
  const body = JSON.stringify([database, head.constellation, head.writes, head.seq, head.hash]);
  const text = `${checksum(body)} ${body}`;
  const length = Math.ceil((Buffer.byteLength(text) + 1) / sectorBytes) * sectorBytes;
  const bytes = Buffer.alloc(length, " ");
  bytes.write(text);
  bytes[length - 1] = 0x0a;
  return bytes;
}

function parse(text: string): { database: string; head: DatabaseHead } | undefined {
  const [sum = "", ...rest] = text.trimEnd().split(" ");
  const body = rest.join(" ");
  if (sum !== checksum(body)) return undefined;
  const [database, constellation, writes, seq, hash] = JSON.parse(body) as [string, string, number, number, string];
  return { database, head: { constellation, writes, seq, hash } };
}

function checksum(body: string): string {
  return Bun.CryptoHasher.hash("sha256", body, "hex").slice(0, 16);
}
