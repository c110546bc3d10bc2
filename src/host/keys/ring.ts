// The ring: every public key there ever was, whose it is and from when until when, as signed statements in order. Each statement
// names the one before it by hash and is signed by the constellation's key of its day; the first one signs itself. Nothing is ever
// taken out, so that what was signed long ago can still be checked. Pure: key-files.ts has it on the disk.
//
// Beside it: `key-files.ts` makes, rotates and revokes keys; `bus-keys.ts` signs and checks envelopes over the bytes of
// `protocol/canonical.ts`; `seals.ts` seals lines of record files; `floor/bus/send.ts` signs and `judge-envelope.ts` judges;
// `core/audit/anchor.ts` signs the timeline's head, and `core/audit/verify.ts` compares.

import { createHash } from "node:crypto";
import { bytesFor, bytesToSign, canonical } from "../../protocol/canonical.ts";
import { constellationHolder, type Holder, ownerHolder, type SignatureVerdict } from "../../ports/keys.ts";
import { holds, keyId, publicFrom, readSignature } from "./ed25519.ts";

export interface Statement {
  /** `add`: the holder signs with this key from now on, and no longer with the one before. `revoke`: it is in wrong hands. */
  readonly op: "add" | "revoke";
  readonly holder: Holder;
  readonly key: string;
  /** Of `add`. */
  readonly public?: string;
  readonly at_ms: number;
  readonly reason?: string;
  readonly prev: string;
  readonly sig: string;
}

export interface RingKey {
  readonly holder: Holder;
  readonly id: string;
  readonly publicKey: string;
  readonly fromMs: number;
  readonly untilMs?: number;
  readonly revokedMs?: number;
  readonly reason?: string;
}

export interface Ring {
  /** In the order in which they were made. */
  readonly keys: readonly RingKey[];
  /** The hash that the next statement names as the one before. */
  readonly head: string;
  readonly statements: number;
  /** The first line that is not what it should be; everything from there on is left out. */
  readonly problem?: string;
}

export const firstPrev = "0".repeat(64);
/** Who signs may have read the key a moment before it was replaced. */
const slackMs = 60_000;

export function statementBytes(statement: Omit<Statement, "sig">): Uint8Array<ArrayBuffer> {
  const { sig: _, ...said } = statement as Statement;
  return bytesToSign("key", said);
}

export const lineOf = (statement: Statement): string => canonical(statement);

export const hashOfLine = (line: string): string => createHash("sha256").update(line).digest("hex");

/** Tells whether the owner had a key when the ring ended with the statement of this hash. Of an unknown one, whether they have any. */
export function hadOwnerAt(text: string, hash: string): boolean {
  if (hash === firstPrev) return false;
  for (const line of text.split("\n")) {
    if (parse(line)?.holder === ownerHolder) return true;
    if (hashOfLine(line) === hash) return false;
  }
  return false;
}

/**
 * The last text that this process read without a problem, and what it came to. A ring only grows, so the next one nearly always begins
 * with it, and those lines need not be checked a second time: with a hundred agents that would be ten thousand signatures.
 */
let lastRead: { readonly text: string; readonly ring: Ring } | undefined;

export function readRing(text: string): Ring {
  const known = lastRead !== undefined && continues(text, lastRead.text) ? lastRead : undefined;
  const ring = readOn(known?.ring, text.slice(known?.text.length ?? 0));
  if (ring.problem === undefined) lastRead = { text, ring };
  return ring;
}

/** Only whole lines can be told apart from what follows them. */
const continues = (text: string, before: string): boolean => before.endsWith("\n") && text.startsWith(before);

function readOn(before: Ring | undefined, rest: string): Ring {
  const keys = new Map<string, RingKey>(before?.keys.map((key) => [key.id, key]));
  let head = before?.head ?? firstPrev;
  let statements = before?.statements ?? 0;
  for (const line of rest.split("\n")) {
    if (line === "") continue;
    const statement = parse(line);
    const problem = statement === undefined ? "it is not a statement" : complaint(statement, head, keys);
    if (statement === undefined || problem !== undefined)
      return { keys: [...keys.values()], head, statements, problem: `line ${statements + 1}: ${problem}` };
    take(statement, keys);
    head = hashOfLine(line);
    statements += 1;
  }
  return { keys: [...keys.values()], head, statements };
}

/** The key that a holder signs with now. */
export function currentKey(ring: Ring, holder: Holder): RingKey | undefined {
  return ring.keys.findLast((key) => key.holder === holder && key.untilMs === undefined && key.revokedMs === undefined);
}

/** Returns the constellation's name in signatures: its first key, which stays first whatever becomes of it. */
export const constellationOf = (ring: Ring): string | undefined => ring.keys[0]?.id;

export function judgeSignature(ring: Ring, text: string, bytes: Uint8Array, atMs: number): SignatureVerdict {
  const signature = readSignature(text);
  if (signature?.constellation === undefined) return { ok: false, why: "malformed" };
  const key = ring.keys.find(({ id }) => id === signature.key);
  if (key === undefined) return { ok: false, why: "unknown" };
  const { constellation } = signature;
  if (constellation !== constellationOf(ring)) return { ok: false, why: "elsewhere" };
  if (!isBy(key, bytesFor(constellation, bytes), signature.bytes)) return { ok: false, why: "wrong" };
  if (key.revokedMs !== undefined && atMs >= key.revokedMs) return { ok: false, why: "revoked" };
  // Only the end counts: a clock that was set back makes things older than the key that signed them, and nothing is gained by it.
  if (key.untilMs !== undefined && atMs > key.untilMs + slackMs) return { ok: false, why: "ended" };
  const { holder, id, revokedMs } = key;
  return { ok: true, holder, key: id, ...(revokedMs === undefined ? {} : { revoked: true }) };
}

/** Reading the text of a key takes as long as checking with it. */
const readKeys = new Map<string, ReturnType<typeof publicFrom>>();

function isBy(key: RingKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = readKeys.get(key.publicKey) ?? publicFrom(key.publicKey);
  readKeys.set(key.publicKey, publicKey);
  return publicKey !== undefined && holds(publicKey, bytes, signature);
}

function parse(line: string): Statement | undefined {
  try {
    const given = JSON.parse(line) as Partial<Statement> | null;
    const { op, holder, key, at_ms: atMs, prev, sig } = given ?? {};
    const whole =
      (op === "add" || op === "revoke") &&
      [holder, key, prev, sig].every((text) => typeof text === "string") &&
      Number.isSafeInteger(atMs);
    return whole && canonical(given) === line ? (given as Statement) : undefined;
  } catch {
    return undefined;
  }
}

function complaint(statement: Statement, head: string, keys: ReadonlyMap<string, RingKey>): string | undefined {
  if (statement.prev !== head) return "it does not follow the one before";
  if (statement.op === "add" && keyId(statement.public ?? "") !== statement.key)
    return "the key is not the one it names";
  if (statement.op === "add" && keys.has(statement.key)) return "the key was there before";
  if (statement.op === "revoke" && keys.get(statement.key)?.holder !== statement.holder) return "there is no such key";
  const signature = readSignature(statement.sig);
  const signer = keys.get(signature?.key ?? "") ?? (keys.size === 0 ? firstSigner(statement) : undefined);
  if (signature === undefined || signer?.holder !== constellationHolder) return "the constellation did not sign it";
  // A key that was revoked says nothing more; one that was ended may still have signed its successor.
  if (signer.revokedMs !== undefined || signer.untilMs !== undefined) return "it is signed with a key that had ended";
  return isBy(signer, statementBytes(statement), signature.bytes) ? undefined : "its signature is wrong";
}

/** The first key of all is the constellation's, and vouches for itself. */
function firstSigner({ op, holder, key, public: publicKey, at_ms: fromMs }: Statement): RingKey | undefined {
  if (op !== "add" || holder !== constellationHolder || publicKey === undefined) return undefined;
  return { holder, id: key, publicKey, fromMs };
}

function take(statement: Statement, keys: Map<string, RingKey>): void {
  const { op, holder, key, public: publicKey = "", at_ms: atMs, reason } = statement;
  if (op === "revoke") {
    const known = keys.get(key);
    if (known !== undefined) keys.set(key, { ...known, revokedMs: atMs, ...(reason === undefined ? {} : { reason }) });
    return;
  }
  for (const known of keys.values()) {
    if (known.holder === holder && known.untilMs === undefined && known.revokedMs === undefined)
      keys.set(known.id, { ...known, untilMs: atMs });
  }
  keys.set(key, { holder, id: key, publicKey, fromMs: atMs });
}
