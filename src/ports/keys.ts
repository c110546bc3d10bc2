// Keys, as floor, core and the daemon ask for them. Who holds one: `constellation` (what constel itself says), `owner`, `mesh`, or an agent.
// A signature is text: `ed25519:<key>.<constellation>:<signature>`. The key is named by a part of its hash, the constellation by the first key it
// ever had, and what is signed begins with that name. Only statements of the ring name none: `ed25519:<key>:<signature>`.

export type Holder = string;

export const constellationHolder = "constellation";
export const ownerHolder = "owner";
/** Proves who is at the end of a line between constellations, and signs nothing else. */
export const meshHolder = "mesh";

/** The verdict on somebody's signature over some bytes. */
export type SignatureVerdict =
  /** `revoked`: the key has fallen into wrong hands since. What it signed before is true only if it was known before. */
  | { readonly ok: true; readonly holder: Holder; readonly key: string; readonly revoked?: true }
  /** `unknown`: nobody here knows this key. `ended`: it had been replaced when this was signed. `elsewhere`: for another constellation. */
  | { readonly ok: false; readonly why: "unknown" | "wrong" | "ended" | "revoked" | "malformed" | "elsewhere" };

/** Reads the ring alone: no secret is needed to check a signature. */
export interface VerifySignature {
  /** `atMs`: when it was signed, as the signed content itself says. */
  (signature: string, bytes: Uint8Array, atMs: number): SignatureVerdict;
}

export interface SignAs {
  (holder: Holder, bytes: Uint8Array): string;
}

/** Marks a line of a record file as written by whoever holds the secret; cheap enough for every hook of every agent. */
export interface Sealer {
  readonly by: Holder;
  seal(json: string): string;
}

/** A home, and how constel knows the files there that it wrote itself: any process of the account can write others in their place. */
export interface SealedHome {
  readonly home: string;
  /** As it is where there is no key yet. */
  readonly seal: (json: string) => string;
  readonly isGenuine: (text: string) => boolean;
}
