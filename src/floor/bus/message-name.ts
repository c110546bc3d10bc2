// Names of envelope files. What has to survive a crash together is in one name, because a rename is the one step that
// either happened or did not:
//   inbox/       <nanoseconds>-<pid>-<random>-<sequence>-from-<sender>.json
//   processing/  <that>~<c|h><attempt>.<pid>.<token>.<lease end, ms>     claimed, or handed out
//   done/        <that>~<delivered|acked|duplicate>.<ms>
//   poison/      <that>, and <that>.reason.json beside it
// Names sort by time, so a sorted listing is the order of sending.

import { isAgentId } from "../../protocol/agent-id.ts";
import type { Clock, ProcessMark, Random } from "../../ports/machine.ts";

export interface MessageName {
  /** The name in the inbox; it names the message for ever. */
  readonly name: string;
  readonly nanoseconds: bigint;
  readonly sender: string;
}

export interface Claim extends MessageName {
  /** The name in processing/. */
  readonly file: string;
  /** `claimed`: no model saw it. `handed-out`: it left our hands and nobody has said that it arrived. */
  readonly state: "claimed" | "handed-out";
  /** The number of times it was handed out, including this time once it is. */
  readonly attempt: number;
  readonly claimer: ProcessMark;
  readonly leaseUntilMs: number;
}

export type Settled = "delivered" | "acked" | "duplicate";

const messageRule = /^(\d{20})-\d{10}-[0-9a-f]{8}-\d{10}-from-([a-z0-9]+)\.json$/;
const claimRule = /^(.*)~([ch])(\d{1,6})\.(\d{1,10})\.([0-9a-z-]{1,40})\.(\d{1,16})$/;
const doneRule = /^(.*)~(delivered|acked|duplicate)\.(\d{1,16})$/;
/** A name more than this ahead of the clock is somebody's wrong clock, not an order to keep. */
const maxAheadNanoseconds = 24n * 3_600_000_000_000n;

let lastNanoseconds = 0n;
let sequence = 0;

/** A new name, later than every one this process made and than `notBefore`, though the clock may have jumped back. */
export function makeMessageName(
  ports: { clock: Clock; random: Random },
  pid: number,
  sender: string,
  notBefore = 0n,
): MessageName {
  const now = BigInt(Math.max(0, Math.floor(ports.clock.nowMs() * 1000))) * 1000n;
  let nanoseconds = now;
  for (const earlier of [lastNanoseconds, notBefore]) {
    if (nanoseconds <= earlier && earlier < now + maxAheadNanoseconds) nanoseconds = earlier + 1n;
  }
  lastNanoseconds = nanoseconds;
  sequence = (sequence + 1) % 10_000_000_000;
  const name = [
    padded(nanoseconds, 20),
    padded(pid, 10),
    Buffer.from(ports.random.bytes(4)).toString("hex"),
    padded(sequence, 10),
    `from-${sender}.json`,
  ].join("-");
  return { name, nanoseconds, sender };
}

/** undefined for a name that is not one of ours. */
export function readMessageName(name: string): MessageName | undefined {
  const [, nanoseconds = "", sender = ""] = messageRule.exec(name) ?? [];
  return isAgentId(sender) ? { name, nanoseconds: BigInt(nanoseconds), sender } : undefined;
}

export function claimFileName(claim: Omit<Claim, "file" | "nanoseconds" | "sender">): string {
  const { claimer } = claim;
  const state = claim.state === "claimed" ? "c" : "h";
  return `${claim.name}~${state}${claim.attempt}.${claimer.pid}.${claimer.token}.${Math.floor(claim.leaseUntilMs)}`;
}

export function readClaim(file: string): Claim | undefined {
  const [, name = "", state, attempt, pid, token = "", until] = claimRule.exec(file) ?? [];
  const message = readMessageName(name);
  if (message === undefined) return undefined;
  return {
    ...message,
    file,
    state: state === "h" ? "handed-out" : "claimed",
    attempt: Number(attempt),
    claimer: { pid: Number(pid), token },
    leaseUntilMs: Number(until),
  };
}

export const doneFileName = (name: string, settled: Settled, nowMs: number): string =>
  `${name}~${settled}.${Math.max(0, Math.floor(nowMs))}`;

export function readDone(file: string): (MessageName & { settled: Settled; settledAtMs: number }) | undefined {
  const [, name = "", settled, atMs] = doneRule.exec(file) ?? [];
  const message = readMessageName(name);
  if (message === undefined) return undefined;
  return { ...message, settled: settled as Settled, settledAtMs: Number(atMs) };
}

const padded = (value: number | bigint, digits: number): string => String(value).padStart(digits, "0").slice(-digits);
