// The ring as it stands now, for who checks signatures often: read again only when its file changed.

import { join } from "node:path";
import type { VerifySignature } from "../../ports/keys.ts";
import { fileSign } from "./file-sign.ts";
import { readRingOf, ringFile } from "./key-files.ts";
import { judgeSignature, type Ring } from "./ring.ts";

export interface KeyBook {
  ring(): Ring;
  readonly verify: VerifySignature;
}

export function keyBook(home: string): KeyBook {
  let known: { readonly sign: string; readonly ring: Ring } | undefined;
  const ring = (): Ring => {
    const sign = fileSign(join(home, ringFile));
    if (known?.sign !== sign) known = { sign, ring: readRingOf(home) };
    return known.ring;
  };
  return { ring, verify: (signature, bytes, atMs) => judgeSignature(ring(), signature, bytes, atMs) };
}
