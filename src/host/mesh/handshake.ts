// The handshake, the same over any wire. Both ends make a secret of two fresh keys (X25519), then prove their mesh keys (Ed25519) by signing
// all that was said. The dialler speaks first and knows whom it wants; the answerer looks its key up in the list before anything else, and
// says who it is only to a key on the list, or to one with an invitation. Everything after is sealed with keys that come of the handshake,
// so that who stands in the middle of a wire reads nothing and changes nothing, whatever carried it.
//
// The steps, and all that is read of a stranger: `handshake-words.ts`. The limits: `greet.ts`.

import { publicFrom, holds } from "../keys/ed25519.ts";
import { MeshTrouble, type Wire } from "../../ports/mesh.ts";
import { Outage } from "../../protocol/errors.ts";
import { makeFreshKey } from "./fresh-key.ts";
import {
  answerBytes,
  answerOf,
  bytesToProve,
  digest,
  helloBytes,
  helloOf,
  keyBytes,
  mostBytesBeforeProof,
  mostWordsBytes,
  readAnswer,
  readHello,
  readSaid,
  type Said,
  signatureBytes,
  twoKeys,
} from "./handshake-words.ts";
import type { MeshKey } from "./mesh-key.ts";
import { ByteReader } from "./read-bytes.ts";
import { lengthBytes, recordLength, RecordOpener, RecordSealer } from "./sealed-records.ts";
import { commonVersion, versionComplaint, type Versions } from "./versions.ts";

export interface Ourselves {
  readonly key: MeshKey;
  readonly versions: Versions;
  readonly said: () => Pick<Said, "constellation" | "program" | "now_ms">;
}

/** Both ends proved their keys. */
export interface Proven<Admitted> {
  readonly wire: Wire;
  readonly reader: ByteReader;
  readonly version: number;
  readonly sealer: RecordSealer;
  readonly opener: RecordOpener;
  /** Their mesh key, 32 bytes, base64url. */
  readonly theirKey: string;
  readonly theySaid: Said;
  readonly admitted: Admitted;
  /** The value of this handshake that both ends know. */
  readonly transcript: Buffer;
}

export interface Dialling {
  readonly ourselves: Ourselves;
  /** The mesh key that must be at the other end. */
  readonly wanted: string;
  /** Of who redeems an invitation: makes the code over the handshake. */
  readonly invitation?: { readonly id: string; readonly codeFor: (before: Uint8Array, ownKey: string) => string };
}

/** A stranger, or a peer that may not have this. `isTold`: it proved its key, so it may hear why. */
export class Refused extends Error {
  readonly isTold: boolean;
  readonly key: string | undefined;

  constructor(why: string, key?: string, isTold = false) {
    super(why);
    this.key = key;
    this.isTold = isTold;
  }
}

export interface Answering<Admitted> {
  readonly ourselves: Ourselves;
  /** Asked before anything else is done with what a dialler sent. Undefined: it is not on the list. */
  readonly admit: (asking: Asking) => Admitted | undefined;
  /** True where somebody who is not on the list may come with an invitation. */
  readonly awaitsStrangers: () => boolean;
  /** True where the transport's own proof already names a key on the list. */
  readonly isListed: (key: string) => boolean;
}

export interface Asking {
  readonly key: string;
  readonly said: Said;
  /** All that was said in the open, and what only this wire knows. */
  readonly before: Uint8Array;
}

export async function dialHandshake(wire: Wire, { ourselves, wanted, invitation }: Dialling): Promise<Proven<true>> {
  const at = wire.route.at;
  if (wire.provenKey !== undefined && wire.provenKey !== wanted)
    throw new MeshTrouble("key", at, "another key than the peer's is there");
  const reader = new ByteReader(wire);
  const fresh = makeFreshKey();
  const hello = helloOf({ versions: ourselves.versions, fresh: fresh.publicKey });
  // Where that fails, reading tells why.
  await wire.write(hello).catch(() => {});
  const answerRead = await takenFrom(reader, answerBytes);
  if (answerRead === undefined)
    throw wire.provenKey === undefined
      ? new MeshTrouble("wire", at, "it closed the line without an answer")
      : new MeshTrouble("key", at, "the peer closed the line unread: our key is not on its list, or no longer");
  const answer = readAnswer(answerRead);
  if (answer === undefined) throw new MeshTrouble("wire", at, "whoever is there does not speak the mesh's protocol");
  const version = commonVersion(ourselves.versions, answer.versions);
  if (answer.version === 0 || version !== answer.version)
    throw new MeshTrouble("version", at, versionComplaint(ourselves.versions, answer.versions));
  const shared = fresh.agree(answer.fresh);
  if (shared === undefined) throw new MeshTrouble("wire", at, "it sent a key that is none");
  const before = digest(wire.binding ?? Buffer.alloc(0), hello, answerRead);
  const [ourHandKey, theirHandKey] = twoKeys(shared, before, "handshake");
  const code = invitation?.codeFor(before, ourselves.key.publicKey);
  const said = {
    ...ourselves.said(),
    ...(invitation === undefined || code === undefined ? {} : { invitation: { id: invitation.id, code } }),
  };
  const proof = proofOf("dial", { key: ourselves.key, said, before, theirs: wanted });
  await wire.write(new RecordSealer(ourHandKey).seal("frame", proof));
  const theirs = await readProof(reader, theirHandKey);
  if (theirs === undefined)
    throw new MeshTrouble("key", at, "it ended the line after our proof: our key is not on its list, or no longer");
  if (theirs === "unreadable") throw new MeshTrouble("key", at, "its answer was not sealed for this line");
  if (theirs.refused !== undefined) throw new MeshTrouble("key", at, theirs.refused);
  if (theirs.key !== wanted) throw new MeshTrouble("key", at, "another key than the peer's answered");
  if (!isProven("answer", theirs, { before: digest(before, proof), theirs: ourselves.key.publicKey }))
    throw new MeshTrouble("key", at, "it did not prove its key");
  const transcript = digest(before, proof, theirs.raw);
  const [ourKey, theirKey] = twoKeys(shared, transcript, "line");
  return proven({ wire, reader, version, ourKey, theirKey, transcript, theirs, admitted: true });
}

export async function answerHandshake<Admitted>(
  wire: Wire,
  { ourselves, admit, awaitsStrangers, isListed }: Answering<Admitted>,
): Promise<Proven<Admitted>> {
  if (wire.provenKey !== undefined && !isListed(wire.provenKey) && !awaitsStrangers())
    throw new Refused("its key is not on the list", wire.provenKey);
  const reader = new ByteReader(wire);
  const helloRead = await reader.take(helloBytes);
  if (helloRead === undefined) throw new Refused("it said nothing and went");
  const hello = readHello(helloRead);
  if (hello === undefined) throw new Refused("it does not speak the mesh's protocol");
  refuseMore(reader);
  const fresh = makeFreshKey();
  const version = commonVersion(ourselves.versions, hello.versions) ?? 0;
  const answer = answerOf({ version, versions: ourselves.versions, fresh: fresh.publicKey });
  await wire.write(answer);
  if (version === 0) throw new Refused(versionComplaint(ourselves.versions, hello.versions));
  const shared = fresh.agree(hello.fresh);
  if (shared === undefined) throw new Refused("it sent a key that is none");
  const before = digest(wire.binding ?? Buffer.alloc(0), helloRead, answer);
  const [theirHandKey, ourHandKey] = twoKeys(shared, before, "handshake");
  const theirs = await readProof(reader, theirHandKey);
  if (theirs === undefined) throw new Refused("it went without a proof");
  if (theirs === "unreadable") throw new Refused("its proof does not open: it was made for another handshake");
  refuseMore(reader);
  if (wire.provenKey !== undefined && theirs.key !== wire.provenKey)
    throw new Refused("it proves another key than the one its wire showed", theirs.key);
  const admitted = admit({ key: theirs.key, said: theirs.said, before });
  const holdsKey = isProven("dial", theirs, { before, theirs: ourselves.key.publicKey });
  const sealer = new RecordSealer(ourHandKey);
  if (admitted === undefined) {
    // Only the key's own holder hears that it is not on the list: nobody learns it of another's key.
    if (holdsKey) await wire.write(sealer.seal("end", Buffer.from("your key is not on its list, or no longer")));
    throw new Refused("its key is not on the list", theirs.key, holdsKey);
  }
  if (!holdsKey) throw new Refused("it did not prove its key", theirs.key);
  const isJoining = theirs.said.invitation !== undefined && !isListed(theirs.key);
  const said = { ...ourselves.said(), ...(isJoining ? { joined: true as const } : {}) };
  const proof = proofOf("answer", {
    key: ourselves.key,
    said,
    before: digest(before, theirs.raw),
    theirs: theirs.key,
  });
  await wire.write(sealer.seal("frame", proof));
  const transcript = digest(before, theirs.raw, proof);
  const [theirKey, ourKey] = twoKeys(shared, transcript, "line");
  return proven({ wire, reader, version, ourKey, theirKey, transcript, theirs, admitted });
}

/** Nothing may come before it is answered: whoever sends on regardless wants us to read. */
function refuseMore(reader: ByteReader): void {
  if (reader.held > 0 || reader.received > mostBytesBeforeProof)
    throw new Refused("it sent more than a handshake before it proved its key");
}

interface ReadProof {
  readonly key: string;
  readonly said: Said;
  readonly saidBytes: Buffer;
  readonly signature: Buffer;
  readonly raw: Buffer;
  readonly refused?: string;
}

interface ProofParts {
  readonly key: MeshKey;
  readonly said: Said;
  readonly before: Uint8Array;
  readonly theirs: string;
}

const rawKey = (text: string): Buffer => Buffer.from(text, "base64url");

function proofOf(part: "dial" | "answer", { key, said, before, theirs }: ProofParts): Buffer {
  const saidBytes = Buffer.from(JSON.stringify(said));
  const own = rawKey(key.publicKey);
  const signature = key.sign(bytesToProve(part, before, rawKey(theirs), own, saidBytes));
  return Buffer.concat([signature, own, saidBytes]);
}

function isProven(
  part: "dial" | "answer",
  { key, saidBytes, signature }: ReadProof,
  { before, theirs }: Pick<ProofParts, "before" | "theirs">,
): boolean {
  const publicKey = publicFrom(key);
  if (publicKey === undefined) return false;
  return holds(publicKey, bytesToProve(part, before, rawKey(theirs), rawKey(key), saidBytes), signature);
}

/** A wire that breaks has ended, too: whoever is refused is often not let finish. */
async function takenFrom(reader: ByteReader, count: number): Promise<Buffer | undefined> {
  try {
    return await reader.take(count);
  } catch (cause) {
    // A transport that knows the step at which it failed says so.
    if (cause instanceof Outage && !(cause instanceof MeshTrouble)) return undefined;
    throw cause;
  }
}

const smallestProof = signatureBytes + keyBytes;

async function readProof(reader: ByteReader, handKey: Uint8Array): Promise<ReadProof | "unreadable" | undefined> {
  const head = await takenFrom(reader, lengthBytes);
  if (head === undefined) return undefined;
  const length = recordLength(head);
  if (length === undefined || length > smallestProof + mostWordsBytes) return "unreadable";
  const record = await takenFrom(reader, length);
  if (record === undefined) return undefined;
  const opened = new RecordOpener(handKey).open(record);
  if (opened === undefined) return "unreadable";
  const raw = opened.payload;
  const nothing = { key: "", saidBytes: raw, signature: raw, raw } as const;
  const noWords = { constellation: "unknown", program: "unknown", now_ms: 0 };
  if (opened.kind === "end") return { ...nothing, said: noWords, refused: plainWords(raw) };
  if (opened.kind !== "frame" || raw.length < smallestProof) return "unreadable";
  const saidBytes = raw.subarray(smallestProof);
  const said = readSaid(saidBytes);
  if (said === undefined) return "unreadable";
  const key = raw.subarray(signatureBytes, smallestProof).toString("base64url");
  return { key, said, saidBytes, signature: raw.subarray(0, signatureBytes), raw };
}

/** Words of whoever is at the other end, for a line of ours. */
export const plainWords = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(0, 200))
    .toString("utf8")
    .replaceAll(/[^\x20-\x7e]/g, "?");

interface Parts<Admitted> extends Pick<Proven<Admitted>, "wire" | "reader" | "version" | "transcript" | "admitted"> {
  readonly ourKey: Buffer;
  readonly theirKey: Buffer;
  readonly theirs: ReadProof;
}

const proven = <Admitted>({ ourKey, theirKey, theirs, ...rest }: Parts<Admitted>): Proven<Admitted> => ({
  ...rest,
  sealer: new RecordSealer(ourKey),
  opener: new RecordOpener(theirKey),
  theirKey: theirs.key,
  theySaid: theirs.said,
});
