// Shows whether the machine's clock is believed, and takes the owner's word that it is right.

import { believeTheClock, witnessedNow } from "../../../host/clock/kept-time.ts";
import { tellJump } from "../../../floor/clock-words.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { RunCommand } from "../input/command.ts";
import { utc } from "../present/time.ts";

export const status: RunCommand = async () => {
  const { wallMs, reachedMs, jump } = witnessedNow();
  const json = { now_ms: wallMs, believed_ms: Math.min(wallMs, reachedMs), ahead_ms: jump?.aheadMs ?? 0 };
  if (jump === undefined) return { json, text: "The clock agrees with the time that passed." };
  return { json, text: `${tellJump(jump)}\nIf it is right: \`constel clock accept\`.`, exit: exitCodes.negative };
};

export const accept: RunCommand = async () => {
  const { wallMs } = believeTheClock();
  return { json: { now_ms: wallMs }, text: `It is ${utc(wallMs)}, and that is believed.` };
};
