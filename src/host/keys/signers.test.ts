// The signers that daemon, bus and commands are given, on a home that has no keys yet, or none that can be used.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import { verifyOwner } from "../../protocol/owners-word.ts";
import { busKeys } from "./bus-keys.ts";
import { signWith, statementSignature } from "./ed25519.ts";
import { keyBook } from "./key-book.ts";
import { makeOwnerKey, ownerKey, signingKey } from "./key-files.ts";
import { constellationSigner, unguardedOwnerSigner } from "./row-signer.ts";
import { isConstels, sealForConstel } from "./seal-for-constel.ts";

let directory: ReturnType<typeof temporaryDirectory>;
let home: string;
const clock = new FakeClock();
const bytes = new TextEncoder().encode("constel test\n{}");
beforeEach(() => {
  directory = temporaryDirectory("signers");
  home = directory.path;
});
afterEach(() => directory[Symbol.dispose]());

test("the constellation's key is made when something is first signed with it", () => {
  const signature = constellationSigner(home, clock)(bytes);
  expect(keyBook(home).verify(signature, bytes, clock.nowMs())).toMatchObject({ ok: true, holder: "constellation" });
});

test("without an owner's key, or with one behind a passphrase, nothing is signed in the owner's name", () => {
  const sign = unguardedOwnerSigner(home, clock);
  expect(sign(bytes)).toBeUndefined();
  makeOwnerKey(home, clock, { passphrase: "correct horse" });
  expect(sign(bytes)).toBeUndefined();
  makeOwnerKey(home, clock, { replace: true });
  expect(keyBook(home).verify(sign(bytes) ?? "", bytes, clock.nowMs())).toMatchObject({ ok: true, holder: "owner" });
});

test("a home without a ring knows nobody's signature", () => {
  constellationSigner(home, clock);
  const { id, key } = signingKey(temporaryHome("other"), "agent1", clock);
  const signature = signWith({ id, key, constellation: id }, bytes);
  expect(keyBook(home).verify(signature, bytes, clock.nowMs())).toEqual({ ok: false, why: "unknown" });
});

const temporaryHome = (name: string): string => {
  mkdirSync(join(home, name));
  return join(home, name);
};

test("the bus carries a message unsigned where keys can be neither read nor made", () => {
  const envelope: Envelope = { from: "agent1", to: "agent2", text: "hello", ts: "2026-01-01T00:00:00.000Z" };
  expect(busKeys(home, clock).sign(envelope)).toStartWith("ed25519:");
  const linked = temporaryHome("linked");
  symlinkSync(temporaryHome("elsewhere"), join(linked, "keys")); // refused
  const blocked = temporaryHome("blocked");
  writeFileSync(join(blocked, "keys"), ""); // the machine fails
  for (const one of [linked, blocked]) expect(busKeys(one, clock).sign(envelope)).toBeUndefined();
});

test("constel's seal is on what it wrote and on nothing else; where there never was a key, lines are as they are", () => {
  const line = '{"agent":"agent1"}';
  expect(sealForConstel(home)(line)).toBe(line);
  expect(isConstels(home)(line)).toBe(true);
  signingKey(home, "agent1", clock); // makes the constellation's key too
  const sealed = sealForConstel(home)(line);
  expect(sealed).not.toBe(line);
  expect([sealed, line, sealed.replace("agent1", "agent2")].map(isConstels(home))).toEqual([true, false, false]);
});

test("the owner's word is the owner's key over these bytes, for this constellation", () => {
  const { id } = makeOwnerKey(home, clock, {});
  const owner = ownerKey(home, () => "");
  const { verify } = keyBook(home);
  const word = (signature: string, over = bytes) => verifyOwner(verify, signature, over, clock.nowMs());
  expect(word(signWith(owner, bytes))).toBe(id);
  expect(word(statementSignature(owner.id, owner.key, bytes))).toBeUndefined();
  expect(word(signWith(owner, bytes), new TextEncoder().encode("other"))).toBeUndefined();
  expect(word(signWith(signingKey(home, "agent1", clock), bytes))).toBeUndefined();
  expect(verifyOwner(() => ({ ok: true, holder: "owner" }), "", bytes, 0)).toBeUndefined();
});
