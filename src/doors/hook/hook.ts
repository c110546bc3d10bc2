// `constel hook <runtime>`: what an agent's program calls at every turn and tool call. Reads what it is told on stdin, appends one
// line to the agent's hook file, and is gone: no daemon, no waiting, no output, exit code 0 whatever happens. Each import here
// is paid for at every call.

import { readSync } from "node:fs";
import { appendLine } from "../../files/descend.ts";
import { isAlone, sealerOf } from "../../host/keys/seals.ts";
import { isProcessOf } from "../../host/process/own-ancestry.ts";
import { hookMaker } from "../../host/runtime/hook-record.ts";
import { readEnv } from "../../settings/env.ts";

/** A tool's whole output may be in it. What is longer is let go of: half of a JSON text says nothing. */
const longestPayload = 16 * 1024 * 1024;

export async function hook(words: readonly string[]): Promise<void> {
  const { CONSTEL_AGENT: agent = "", CONSTEL_HOME, HOME } = readEnv();
  const home = CONSTEL_HOME ?? (HOME === undefined ? "" : `${HOME}/.constel`);
  // A person's own session, or somebody else's environment: nothing of ours.
  if (!/^agent[a-z0-9]{1,32}$/.test(agent) || !home.startsWith("/")) return;
  const [runtime = ""] = words;
  if (runtime === "wait") {
    const { waitForPush } = await import("./wait.ts");
    return waitForPush(home, agent);
  }
  try {
    await leaveRecord(home, agent, runtime);
  } catch {
    // A hook never breaks its agent, and there is nobody to tell.
  }
}

async function leaveRecord(home: string, agent: string, runtime: string): Promise<void> {
  const make = hookMaker(runtime);
  const payload = make === undefined ? undefined : readPayload();
  if (make === undefined || payload === undefined) return;
  const record = make(JSON.parse(payload), Date.now());
  if (record === undefined) return;
  const line = `${await sealed(home, agent, JSON.stringify(record))}\n`;
  if (appendLine(home, ["state", "hooks"], `${agent}.jsonl`, line)) return;
  // The first hook of a home, or something odd: the long way makes what is missing and refuses what must be refused.
  const { appendTrusted } = await import("../../files/trusted-files.ts");
  appendTrusted(home, `state/hooks/${agent}.jsonl`, line);
}

/** In its own agent's name alone: whoever calls this with another's name leaves a line that proves nothing. */
async function sealed(home: string, agent: string, json: string): Promise<string> {
  const sealer = sealerOf(home, agent);
  if (sealer === undefined) return json;
  return isProcessOf(home, agent) || isAlone(home) || (await isOf(home, agent)) ? sealer.seal(json) : json;
}

/** The long way: an agent's first hook may come before its start has written down its process. */
async function isOf(home: string, agent: string): Promise<boolean> {
  const { belongsTo } = await import("../../host/process/belongs-to.ts");
  const { readHousehold } = await import("../../floor/agents/household.ts");
  const whose = belongsTo(process.pid, readHousehold(home, undefined));
  return whose.to === "agent" && whose.agent === agent;
}

/** Everything on stdin; undefined when it is too long. */
function readPayload(): string | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const got = readChunk(chunk);
    if (got === 0) return Buffer.concat(chunks, size).toString("utf8");
    size += got;
    if (size > longestPayload) return undefined;
    chunks.push(chunk.subarray(0, got));
  }
}

function readChunk(into: Buffer): number {
  for (;;) {
    try {
      return readSync(0, into);
    } catch (cause) {
      // The other end made the pipe non-blocking and is slow: wait for it without spinning.
      if ((cause as { code?: unknown }).code !== "EAGAIN") throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
