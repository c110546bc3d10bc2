// The list of peers on the command line: inviting, joining, comparing fingerprints, and who can be reached.

import { systemClock } from "../../../host/clock/system-clock.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { CliContext } from "../context.ts";
import { askYes, canAsk } from "../input/ask.ts";
import type { CommandResult, RunCommand } from "../input/command.ts";
import { drawCode } from "../present/qr-code.ts";
import { oneLine, table } from "../present/table.ts";
import { ago, utc } from "../present/time.ts";
import { askBySsh } from "./mesh-ssh.ts";

type Entry = OutputOf<(typeof operations)["mesh.confirm"]>["peer"];
type Peer = OutputOf<(typeof operations)["mesh.peers"]>["peers"][number];

const waitMs = 20_000;

export const invite: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const made = await caller.call("mesh.invite", input.asked("mesh.invite"));
  const words = [
    `On the other machine: constel mesh join ${made.code}`,
    `Good once, until ${utc(made.until_ms)}, for ${made.at}.`,
  ];
  if (!canAsk(context.output)) return { json: made, text: words.join("\n") };
  context.output.data([...words, "", await drawCode(made.code), "", "Waiting for somebody to join…"].join("\n"));
  for (;;) {
    const { state, peer } = await caller.call("mesh.invited", { id: made.id, for_ms: waitMs });
    if (state === "over") return { json: made, text: "Nobody joined with this code, and it is over." };
    if (peer !== null) return compare(context, peer);
  }
};

export const join: RunCommand = async (context, input) => {
  const { peer } = await (await context.caller()).call("mesh.join", input.asked("mesh.join"));
  return compare(context, peer);
};

/** Asks a person at the terminal; says how to answer to anybody else. */
async function compare(context: CliContext, peer: Entry): Promise<CommandResult> {
  const { name, fingerprint, role } = peer;
  const said = `${oneLine(name)} has joined as ${role === "root" ? "the root" : "a sibling"}. Fingerprint: ${fingerprint ?? ""}`;
  const later = `If the other side shows the same: constel mesh confirm ${name} ${fingerprint ?? ""}`;
  if (!canAsk(context.output) || fingerprint === null) return { json: { peer }, text: `${said}\n${later}` };
  if (!askYes(context.output, `${said}\nDoes the other side show the same fingerprint?`))
    return { json: { peer }, text: `Nothing travels yet. ${later}\nOtherwise: constel mesh evict ${name}` };
  const confirmed = await (await context.caller()).call("mesh.confirm", { name, fingerprint });
  return { json: confirmed, text: onList(confirmed.peer) };
}

const onList = ({ name }: Entry): string =>
  `${oneLine(name)} is on the list. A line stands once its owner has confirmed too: constel mesh peers`;

export const confirm: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("mesh.confirm", input.asked("mesh.confirm"));
  return { json: answer, text: onList(answer.peer) };
};

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const bySsh = input.optional("transport") === "ssh" && input.flag("key") === undefined;
  const asked = bySsh ? await askBySsh(context, input) : {};
  const answer = await caller.call("mesh.add", input.asked("mesh.add", asked));
  return { json: answer, text: `${oneLine(answer.peer.name)} is on the list: constel mesh peers` };
};

export const accept: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const own = await caller.call("mesh.key", {});
  const wish = input.asked("mesh.add");
  try {
    const { peer } = await caller.call("mesh.add", wish);
    return { json: { peer, own }, text: own.key };
  } catch (cause) {
    // Asked again by the same owner: it stands there already.
    if (!(cause instanceof Refusal) || cause.code !== "mesh.known-key") throw cause;
    const { peers: known } = await caller.call("mesh.peers", {});
    const peer = known.find(({ key }) => key === wish.key) ?? null;
    return { json: { peer, own }, text: own.key };
  }
};

export const key: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("mesh.key", input.asked("mesh.key"));
  return { json: answer, text: answer.key };
};

export const peers: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("mesh.peers", input.asked("mesh.peers"));
  const none =
    "No other constellation is known here. On one machine: constel mesh invite. On the other: constel mesh join CODE";
  const text = (): string => (answer.peers.length === 0 ? none : table(heads, answer.peers.map(rowOf), context.output));
  return { json: answer, text };
};

const heads = ["peer", "is", "state", "seen", "round trip", "waits for it", "route", ""];

const rowOf = (peer: Peer): string[] => [
  oneLine(peer.name),
  peer.role,
  peer.state,
  peer.state === "connected"
    ? "now"
    : peer.seen_ms === null
      ? "never"
      : `${ago(systemClock.nowMs() - peer.seen_ms)} ago`,
  peer.round_trip_ms === null ? "" : `${Math.max(0.1, peer.round_trip_ms).toFixed(1)} ms`,
  peer.waiting_since_ms === null ? "" : `${peer.waiting_items} for ${ago(systemClock.nowMs() - peer.waiting_since_ms)}`,
  oneLine(peer.route ?? "it calls us"),
  oneLine(peer.evidence),
];

export const evict: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("mesh.evict", input.asked("mesh.evict"));
  return { json: answer, text: `${oneLine(answer.peer.name)} is off the list, and its line has ended.` };
};

export const rename: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("mesh.rename", input.asked("mesh.rename"));
  return { json: answer, text: `It is ${oneLine(answer.peer.name)} here now.` };
};
