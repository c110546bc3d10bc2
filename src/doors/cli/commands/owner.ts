// The owner's key and directives.

import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { keyId, makeKey } from "../../../host/keys/ed25519.ts";
import { type KeptKey, makeOwnerKey } from "../../../host/keys/key-files.ts";
import { chooseAgentKey, signAsOwner } from "../../../host/keys/owner-signer.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { makeId } from "../../../protocol/ids.ts";
import { directiveBytes } from "../../../protocol/owners-word.ts";
import { askPassphrase } from "../input/ask-passphrase.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { keychainOf, ownerWays } from "../owner-ways.ts";
import { sayingCut } from "../present/cut.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

const keepers = ["passphrase", "ssh-agent", "keychain"] as const;

export const init: RunCommand = async (context, input) => {
  const [how, ...more] = keepers.filter((keeper) => input.has(keeper));
  if (more.length > 0) throw new Refusal("usage.bad-value", `--${how} and --${more[0]} cannot both keep the key`);
  if (input.flag("ssh-key") !== undefined && how !== "ssh-agent")
    throw new Refusal("usage.bad-value", "--ssh-key says which key of --ssh-agent is meant");
  const passphrase = how === "passphrase" ? askPassphrase(context, "Passphrase: ") : undefined;
  const kept = how === undefined || how === "passphrase" ? undefined : await keptBy(how, context, input);
  const replace = input.has("replace");
  const key = makeOwnerKey(context.places.home, systemClock, { passphrase, replace, ...(kept ? { kept } : {}) });
  return {
    json: {
      holder: key.holder,
      key: key.id,
      public: key.publicKey,
      guarded: how !== undefined,
      kept_by: how ?? "file",
    },
    text: `The owner's key is ${key.id}${said[how ?? "file"]}`,
  };
};

const said: Readonly<Record<(typeof keepers)[number] | "file", string>> = {
  file: ". It is stored in keys/owner.key without a passphrase: any process of this account that reads it can sign as you.",
  passphrase: ", protected by the passphrase. You are asked for it whenever you sign.",
  "ssh-agent":
    ", which your ssh-agent keeps. Any process of this account that reaches the agent can sign with it; `ssh-add -c` makes the agent ask you first.",
  keychain: ", which the keychain keeps. Any process of this account may read it while the keychain is unlocked.",
};

async function keptBy(how: "ssh-agent" | "keychain", context: CliContext, input: CommandInput): Promise<KeptKey> {
  if (how === "ssh-agent") {
    const { publicKey } = await chooseAgentKey(context.env.SSH_AUTH_SOCK, input.flag("ssh-key"));
    return { by: how, key: { id: keyId(publicKey), publicKey } };
  }
  const { id, publicKey, privateKey } = makeKey();
  await keychainOf(context).store(id, privateKey);
  return { by: how, key: { id, publicKey } };
}

export const direct: RunCommand = async (context, input) => {
  const nowMs = systemClock.nowMs();
  const id = makeId("dir", nowMs, systemRandom.bytes(10));
  const { text } = input.asked("directive.add");
  const word = { id, at_ms: nowMs, text };
  const sig = await signAsOwner(context.places.home, ownerWays(context), directiveBytes(word));
  const caller = await context.caller();
  const written = await caller.call("directive.add", { ...word, sig });
  return { json: written, text: `Written down as ${written.id}, verified.` };
};

export const directives: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const asked = input.asked("directive.list");
  const { directives: found, more } = await caller.call("directive.list", asked);
  const result = {
    json: { directives: found, more },
    text: () =>
      found.length === 0
        ? "The owner has given no directives."
        : table(
            ["at", "owner", "directive"],
            found.map((one) => [utc(one.at_ms), standing(one), one.text]),
            { ...context.output, whole: new Set([0, 1]) },
          ),
  };
  const rest = `constel owner directives --limit ${Math.min(1_000, found.length * 10)}`;
  return sayingCut(result, { shown: found.length, total: more ? undefined : found.length, rest }, context.output);
};

const standing = ({ owner_verified }: { readonly owner_verified: boolean }): string =>
  owner_verified ? "verified" : "NOT VERIFIED";
