// The hash of an event, which other programs may compute too. What the chain promises is in timeline.suite.ts.

import { expect, test } from "bun:test";
import { chainHash, genesisHash } from "./timeline.ts";

test("the hash is what the documentation says", () => {
  const row = {
    seq: 1,
    id: "evt_1",
    constellation: "constel0",
    at_ms: 2,
    type: "a.b",
    subject: null,
    actor: "é",
    data: '{"x":1}',
    prev_hash: genesisHash,
  };
  const text = `["${genesisHash}","constel0",1,"evt_1",2,"a.b",null,"é","{\\"x\\":1}"]`;
  expect(chainHash(row)).toBe(new Bun.CryptoHasher("sha256").update(text).digest("hex"));
});
