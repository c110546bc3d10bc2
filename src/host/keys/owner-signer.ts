// Signs as the owner, wherever the owner's key is kept: in its file, in the file behind a passphrase, in a running ssh-agent, or in the keychain
// of the operating system. Asking takes as long as whoever is asked takes.

import { ownerHolder } from "../../ports/keys.ts";
import { Refusal } from "../../protocol/errors.ts";
import { bytesFor } from "../../protocol/canonical.ts";
import { keyId, privateFrom, signatureOf, signWith } from "./ed25519.ts";
import { ownerKey, readKeyFile, readRingOf } from "./key-files.ts";
import type { Keychain } from "./keychain.ts";
import { type AgentKey, agentKeys, signWithAgent } from "./ssh-agent.ts";

export interface OwnerWays {
  readonly passphrase: () => string;
  /** SSH_AUTH_SOCK. */
  readonly sshSocket: string | undefined;
  readonly keychain: () => Keychain;
}

export async function signAsOwner(home: string, ways: OwnerWays, bytes: Uint8Array): Promise<string> {
  const file = readKeyFile(home, ownerHolder);
  if (file?.keptBy === "ssh-agent") {
    const publicKey = readRingOf(home).keys.find(({ id }) => id === file.key)?.publicKey ?? "";
    const { constellation } = file;
    const signature = await signWithAgent(ways.sshSocket, publicKey, bytesFor(constellation, bytes));
    return signatureOf(file.key, constellation, signature);
  }
  if (file?.keptBy === "keychain") {
    const key = privateFrom(await ways.keychain().read(file.key));
    return signWith({ id: file.key, key, constellation: file.constellation }, bytes);
  }
  return signWith(ownerKey(home, ways.passphrase), bytes);
}

/** The one Ed25519 key of the agent, or the one that is called so: by its comment, or by its fingerprint. */
export async function chooseAgentKey(socket: string | undefined, wanted: string | undefined): Promise<AgentKey> {
  const all = await agentKeys(socket);
  const called = all.filter(({ comment, fingerprint, publicKey }) =>
    [comment, fingerprint, keyId(publicKey)].includes(wanted ?? comment),
  );
  const [one, ...more] = called;
  if (one !== undefined && more.length === 0) return one;
  const there = all.map(({ comment, fingerprint }) => `${comment} (${fingerprint})`).join(", ");
  const why =
    all.length === 0
      ? "the ssh-agent has no Ed25519 key"
      : `${one === undefined ? "no" : "more than one"} Ed25519 key of the ssh-agent is meant; it has ${there}`;
  throw new Refusal("keys.no-agent", why);
}
