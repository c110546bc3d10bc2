// Appends one record to an agent's hook file, sealed when this process is the agent's. Loaded at every hook of every agent.

import { appendLine } from "../../files/descend.ts";
import { isAlone, sealerOf } from "../../host/keys/seals.ts";
import { isProcessOf } from "../../host/process/own-ancestry.ts";
import type { HookRecord } from "../../ports/runtime.ts";

export async function leaveRecord(home: string, agent: string, record: HookRecord): Promise<void> {
  const line = `${await sealed(home, agent, JSON.stringify(record))}\n`;
  if (appendLine(home, ["state", "hooks"], `${agent}.jsonl`, line)) return;
  // The first hook of a home, or something odd: the long way makes what is missing and refuses what must be refused.
  const { appendTrusted } = await import("../../files/trusted-files.ts");
  appendTrusted(home, `state/hooks/${agent}.jsonl`, line);
}

/** In its own agent's name alone: whoever calls this with another's name leaves a line that proves nothing. */
export async function sealed(home: string, agent: string, json: string): Promise<string> {
  const sealer = sealerOf(home, agent);
  if (sealer === undefined) return json;
  return isProcessOf(home, agent) || isAlone(home) || (await isOf(home, agent)) ? sealer.seal(json) : json;
}

/** The long way: an agent's first hook may come before its start has written down its process, and waits for that. */
async function isOf(home: string, agent: string): Promise<boolean> {
  const { untilStartIsWritten } = await import("../../floor/agents/own-start.ts");
  const { systemClock } = await import("../../host/clock/system-clock.ts");
  await untilStartIsWritten(home, agent, systemClock);
  const { belongsTo } = await import("../../host/process/belongs-to.ts");
  const { readHousehold } = await import("../../floor/agents/household.ts");
  const { isConstels } = await import("../../host/keys/seal-for-constel.ts");
  const whose = belongsTo(process.pid, readHousehold(home, undefined, isConstels(home)));
  return whose.to === "agent" && whose.agent === agent;
}
