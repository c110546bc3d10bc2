// Says in a few words what a task's event adds to its name. Events that are not listed are shown as they are stored.

import { counted } from "../../../protocol/counted.ts";
import { ago } from "./time.ts";

type Data = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
const short = (value: unknown): string => text(value).slice(0, 12);
const took = (value: unknown): string => (typeof value === "number" ? ago(value) : "");

const told: Readonly<Record<string, (data: Data) => string>> = {
  created: ({ priority, imported_from: from }) => `${text(priority)}${from === undefined ? "" : ` from ${text(from)}`}`,
  queued: ({ agent, runtime }) =>
    `for ${text(agent) || (text(runtime) === "" ? "a clone" : `a ${text(runtime)} clone`)}`,
  dispatched: ({ agent }) => (agent === null ? "by hand" : `to ${text(agent)}`),
  workspace_made: ({ path, problem, copied }) =>
    `${text(path)}${Array.isArray(copied) ? `, with ${copied.map(text).join(", ")}` : ""}${text(problem) === "" ? "" : `: ${text(problem)}`}`,
  brief_given_again: ({ agent, because }) => `to ${text(agent)}: ${text(because)}`,
  brief_delivered: ({ agent, because }) => `to ${text(agent)}: ${text(because)}`,
  clone_reply: ({ kind, text: words }) => `${text(kind) === "" ? "" : `${text(kind)}: `}${text(words)}`,
  ready: ({ branch, commits, because, evidence }) =>
    `${commits === null ? text(branch) : counted(Number(commits), "commit")}${because === undefined ? "" : `: ${text(because)}`}${evidence === undefined ? "" : `: ${text(evidence)}`}`,
  accepted: ({ criterion, command }) => `criterion ${text(criterion)} passed: ${text(command)}`,
  artefact_added: ({ name, bytes }) => `${text(name)}, ${counted(Number(bytes), "byte")}`,
  review_asked: ({ reviewer, head }) => `of ${text(reviewer)}, at ${short(head)}`,
  reviewed: ({ verdict, head, comments, text: words }) =>
    `${text(verdict)} at ${short(head)}${comments === 0 ? "" : `, ${counted(Number(comments), "comment")}`}${words === undefined ? "" : `: ${text(words)}`}`,
  gate_passed: ({ duration_ms: ms, together }) =>
    `in ${took(ms)}${Array.isArray(together) && together.length > 0 ? `, together with ${together.join(", ")}` : ""}`,
  no_gate: ({ target }) => `${text(target)} declares no gate: it lands untested`,
  harvest_outage: ({ reason, outages }) => `not the work's fault, tried again (${text(outages)}): ${text(reason)}`,
  harvested: ({ sha, target, said }) =>
    `${short(sha)} on ${text(target)}${Array.isArray(said) ? `; ${said.join("; ")}` : ""}`,
  taken_back: ({ reason }) => text(reason),
  landed_again: ({ sha, target }) => `${text(target)} has ${short(sha)} again`,
  closed: ({ actual_ms: ms }) => `after ${took(ms)}`,
};

export function eventText(type: string, data: Data): string {
  const words = told[type];
  if (words !== undefined) return words(data);
  if (typeof data["reason"] === "string") return data["reason"];
  return Object.entries(data)
    .filter(([key, value]) => value !== null && key !== "conflicts" && key !== "gate")
    .map(([key, value]) => `${key}=${text(value)}`)
    .join(" ");
}
