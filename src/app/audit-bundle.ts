// The audit as one file that verifies by itself: the events with their signatures, the anchored heads and the public keys. No database and no home is needed
// to check it, only this file, and whatever copy of the heads somebody kept elsewhere.

import { type Anchor, hashOf, readAnchors } from "../core/audit/anchors.ts";
import { chainHead, eventsAfter, signaturesUpTo } from "../core/audit/audit.sql.ts";
import { countingAnchors } from "../core/audit/restored.ts";
import { fits, prunedWrongly } from "../core/audit/verify.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { readKeyFile } from "../host/keys/key-files.ts";
import { constellationOf, hadOwnerAt, judgeSignature, readRing } from "../host/keys/ring.ts";
import { constellationSigner } from "../host/keys/row-signer.ts";
import { constellationHolder, type VerifySignature } from "../ports/keys.ts";
import type { Clock } from "../ports/machine.ts";
import type { BundleVerdict } from "../protocol/audit-bundle.ts";
import { bytesToSign } from "../protocol/canonical.ts";
import { Refusal } from "../protocol/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { SignatureWalk } from "../store/event-signatures.ts";
import type { EventSignaturesTable, EventsTable } from "../store/tables/timeline.ts";
import { chainHash, genesisHash } from "../store/timeline.ts";
import { storeOptions } from "./store-options.ts";

const pageRows = 1000;
const kind = "constel audit";

interface Head {
  readonly seq: number;
  readonly hash: string;
}

interface Beginning {
  readonly kind: typeof kind;
  readonly constellation: string;
  readonly at_ms: number;
  readonly head: Head;
  readonly pruned: Head;
  /** The first event that was signed; absent where none is. */
  readonly signed_since?: number;
  /** The last statement of the ring and the last anchored head that go with it, by their hashes. */
  readonly ring?: string;
  readonly heads?: string;
  /** The constellation's, over all of the above: what is taken out of a bundle later is missed. */
  readonly sig?: string;
}

/** Writes a line at a time: what is exported may be larger than the memory. Answers how many events there were. */
export async function exportAudit(settings: Settings, write: (line: string) => void): Promise<number> {
  const options = storeOptions(settings);
  const { constellation } = options;
  const evidence = auditEvidence(settings.home);
  const snapshot = await openSnapshot(options);
  try {
    const row = await chainHead(snapshot.db, constellation);
    const head = { seq: row?.seq ?? 0, hash: row?.hash ?? genesisHash };
    const pruned = { seq: row?.pruned_seq ?? 0, hash: row?.pruned_hash ?? genesisHash };
    const since = row?.signed_since ?? undefined;
    const [ring, anchors] = [evidence.ring() ?? "", evidence.anchors() ?? ""];
    const beginning: Beginning = {
      kind,
      constellation,
      at_ms: options.clock.nowMs(),
      head,
      pruned,
      ...(since === undefined ? {} : { signed_since: since }),
      ring: lastHash(ring),
      heads: lastHash(anchors),
    };
    write(JSON.stringify({ ...beginning, ...signatureOf(settings.home, options.clock, beginning) }));
    write(JSON.stringify({ ring }));
    write(JSON.stringify({ anchors }));
    let last = pruned.seq;
    let brought = 0;
    for (;;) {
      const page = await eventsAfter(snapshot.db, constellation, { after: last, last: head.seq, limit: pageRows });
      const range = { from: Math.max(brought + 1, page[0]?.seq ?? 0), to: page.at(-1)?.seq ?? 0 };
      for (const signature of await signaturesUpTo(snapshot.db, constellation, range)) {
        write(JSON.stringify({ signature }));
        brought = signature.last_seq;
      }
      for (const event of page) write(JSON.stringify({ event }));
      if (page.length === 0) return Math.max(0, last - pruned.seq);
      last = page.at(-1)?.seq ?? last;
    }
  } finally {
    await snapshot.close();
  }
}

export async function verifyBundle(lines: AsyncIterable<string>, outside: string | undefined): Promise<BundleVerdict> {
  const reading = lines[Symbol.asyncIterator]();
  const beginning = parse<Beginning>((await reading.next()).value, "kind");
  if (beginning.kind !== kind) throw noBundle();
  const { ring: ringText } = parse<{ ring: string }>((await reading.next()).value, "ring");
  const { anchors: anchorsText } = parse<{ anchors: string }>((await reading.next()).value, "anchors");
  const ring = readRing(ringText);
  const verify: VerifySignature = (signature, bytes, atMs) => judgeSignature(ring, signature, bytes, atMs);
  const own = readAnchors(anchorsText, verify);
  const kept = outside === undefined ? undefined : readAnchors(outside, verify, "a part");
  const ofThis = ({ constellation }: Anchor): boolean => constellation === beginning.constellation;
  const counting = countingAnchors({
    own: own.anchors,
    elsewhere: kept?.anchors ?? [],
    verify,
    hadOwner: (hash) => hadOwnerAt(ringText, hash),
  });
  const anchors = counting.anchors.filter(ofThis);
  const reached = Math.max(0, ...anchors.filter((one) => one.kind !== "pruned").map(({ seq }) => seq));
  const since = beginning.signed_since ?? null;
  const signatures = new SignatureWalk({ since, checkFrom: 0, verify });
  const verdict = (problem: string | null, seq: number | null = null): BundleVerdict => ({
    ok: problem === null,
    constellation: beginning.constellation,
    key: constellationOf(ring) ?? null,
    count: beginning.head.seq - beginning.pruned.seq,
    anchors: anchors.length,
    anchored_seq: reached,
    signed: signatures.signed,
    unsigned: signatures.unsigned,
    broken_at: seq,
    problem,
  });
  const whole = notWhole(beginning, { ringText, anchorsText }, verify);
  const problem = ring.problem ?? own.problem ?? kept?.problem ?? counting.problem ?? whole;
  if (problem !== undefined) return verdict(problem);
  const wrong = await walk(reading, beginning, { anchors, signatures });
  if (wrong !== undefined) return verdict(wrong.why, wrong.seq);
  const unfinished = signatures.unfinished();
  if (unfinished !== undefined) return verdict(unfinished, beginning.head.seq);
  const moved = anchors.find((one) => one.signed_since !== undefined && one.signed_since !== since);
  if (moved !== undefined)
    return verdict(`events were signed since event ${moved.signed_since}, and the bundle says otherwise`);
  const { head, pruned } = beginning;
  const pruning = prunedWrongly({ begins: pruned }, anchors, true);
  if (pruning !== undefined) return verdict(pruning, pruned.seq);
  if (reached > head.seq)
    return verdict(`cut off: event ${reached} was anchored and the bundle ends before it`, head.seq + 1);
  return verdict(null);
}

/** A home that never had keys has nothing to sign with, and is given none by a look. */
function signatureOf(home: string, clock: Clock, beginning: Beginning): Pick<Beginning, "sig"> {
  if (readKeyFile(home, constellationHolder) === undefined) return {};
  return { sig: constellationSigner(home, clock)(bytesToSign("bundle", beginning)) };
}

/** A bundle that was cut short, with its head moved and its anchored heads left out, is whole in everything else. */
function notWhole(
  beginning: Beginning,
  { ringText, anchorsText }: { readonly ringText: string; readonly anchorsText: string },
  verify: VerifySignature,
): string | undefined {
  const { sig, ...said } = beginning;
  if (sig === undefined) return "it is not signed as a whole: the home had no key, or somebody took the signature away";
  const verdict = verify(sig, bytesToSign("bundle", said), said.at_ms);
  if (!verdict.ok || verdict.holder !== constellationHolder)
    return "its beginning is not what the constellation signed";
  const isSame = said.ring === lastHash(ringText) && said.heads === lastHash(anchorsText);
  return isSame ? undefined : "the ring of keys or the anchored heads in it are not those that it was exported with";
}

const lastHash = (lines: string): string => {
  const last = lines.trimEnd().split("\n").at(-1) ?? "";
  return last === "" ? genesisHash : hashOf(last);
};

async function walk(
  reading: AsyncIterator<string>,
  { head, pruned, constellation }: Beginning,
  { anchors, signatures }: { readonly anchors: readonly Anchor[]; readonly signatures: SignatureWalk },
): Promise<{ readonly seq: number; readonly why: string } | undefined> {
  const check = fits(anchors);
  let { seq, hash } = pruned;
  for (let next = await reading.next(); next.done !== true; next = await reading.next()) {
    if (next.value === "") continue;
    const line = parse<{ event: EventsTable } | { signature: EventSignaturesTable }>(next.value);
    if ("signature" in line) {
      signatures.bring([line.signature]);
      continue;
    }
    if (!("event" in line)) throw noBundle();
    const { event } = line;
    if (event.seq !== seq + 1 || event.constellation !== constellation)
      return { seq: seq + 1, why: `missing: the next event there is ${event.seq}` };
    if (event.prev_hash !== hash) return { seq: event.seq, why: "does not follow the event before it" };
    if (event.hash !== chainHash(event)) return { seq: event.seq, why: "its content is not what was appended" };
    const why = check(event) ?? signatures.check(event);
    if (why !== undefined) return { seq: event.seq, why };
    ({ seq, hash } = event);
  }
  if (seq === head.seq && hash === head.hash) return undefined;
  return { seq: seq + 1, why: `missing: the bundle ends before its head at ${head.seq}` };
}

function parse<T extends object>(line: unknown, field?: keyof T & string): T {
  try {
    const value = JSON.parse(String(line)) as T;
    if (typeof value === "object" && value !== null && (field === undefined || field in value)) return value;
  } catch {
    // said below
  }
  throw noBundle();
}

const noBundle = (): Refusal => new Refusal("audit.no-bundle", "this is not a file that `constel audit export` wrote");
