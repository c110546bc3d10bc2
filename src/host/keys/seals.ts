// Seals on lines of record files: a code over the line, made with a secret that only the writer's own key file holds. Loaded at
// every hook of every agent, so it imports next to nothing.

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { agentOfFile, isAgentId } from "../../protocol/agent-id.ts";
import type { Sealer } from "../../ports/keys.ts";
import { splitSeal, withSeal } from "../../protocol/seal.ts";

/** Undefined when this holder has no secret here: then its lines go without. */
export function sealerOf(home: string, holder: string): Sealer | undefined {
  const secret = secretOf(home, holder);
  return secret === undefined ? undefined : { by: holder, seal: (json) => withSeal(json, sealOf(secret, json)) };
}

/** Of these holders, the one whose seal the line carries. */
export function sealedBy(home: string, line: string, holders: readonly string[]): string | undefined {
  const parts = splitSeal(line);
  if (parts === undefined) return undefined;
  for (const holder of holders) {
    const secret = secretOf(home, holder);
    if (secret !== undefined && sealOf(secret, parts.json) === parts.seal) return holder;
  }
  return undefined;
}

/**
 * True when lines of this holder must carry a seal to count: it has a key, or the ring says that it had one. A key or a ring that is there
 * and cannot be read excuses nobody, nor does a ring that is gone while there are keys.
 */
export function isSealed(home: string, holder: string): boolean {
  if (secretOf(home, holder) !== undefined || isThere(`${home}/keys/${holder}.key`)) return true;
  const ring = `${home}/keys/ring.jsonl`;
  if (!isThere(ring)) return !isAlone(home) && hasKeys(home);
  try {
    return !statSync(ring).isFile() || readFileSync(ring, "utf8").includes(`"holder":"${holder}"`);
  } catch {
    return true;
  }
}

export function hasKeys(home: string): boolean {
  try {
    return readdirSync(`${home}/keys`).some((name) => name.endsWith(".key"));
  } catch (cause) {
    return (cause as { code?: unknown }).code !== "ENOENT";
  }
}

/** Whatever it is, and whoever may read it. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** A code over some words that only who can read the constellation's key can make. Undefined where it cannot be read. */
export function proofOf(home: string, words: string): string | undefined {
  const secret = secretOf(home, "constellation");
  // No sealed line begins so: those are JSON.
  return secret === undefined ? undefined : sealOf(secret, `daemon ${words}`);
}

/** Inside a sandbox there is one key file, the agent's own. */
export const isAlone = (home: string): boolean => !existsSync(`${home}/keys/constellation.key`);

/** The agent whose key is the only one that can be seen; undefined where there are others, or none. */
export function soleHolder(home: string): string | undefined {
  if (!isAlone(home)) return undefined;
  try {
    const [name = "", ...more] = readdirSync(`${home}/keys`).filter((one) => one.endsWith(".key"));
    return more.length > 0 ? undefined : agentOfFile(name, ".key");
  } catch {
    return undefined; // a home without keys
  }
}

function sealOf(secret: string, json: string): string {
  return new Bun.CryptoHasher("sha256", secret).update(json).digest("base64url");
}

interface KnownSecret {
  readonly file: string;
  readonly secret: string;
}

/** A record of a message to fifty agents has fifty lines, each sealed; the file is read once. */
const known = new Map<string, KnownSecret>();

function secretOf(home: string, holder: string): string | undefined {
  if (holder !== "constellation" && !isAgentId(holder)) return undefined;
  const path = `${home}/keys/${holder}.key`;
  try {
    const before = known.get(path);
    // Taken before the file is read: should it change meanwhile, it is read again the next time.
    const stats = statSync(path);
    // What is no plain file may keep whoever reads it waiting for ever.
    if (!stats.isFile()) return undefined;
    const { ino, size, ctimeMs } = stats;
    const file = `${ino} ${size} ${ctimeMs}`;
    if (before?.file === file) return before.secret;
    const { seal } = JSON.parse(readFileSync(path, "utf8")) as { seal?: unknown };
    if (typeof seal !== "string" || seal.length < 43) return undefined;
    known.set(path, { file, secret: seal });
    return seal;
  } catch {
    return undefined;
  }
}
