import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../../ports/fake-clock.ts";
import { cardOf } from "../../protocol/a2a-card.ts";
import { cardKeys } from "./card-keys.ts";
import { publicJwk } from "./jws.ts";
import { signCard, signersOf } from "./signed-card.ts";

const skills = [{ id: "task", name: "Work", description: "It is done.", tags: ["code"] }];
const card = cardOf({ constellation: "constel0", address: "https://agents.example.org", version: "1.0.0", skills });

test("a card is signed with EdDSA and ES256, and any change to it breaks both", () => {
  const home = mkdtempSync(join(tmpdir(), "constel-card-"));
  try {
    const keys = cardKeys(home, new FakeClock());
    const jwks = keys.map(({ key }) => publicJwk(key));
    const signed = signCard(card, keys);
    expect(signersOf(signed, jwks)).toEqual(keys.map(({ id }) => id));
    // The keys are the same the next time.
    expect(cardKeys(home, new FakeClock()).map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    // Written in another order it says the same.
    expect(signersOf(Object.fromEntries(Object.entries(signed).toReversed()), jwks)).toHaveLength(2);
    for (const forged of [
      { ...signed, name: "somebody else" },
      { ...signed, extra: 1 },
      { ...signed, signatures: [] },
      { ...signed, signatures: [{ protected: "e30", signature: "" }, null, 7] },
    ])
      expect(signersOf(forged, jwks)).toEqual([]);
    expect(signersOf(signed, [])).toEqual([]);
    expect(signersOf(signed, [{ kty: "oct", k: "x" }])).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("nothing in our card is empty, false or a default", () => {
  const look = (value: unknown, path: string): string[] => {
    const isEmpty =
      value === null || value === false || value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
    if (isEmpty) return [path];
    if (typeof value !== "object" || value === null) return [];
    const entries = Object.entries(value);
    return entries.length === 0 ? [path] : entries.flatMap(([name, one]) => look(one, `${path}.${name}`));
  };
  expect(look(card, "card")).toEqual([]);
});
