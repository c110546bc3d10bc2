// Signs what the daemon writes down, with keys that are read again only when their file changed: events are signed at every commit.

import { join } from "node:path";
import { constellationHolder, type Holder, ownerHolder } from "../../ports/keys.ts";
import type { Clock } from "../../ports/machine.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { type SigningKey, signWith } from "./ed25519.ts";
import { fileSign } from "./file-sign.ts";
import { isOwnerKeyGuarded, keyFile, signingKey } from "./key-files.ts";

type Sign = (bytes: Uint8Array) => string;

/** Signs with the constellation's key, which is made when there is none; throws where it cannot. */
export const constellationSigner = (home: string, clock: Clock): Sign => signerOf(home, constellationHolder, clock);

/** Signs with the owner's key; undefined where there is none, or a passphrase or another program keeps it. */
export function unguardedOwnerSigner(home: string, clock: Clock): (bytes: Uint8Array) => string | undefined {
  const sign = signerOf(home, ownerHolder, clock);
  return (bytes) => {
    try {
      return isOwnerKeyGuarded(home) ? undefined : sign(bytes);
    } catch (cause) {
      if (cause instanceof Refusal || cause instanceof Outage) return undefined;
      throw cause;
    }
  };
}

function signerOf(home: string, holder: Holder, clock: Clock): Sign {
  const path = join(home, keyFile(holder));
  let known: { readonly file: string; readonly signing: SigningKey } | undefined;
  return (bytes) => {
    const file = fileSign(path);
    if (known === undefined || known.file !== file || file === "")
      known = { file, signing: signingKey(home, holder, clock) };
    return signWith(known.signing, bytes);
  };
}
