// The owner's key and directives.

import { systemClock, systemRandom } from "../../../host/clock/system-clock.ts";
import { signatureText } from "../../../host/keys/ed25519.ts";
import { makeOwnerKey, ownerKey } from "../../../host/keys/key-files.ts";
import { makeId } from "../../../protocol/ids.ts";
import { directiveBytes } from "../../../protocol/owners-word.ts";
import { askPassphrase } from "../ask-passphrase.ts";
import type { RunCommand } from "../command.ts";
import { sayingCut } from "../present/cut.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { wholeNumber } from "../whole-number.ts";

export const init: RunCommand = async (context, input) => {
  const passphrase = input.has("passphrase") ? askPassphrase(context, "Passphrase: ") : undefined;
  const replace = input.has("replace");
  const key = makeOwnerKey(context.places.home, systemClock, { passphrase, replace });
  return {
    json: { holder: key.holder, key: key.id, public: key.publicKey, guarded: passphrase !== undefined },
    text:
      passphrase === undefined
        ? `The owner's key is ${key.id}. It lies in keys/owner.key without a passphrase: a process of this account that reads it can sign as you.`
        : `The owner's key is ${key.id}, guarded by the passphrase. It is asked for whenever you sign.`,
  };
};

export const direct: RunCommand = async (context, input) => {
  const { home } = context.places;
  const { id: keyId, key } = ownerKey(home, () => askPassphrase(context, "Passphrase: "));
  const nowMs = systemClock.nowMs();
  const id = makeId("dir", nowMs, systemRandom.bytes(10));
  const word = { id, at_ms: nowMs, text: input.rest("text").join(" ").trim() };
  const caller = await context.caller();
  const written = await caller.call("directive.add", { ...word, sig: signatureText(keyId, key, directiveBytes(word)) });
  return { json: written, text: `Written down as ${written.id}, verified.` };
};

export const directives: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const limit = wholeNumber(input, "limit", 50);
  const { directives: found, more } = await caller.call("directive.list", { limit });
  const result = {
    json: found,
    text: () =>
      found.length === 0
        ? "The owner has given no directives."
        : table(
            ["at", "owner", "directive"],
            found.map((one) => [utc(one.at_ms), one.owner_verified ? "verified" : "NOT VERIFIED", one.text]),
            { ...context.output, whole: new Set([0, 1]) },
          ),
  };
  const rest = `constel owner directives --limit ${Math.min(1_000, limit * 10)}`;
  return sayingCut(result, { shown: found.length, total: more ? undefined : found.length, rest }, context.output);
};
