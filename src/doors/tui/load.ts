// What the monitor shows, asked of the daemon: only what the page in front needs.

import type { Caller } from "../../client/caller.ts";
import { inHandWords } from "../../protocol/in-hand.ts";
import type { MonitorPage } from "../../protocol/keys.ts";
import type { AgentRow, OtherRow, Seen } from "./frame.ts";

export type Loaded = Pick<Seen, "needs" | "snoozed" | "agents" | "others">;

export async function load(caller: Caller, page: MonitorPage): Promise<Loaded> {
  const [{ rows, snoozed }, { agents }, others] = await Promise.all([
    caller.call("attention.list", {}),
    caller.call("agents.list", {}),
    otherRows(caller, page),
  ]);
  return {
    needs: rows,
    snoozed,
    agents: agents
      .filter(({ role, wanted }) => role !== "ticker" && wanted !== "down")
      .map(({ agent, runtime, state, evidence, since_ms, task, tasks, today }): AgentRow => {
        return {
          agent,
          runtime,
          state,
          says: saysOf(state, evidence.says),
          since_ms,
          work: inHandWords({ task, tasks }),
          micros: today.micros,
        };
      }),
    others,
  };
}

const words: Readonly<Record<string, string>> = { busy: "works", idle: "idle" };

/** The evidence where the state alone says little. */
const saysOf = (state: string, says: string): string =>
  state === "idle" || says === "" ? (words[state] ?? state) : says;

async function otherRows(caller: Caller, page: MonitorPage): Promise<readonly OtherRow[]> {
  const none = { agent: null, finding: null, task: null };
  if (page === "collisions") {
    const { findings } = await caller.call("finding.list", { limit: 500 });
    return findings.map(({ id, severity, title, action, files, ours, theirs }) => ({
      ...none,
      key: id,
      mark: severity === "high" ? "⨯" : "~",
      says: title,
      right: severity,
      detail: [`${ours.label} and ${theirs.label}: ${files.join(", ")}`, action],
      finding: id,
    }));
  }
  if (page === "tasks") {
    const { tasks } = await caller.call("task.list", { limit: 500 });
    return tasks.map(({ number, title, state, agent, reason, branch }) => ({
      ...none,
      key: String(number),
      mark: state === "ready" ? "✓" : state === "in_progress" ? "▸" : "·",
      says: `${number}  ${title}`,
      right: `${agent ?? ""}  ${state.replace("_", " ")}`,
      detail: [...(reason === null ? [] : [reason]), ...(branch === null ? [] : [branch])],
      agent,
      task: number,
    }));
  }
  if (page === "messages") {
    const { threads } = await caller.call("chat.threads", { limit: 200 });
    return threads.map(({ thread, participants, messages, unread, last_at: at }) => ({
      ...none,
      key: thread,
      mark: unread > 0 ? "●" : "·",
      says: participants.join(", "),
      right: `${messages}${unread > 0 ? `, ${unread} unread` : ""}`,
      detail: [`last at ${at}`, thread],
      agent: participants.find((one) => one !== "agentowner") ?? null,
    }));
  }
  return [];
}
