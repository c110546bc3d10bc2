// Keys on the command line: files only, no daemon.

import { systemClock } from "../../../host/clock/system-clock.ts";
import { isOwnerKeyGuarded, revokeKey, ringToJudgeBy, rotateKey } from "../../../host/keys/key-files.ts";
import type { RingKey } from "../../../host/keys/ring.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { askPassphrase } from "../input/ask-passphrase.ts";
import type { RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

export const list: RunCommand = async (context, input) => {
  const { keys, problem } = ringToJudgeBy(context.places.home);
  const shown = keys.filter((key) => input.has("all") || (key.untilMs === undefined && key.revokedMs === undefined));
  if (problem !== undefined) context.output.say(`constel: the ring of keys is not what constel wrote: ${problem}`);
  return {
    json: { keys: shown.map(asJson), problem: problem ?? null },
    text: () =>
      shown.length === 0
        ? "No keys yet: they are made when somebody first needs one."
        : table(
            ["holder", "key", "since", "state"],
            shown.map((key) => [key.holder, key.id, utc(key.fromMs), stateOf(key)]),
            { ...context.output, whole: new Set([1, 2]) },
          ),
    ...(problem === undefined ? {} : { exit: exitCodes.negative }),
  };
};

export const rotate: RunCommand = async (context, input) => {
  const { home } = context.places;
  const holder = input.argument("holder");
  const isGuarded = holder === "owner" && isOwnerKeyGuarded(home);
  const key = rotateKey(home, holder, systemClock, isGuarded ? askPassphrase(context, "New passphrase: ") : undefined);
  return { json: asJson(key), text: `${holder} signs with ${key.id} now. What was signed before stays verifiable.` };
};

export const revoke: RunCommand = async (context, input) => {
  const reason = input.flag("reason") ?? "";
  const key = revokeKey(context.places.home, input.argument("key"), systemClock, reason);
  return { json: asJson(key), text: `${key.id} of ${key.holder} is revoked: nothing it signs from now on counts.` };
};

const asJson = ({ holder, id, publicKey, fromMs, untilMs, revokedMs, reason }: RingKey) => ({
  holder,
  key: id,
  public: publicKey,
  since_ms: fromMs,
  until_ms: untilMs ?? null,
  revoked_ms: revokedMs ?? null,
  reason: reason ?? null,
});

function stateOf({ untilMs, revokedMs, reason }: RingKey): string {
  if (revokedMs !== undefined)
    return `revoked ${utc(revokedMs)}${reason === undefined || reason === "" ? "" : `: ${reason}`}`;
  return untilMs === undefined ? "in use" : `replaced ${utc(untilMs)}`;
}
