// Tokens for the TCP surface: made by the owner, shown once, kept as a hash, ended at any time.

import type { Asker } from "../../protocol/authority.ts";
import { owner } from "../../protocol/authority.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { TokensTable } from "../../store/tables/trust.ts";
import type { Context, ReadContext } from "../context.ts";
import { isBelieved, signedRow, standingOf } from "../signed-row.ts";
import { allTokens, tokenByHash, updateToken } from "./tokens.sql.ts";

export type TokenRole = "owner" | "human" | "observer" | "outside";

/** So that a token is known for one wherever it turns up, by secret scanners too. */
const prefix = "constel_";

/** By the beginning of its id: a token that the owner made, or a session that a link of the dashboard opened. */
const kinds = { token: "tok", browser: "web" } as const;

interface TokenWish {
  readonly name: string;
  readonly role: TokenRole;
  readonly scope: readonly string[];
  readonly expires_ms: number | null;
}

/** The token, shown this once. */
interface MadeToken {
  readonly id: string;
  readonly token: string;
  readonly expires_ms: number | null;
}

export const createToken = (context: Context, wish: TokenWish): Promise<MadeToken> => makeToken(context, "token", wish);

/** A session of the dashboard: a token that ends by itself and is listed as what it is. */
export const createSession = (context: Context, wish: TokenWish): Promise<MadeToken> =>
  makeToken(context, "browser", wish);

async function makeToken(context: Context, kind: keyof typeof kinds, input: TokenWish): Promise<MadeToken> {
  const { store, random, clock, constellation, actor } = context;
  const token = prefix + Buffer.from(random.bytes(32)).toString("base64url");
  const nowMs = clock.nowMs();
  const id = makeId(kinds[kind], nowMs, random.bytes(10));
  const { name, role, expires_ms } = input;
  await store.write(async (tx) => {
    const row = signedRow<TokensTable>(tx, context, "token", {
      id,
      constellation,
      name,
      role,
      scope: JSON.stringify(input.scope),
      hash: hashOf(token),
      created_ms: tx.nowMs,
      expires_ms,
      revoked_ms: null,
      used_ms: null,
      signature: null,
    });
    await tx.insert("tokens", row);
    await tx.record({
      type: "token.created",
      subject: `token:${id}`,
      actor,
      data: { kind, name, role, scope: input.scope },
    });
  });
  return { id, token, expires_ms };
}

export async function listTokens({ store }: Pick<ReadContext, "store">) {
  const rows = await allTokens(store.db, store.constellation);
  const tokens = rows.map((row) => {
    const { hash: _, constellation: __, signature: ___, ...shown } = row;
    return { ...shown, kind: kindOf(row), role: row.role as TokenRole, scope: scopeOf(row) };
  });
  return { tokens };
}

export async function revokeToken(context: Context, { id }: { id: string }): Promise<{ id: string; name: string }> {
  const { store, constellation, actor } = context;
  return store.write(async (tx) => {
    const row = (await allTokens(tx.db, constellation)).find((one) => one.id === id || one.name === id);
    if (row === undefined) throw new Refusal("token.unknown", `there is no token ${JSON.stringify(id)}`, { id });
    if (row.revoked_ms === null) {
      await updateToken(tx.db, row.id, signedRow(tx, context, "token", { ...row, revoked_ms: tx.nowMs }));
      await tx.record({ type: "token.revoked", subject: `token:${row.id}`, actor, data: { name: row.name } });
    }
    return { id: row.id, name: row.name };
  });
}

/** Returns the holder of this token. Undefined if there is none, or no longer. */
export async function holderOf(
  context: Pick<Context, "store" | "clock" | "audit">,
  token: string,
): Promise<Asker | undefined> {
  const { store, clock, audit } = context;
  const row = await tokenByHash(store.db, store.constellation, hashOf(token));
  if (row === undefined || row.revoked_ms !== null) return undefined;
  // A row that somebody wrote or changed past constel opens nothing.
  if (!isBelieved(standingOf(audit?.verify, "token", row))) return undefined;
  if (row.expires_ms !== null && row.expires_ms <= clock.nowMs()) return undefined;
  await noteUse(context, row);
  const scope = scopeOf(row);
  const limited = { ...(scope.length === 0 ? {} : { scope }), known: knownBy[kindOf(row)] };
  if (row.role === "owner") return { ...owner, ...limited };
  const role = row.role === "human" || row.role === "outside" ? row.role : "observer";
  return { role, name: `${role}:${row.name}`, ...limited };
}

/** To the minute: a page that asks all the time is no write each time. Access does not hang on it. */
const usedEveryMs = 60_000;

async function noteUse(
  { store, clock }: Pick<Context, "store" | "clock">,
  { id, used_ms }: TokensTable,
): Promise<void> {
  const nowMs = clock.nowMs();
  if (used_ms !== null && Math.abs(nowMs - used_ms) < usedEveryMs) return;
  try {
    await store.write((tx) => updateToken(tx.db, id, { used_ms: nowMs }));
  } catch (cause) {
    if (!(cause instanceof Outage)) throw cause;
  }
}

/** How it is known who asks: it stands in what they sign. */
export const knownBy = { token: "token", browser: "browser session" } as const;

const kindOf = ({ id }: Pick<TokensTable, "id">): keyof typeof kinds =>
  id.startsWith(`${kinds.browser}_`) ? "browser" : "token";

const hashOf = (token: string): string => Bun.CryptoHasher.hash("sha256", token, "hex");

const scopeOf = ({ scope }: TokensTable): string[] => JSON.parse(scope) as string[];
