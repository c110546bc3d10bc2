import { expect, test } from "bun:test";
import type { VerifySignature } from "../ports/keys.ts";
import { isBelieved, standingOf } from "./signed-row.ts";

const verified: VerifySignature = () => ({ ok: true, holder: "constellation", key: "k" });

test("without a way to check nothing is said against a row; with one, what is no signature is wrong", () => {
  const signature = JSON.stringify({ at_ms: 1, by: "owner", known: "kernel", sig: "s" });
  expect(standingOf(undefined, "decision", { signature })).toBe("not-checked");
  expect(standingOf(undefined, "decision", { signature: null })).toBe("not-checked");
  expect(standingOf(verified, "decision", { signature })).toBe("verified");
  expect(standingOf(verified, "decision", { signature: null })).toBe("not-signed");
  for (const nonsense of ["", "no JSON", "{}", "null", '{"at_ms":"1","by":"owner","known":"kernel","sig":"s"}'])
    expect([nonsense, standingOf(verified, "decision", { signature: nonsense })]).toEqual([nonsense, "wrong"]);
});

test("a row is acted on when it was signed, or when nobody here can tell", () => {
  expect((["verified", "not-checked", "not-signed", "wrong"] as const).map(isBelieved)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
