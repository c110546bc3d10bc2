// Declares the tables for who may call from outside, and for the owner's signed words.

export interface TokensTable {
  id: string;
  constellation: string;
  name: string;
  /** `owner`, `human`, `observer` or `outside`. */
  role: string;
  /** A JSON list of operations; empty: all that the role may. */
  scope: string;
  /** SHA-256 of the token, in hex. The token itself is nowhere. */
  hash: string;
  created_ms: number;
  expires_ms: number | null;
  revoked_ms: number | null;
  used_ms: number | null;
  /** Over the row as it stands (core/signed-row.ts); null where there was no key. */
  signature: string | null;
}

export interface SignedDirectivesTable {
  id: string;
  constellation: string;
  at_ms: number;
  text: string;
  sig: string;
  /** The id of the owner's key. */
  key: string;
  /** 1 when the signature was checked and held. */
  owner_verified: number;
}
