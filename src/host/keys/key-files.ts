// The keys of a home, in keys/: the ring (ring.jsonl, public), and one file for each holder with what only that holder needs: its
// private key and the secret of its seals. An agent inside a sandbox is given its own file and no other. Whoever first needs a key
// makes it, under a lock, and the constellation's key vouches for it in the ring.

import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { dirname, join } from "node:path";
import {
  appendTrusted,
  makeTrustedDirectory,
  readTrusted,
  removeTrusted,
  writeTrusted,
} from "../../files/trusted-files.ts";
import { markHome } from "../../files/mark-home.ts";
import { isAgentId } from "../../protocol/agent-id.ts";
import { constellationHolder, type Holder, ownerHolder } from "../../ports/keys.ts";
import type { Clock } from "../../ports/machine.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { hasKeys, soleHolder } from "./seals.ts";
import { hasRingBegun, noteRing, ringLost } from "./lost-ring.ts";
import { tryLock } from "../process/file-lock.ts";
import { makeKey, type NewKey, privateFrom, type SigningKey, statementSignature } from "./ed25519.ts";
import { fileSign } from "./file-sign.ts";
import {
  constellationOf,
  currentKey,
  lineOf,
  readRing,
  type Ring,
  type RingKey,
  type Statement,
  statementBytes,
} from "./ring.ts";

export const ringFile = "keys/ring.jsonl";
const lockFile = "state/keys.lock";
export const keyFile = (holder: Holder): string => `keys/${checked(holder)}.key`;

interface KeyFile {
  readonly key: string;
  /** PKCS #8, base64url; absent when a passphrase guards it, or another program keeps it. */
  readonly private?: string;
  readonly guarded?: Guarded;
  /** Of the owner's: who has the private key. */
  readonly keptBy?: KeptBy;
  /** The secret of this holder's seals, base64url. */
  readonly seal: string;
  /** The constellation it signs for: inside a sandbox there is no ring to tell. */
  readonly constellation: string;
}

/** The program that keeps the owner's private key instead of us. */
export type KeptBy = "ssh-agent" | "keychain";

interface Guarded {
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

export function readRingOf(home: string): Ring {
  return readRing(readTrusted(home, ringFile)?.toString("utf8") ?? "");
}

/** The same, for an answer that rests on it: without the ring nothing that was signed can be judged. A sandbox has one key and no ring. */
export function ringToJudgeBy(home: string): Ring {
  const ring = readRingOf(home);
  const isLost = ring.statements === 0 && (hasRingBegun(home) || hasKeys(home)) && soleHolder(home) === undefined;
  if (ring.problem === undefined && isLost) throw ringLost();
  return ring;
}

/** The holder's key, made now if there is none. The owner's is made by the owner alone (makeOwnerKey). */
export function signingKey(home: string, holder: Holder, clock: Clock): SigningKey {
  const known = readKeyFile(home, holder);
  if (known?.private !== undefined) return signingFrom(known, known.private);
  if (holder === ownerHolder) throw noOwner();
  return underLock(home, () => {
    const made = readKeyFile(home, holder);
    if (made?.private !== undefined) return signingFrom(made, made.private);
    const { id, privateKey, constellation } = addKey(home, holder, clock.nowMs(), {});
    return { id, key: privateOf(privateKey), constellation };
  });
}

function signingFrom({ key: id, constellation }: KeyFile, text: string): SigningKey {
  return { id, key: privateOf(text), constellation };
}

/** A key that another program keeps; its private part is not ours to write. */
export interface KeptKey {
  readonly by: KeptBy;
  readonly key: Pick<NewKey, "id" | "publicKey">;
}

export function makeOwnerKey(
  home: string,
  clock: Clock,
  wish: { readonly passphrase?: string | undefined; readonly replace?: boolean; readonly kept?: KeptKey },
): RingKey {
  signingKey(home, constellationHolder, clock);
  return underLock(home, () => {
    if (currentKey(readRingOf(home), ownerHolder) !== undefined && wish.replace !== true)
      throw new Refusal("keys.owner-exists", "the owner already has a key");
    const { id } = addKey(home, ownerHolder, clock.nowMs(), wish);
    return keyOf(home, id);
  });
}

/** The owner's key, opened with the passphrase where one guards it. */
export function ownerKey(home: string, passphrase: () => string): SigningKey {
  const file = readKeyFile(home, ownerHolder);
  if (file === undefined) throw noOwner();
  const text = file.private ?? (file.guarded === undefined ? undefined : opened(file.guarded, passphrase()));
  if (text === undefined) throw noOwner();
  return { id: file.key, key: privateFrom(text), constellation: file.constellation };
}

/** True when somebody must say yes before it signs: a passphrase, an ssh-agent or a keychain guards it. */
export const isOwnerKeyGuarded = (home: string): boolean => {
  const file = readKeyFile(home, ownerHolder);
  return file !== undefined && file.private === undefined;
};

/** Says which program keeps the owner's key, if its file does not. */
export const ownerKeptBy = (home: string): KeptBy | undefined => readKeyFile(home, ownerHolder)?.keptBy;

/** A new key for the holder; the one before stays in the ring for what it signed. */
export function rotateKey(home: string, holder: Holder, clock: Clock, passphrase?: string): RingKey {
  return underLock(home, () => {
    refuseStranger(home, holder);
    refuseKeptElsewhere(home, holder);
    const { id } = addKey(home, holder, clock.nowMs(), { passphrase });
    return keyOf(home, id);
  });
}

/** The key is in wrong hands: nothing it signs from now on counts. Whoever still needs one gets another. */
export function revokeKey(home: string, wanted: string, clock: Clock, reason: string): RingKey {
  return underLock(home, () => {
    const ring = readRingOf(home);
    const key = ring.keys.find(({ id }) => id === wanted) ?? currentKey(ring, wanted);
    if (key === undefined) throw unknownKey(wanted);
    if (key.revokedMs !== undefined) throw new Refusal("keys.revoked", `${key.id} of ${key.holder} is revoked already`);
    // The constellation's own is replaced first: somebody must sign that the old one is revoked.
    if (key.holder === constellationHolder && key.untilMs === undefined)
      addKey(home, constellationHolder, clock.nowMs(), {});
    else if (key.untilMs === undefined) removeTrusted(home, keyFile(key.holder));
    append(home, { op: "revoke", holder: key.holder, key: key.id, at_ms: clock.nowMs(), reason });
    return keyOf(home, key.id);
  });
}

function addKey(
  home: string,
  holder: Holder,
  atMs: number,
  { passphrase, kept }: { readonly passphrase?: string | undefined; readonly kept?: KeptKey },
): Pick<NewKey, "id" | "publicKey" | "privateKey"> & Pick<KeyFile, "constellation"> {
  const ring = readRingOf(home);
  if (holder !== constellationHolder && currentKey(ring, constellationHolder) === undefined)
    addKey(home, constellationHolder, atMs, {});
  const made = kept === undefined ? makeKey() : { ...kept.key, privateKey: "" };
  const said = { op: "add", holder, key: made.id, public: made.publicKey, at_ms: atMs } as const;
  // The constellation's new key is vouched for by the one before, while that one is still at hand.
  const before = holder === constellationHolder ? readKeyFile(home, holder)?.private : undefined;
  const isFirst = holder === constellationHolder && readRingOf(home).statements === 0;
  if (isFirst && hasRingBegun(home)) throw ringLost();
  const signed = statementBy(home, said, isFirst ? made : undefined, before);
  const file: KeyFile = {
    key: made.id,
    ...privatePart(made.privateKey, passphrase, kept),
    seal: readKeyFile(home, holder)?.seal ?? randomBytes(32).toString("base64url"),
    constellation: isFirst ? made.id : (constellationOf(readRingOf(home)) ?? made.id),
  };
  // No other than this makes keys/: where it was lost, an empty one would stand in the way of putting it back.
  makeTrustedDirectory(home, dirname(ringFile));
  // The ring first: a key that nobody vouches for would sign what nobody believes. Dying between leaves a key that nobody has.
  appendTrusted(home, ringFile, `${lineOf(signed)}\n`, { sync: true });
  if (isFirst) noteRing(home);
  writeTrusted(home, keyFile(holder), `${JSON.stringify(file)}\n`);
  return { ...made, constellation: file.constellation };
}

function privatePart(
  privateKey: string,
  passphrase: string | undefined,
  kept: KeptKey | undefined,
): Pick<KeyFile, "private" | "guarded" | "keptBy"> {
  if (kept !== undefined) return { keptBy: kept.by };
  return passphrase === undefined ? { private: privateKey } : { guarded: guard(privateKey, passphrase) };
}

type Said = Omit<Statement, "prev" | "sig">;

function append(home: string, said: Said): void {
  appendTrusted(home, ringFile, `${lineOf(statementBy(home, said))}\n`, { sync: true });
}

function statementBy(home: string, said: Said, first?: NewKey, before?: string): Statement {
  const ring = readRingOf(home);
  if (ring.problem !== undefined)
    throw new Refusal("keys.ring-broken", `${ringFile} is not what constel wrote: ${ring.problem}`, {
      problem: ring.problem,
    });
  const file = readKeyFile(home, constellationHolder);
  const key = first?.privateKey ?? before ?? file?.private;
  const id = first?.id ?? file?.key;
  if (key === undefined || id === undefined)
    throw new Refusal(
      "keys.constellation-lost",
      `the constellation's private key is not in ${keyFile(constellationHolder)}`,
    );
  const unsigned = { ...said, prev: ring.head };
  return { ...unsigned, sig: statementSignature(id, privateOf(key), statementBytes(unsigned)) };
}

function refuseKeptElsewhere(home: string, holder: Holder): void {
  const by = holder === ownerHolder ? ownerKeptBy(home) : undefined;
  if (by !== undefined)
    throw new Refusal("keys.kept-elsewhere", `the owner's key is kept by the ${by === "keychain" ? by : "ssh-agent"}`, {
      by,
    });
}

function refuseStranger(home: string, holder: Holder): void {
  if (!readRingOf(home).keys.some((key) => key.holder === holder)) throw unknownKey(holder);
}

function keyOf(home: string, id: string): RingKey {
  const key = readRingOf(home).keys.find((one) => one.id === id);
  if (key === undefined) throw new Outage("write", ringFile, `the ring does not hold ${id} after it was added`);
  return key;
}

const unknownKey = (wanted: string): Refusal =>
  new Refusal(
    "keys.unknown",
    `${JSON.stringify(wanted.slice(0, 80))} is neither a key's id nor somebody who has a key`,
    { wanted },
  );

const noOwner = (): Refusal => new Refusal("keys.no-owner", "the owner has no key here");

/** Files that this process has read, by what they looked like then: a sender would read its own at every message. */
const readFiles = new Map<string, { readonly sign: string; readonly file: KeyFile }>();

export function readKeyFile(home: string, holder: Holder): KeyFile | undefined {
  const path = join(home, keyFile(holder));
  // Taken before it is read: should it change meanwhile, it is read again the next time.
  const sign = fileSign(path);
  const known = readFiles.get(path);
  if (known !== undefined && known.sign === sign) return known.file;
  const file = parsedKeyFile(home, holder);
  if (file === undefined || sign === "") readFiles.delete(path);
  else readFiles.set(path, { sign, file });
  return file;
}

function parsedKeyFile(home: string, holder: Holder): KeyFile | undefined {
  const text = readTrusted(home, keyFile(holder))?.toString("utf8");
  if (text === undefined) return undefined;
  try {
    const file = JSON.parse(text) as Partial<KeyFile>;
    const isWhole = [file.key, file.seal, file.constellation].every((text) => typeof text === "string");
    return isWhole ? (file as KeyFile) : undefined;
  } catch {
    return undefined; // torn by lost power: it is made anew
  }
}

const parsedKeys = new Map<string, KeyObject>();

/** Reading the text of a key takes longer than signing with it. */
function privateOf(text: string): KeyObject {
  const known = parsedKeys.get(text) ?? privateFrom(text);
  parsedKeys.set(text, known);
  return known;
}

const waitMs = 5;
const longestWaitMs = 5_000;

/** Makes keys one at a time; the others wait, for a few milliseconds. */
function underLock<T>(home: string, work: () => T): T {
  markHome(home);
  makeTrustedDirectory(home, "state");
  for (let waited = 0; ; waited += waitMs) {
    const lock = tryLock(home, lockFile);
    if (lock !== undefined) {
      try {
        return work();
      } finally {
        lock.release();
      }
    }
    if (waited >= longestWaitMs)
      throw new Outage("lock", lockFile, "another process has been making keys for too long");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  }
}

/** The cost of one guess: some 100 ms and 64 MiB. */
const scrypt = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

function guard(text: string, passphrase: string): Guarded {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", scryptSync(passphrase, salt, 32, scrypt), iv);
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  const texts = [salt, iv, cipher.getAuthTag(), data].map((bytes) => bytes.toString("base64url"));
  const [saltText = "", ivText = "", tag = "", dataText = ""] = texts;
  return { salt: saltText, iv: ivText, tag, data: dataText };
}

function opened({ salt, iv, tag, data }: Guarded, passphrase: string): string {
  const bytes = (text: string): Buffer => Buffer.from(text, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", scryptSync(passphrase, bytes(salt), 32, scrypt), bytes(iv));
  decipher.setAuthTag(bytes(tag));
  try {
    return Buffer.concat([decipher.update(bytes(data)), decipher.final()]).toString("utf8");
  } catch {
    throw new Refusal("keys.wrong-passphrase", "this passphrase does not open the owner's key");
  }
}

/** A holder becomes part of a file's name. */
function checked(holder: Holder): Holder {
  if (holder === "constellation" || holder === "owner" || holder === "mesh" || isAgentId(holder)) return holder;
  throw new Refusal("keys.unknown", `nobody called ${JSON.stringify(holder.slice(0, 80))} can hold a key`);
}
