// The table of agents: with the daemon, what each is doing and why we think so; without it, who is there.

import type { ListedAgent } from "../../../floor/agents/list-agents.ts";
import type { AgentNow } from "../reach/agents-now.ts";
import type { Output } from "./output.ts";
import { mailText, narrowBelow, sinceText, spentText, stateText } from "./agent.ts";
import { inHandText } from "../../../protocol/in-hand.ts";
import { foldingTable } from "./folding-table.ts";
import { ago } from "./time.ts";

export function agentsTable(
  listed: readonly ListedAgent[],
  now: ReadonlyMap<string, AgentNow> | undefined,
  output: Pick<Output, "columns" | "paint">,
  nowMs: number,
): string {
  if (now === undefined) {
    const rows = floorTable(listed, output, nowMs);
    return `${rows}\nThe daemon is not running, so activity is unknown: constel daemon start`;
  }
  const rows = listed.map((one) => nowRow(one, now.get(one.agent), output.columns, nowMs));
  const head = ["agent", "runtime", "state", "for", "task", "today"];
  const whole = new Set(head.keys());
  if (output.columns >= narrowBelow) return foldingTable([...head, "mail", "because"], rows, { ...output, whole });
  // The reasons of a hundred idle agents would be cut to stumps, so only agents that somebody should look at get theirs.
  const narrow = rows.map(
    ([agent = "", runtime = "", state = "", since = "", task = "", today = "", mail = "", why = ""]) => [
      agent,
      runtime,
      state,
      since,
      task,
      today,
      mail !== "" ? mail : calm.has(state) ? "" : why,
    ],
  );
  return foldingTable([...head, "note"], narrow, { ...output, whole });
}

const calm: ReadonlySet<string> = new Set(["busy", "idle", "down", "missing"]);

/** Shows what files and terminals tell. */
export function floorTable(
  listed: readonly ListedAgent[],
  output: Pick<Output, "columns" | "paint">,
  nowMs: number,
): string {
  const head = ["agent", "role", "runtime", "wanted", "seen", "pid", "since"];
  const hasReasons = listed.some(({ leftDown }) => leftDown !== undefined);
  return foldingTable(
    hasReasons ? [...head, "because"] : head,
    listed.map((one) => [...floorRow(one, nowMs), ...(hasReasons ? [one.leftDown ?? ""] : [])]),
    output,
  );
}

function floorRow(one: ListedAgent, nowMs: number): string[] {
  return [
    one.agent,
    one.role,
    one.runtime,
    one.wanted,
    seenText(one),
    one.pid === undefined ? "" : String(one.pid),
    one.sinceMs === undefined || one.seen !== "up" ? "" : ago(nowMs - one.sinceMs),
  ];
}

/** The terminal shows the present, so it outranks what the daemon saw a moment ago. */
function nowRow(one: ListedAgent, now: AgentNow | undefined, columns: number, nowMs: number): string[] {
  if (isDown(one)) return [one.agent, one.runtime, "down", "", "", "", "", "stopped, as asked"];
  const isCurrent = now !== undefined && (one.seen === "up" || now.state === "dead");
  if (!isCurrent)
    return [one.agent, one.runtime, seenText(one), "", "", "", "", one.leftDown ?? "as its terminal shows"];
  return [
    one.agent,
    now.account === null ? one.runtime : `${one.runtime} (${now.account})`,
    one.wanted === "down" && now.state === "dead" ? "down" : stateText(now, nowMs),
    sinceText(now, nowMs),
    inHandText(now),
    spentText(now.today, columns),
    mailText(now),
    one.leftDown ?? (one.attached ? `${now.evidence.says}; attached` : now.evidence.says),
  ];
}

/** As it was asked for, and so it is: nobody misses it. */
const isDown = ({ wanted, seen }: ListedAgent): boolean => wanted === "down" && seen === "missing";

function seenText(one: ListedAgent): string {
  const { seen, exitStatus, attached } = one;
  if (isDown(one)) return "down";
  const text = seen === "dead" && exitStatus !== undefined ? `dead (${exitStatus})` : seen;
  return attached ? `${text}, attached` : text;
}
