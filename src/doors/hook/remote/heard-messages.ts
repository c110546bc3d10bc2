// Reads the messages that constel framed for an agent (protocol/frame-for-agent.ts). Every line of content begins with a bar there, so no
// sender's words can pass for a frame.

import { rootAgent } from "../../../protocol/agent-id.ts";
import { ownerOnBus } from "../../../protocol/bus-names.ts";

export interface HeardMessage {
  readonly from: string;
  readonly task: number | undefined;
  readonly text: string;
  /** Constel gives this task to this agent. */
  readonly isAssignment: boolean;
  /** By the owner or the root agent, as a signature proves: these may say something to an agent of somebody else's. */
  readonly maySpeak: boolean;
}

export function heardMessages(framed: string): HeardMessage[] {
  const lines = framed.split("\n");
  const at = lines.findIndex((line) => /^<constel-messages count="\d+">$/.test(line));
  if (at < 0) return [];
  const isAssignment = lines[at + 1]?.startsWith("A task for you, given by constel for the owner") === true;
  const heard: HeardMessage[] = [];
  let head: Readonly<Record<string, string>> | undefined;
  let content: string[] = [];
  for (const line of lines.slice(at + 2)) {
    if (line.startsWith("<constel-message ")) {
      head = Object.fromEntries([...line.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
      content = [];
    } else if (line === "</constel-message>" && head !== undefined) {
      const { from = "", sender, task = "" } = head;
      heard.push({
        from,
        task: /^\d{1,9}$/.test(task) ? Number(task) : undefined,
        text: content.join("\n").trim(),
        isAssignment,
        maySpeak: sender === "verified" && (from === ownerOnBus || from === rootAgent),
      });
      head = undefined;
    } else if (line === "</constel-messages>") break;
    else content.push(line.replace(/^\| ?/, ""));
  }
  return heard;
}
