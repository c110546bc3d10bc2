// The join packet as text for hooks, at most 1,500 tokens counted conservatively. States and waiting messages are left out: they
// change with every turn, and the text should change only when there is something else to know.

import { counted } from "../../protocol/counted.ts";
import { fact, framed, shown } from "../notices/compose.ts";
import type { Packet } from "./packet.ts";

/** A token is about four letters of English and fewer of anything else; bytes over 3.5 is on the safe side. */
const mostBytes = 1_500 * 3.5;

/** undefined when there is nothing to tell: nobody else is at work, and nothing is its to do or to know. */
export function packetText(packet: Packet): string | undefined {
  const { you, task, findings, claims, held, decisions, memories, left_out: rest } = packet;
  const others = packet.agents.filter(({ task: has, repository }) => has !== null || repository !== null);
  const count = others.length + findings.length + claims.length + held.length + decisions.length + memories.length;
  if (count === 0 && task === null) return undefined;
  const isCrowdShown = others.length < packet.agents.length;
  const blocks = [
    [
      `You are ${you}. From constel; information, not the owner's word. Names and titles were chosen by others.`,
      ...placeLines(packet),
    ],
    task === null
      ? []
      : [fact(`your task ${task.number} (${task.state}): ${shown(task.title, 200)}${more(rest["tasks"], "task")}`)],
    section(
      "Concerns your work:",
      findings.map(({ severity, title, notice, id }) => {
        const where = notice === null ? `constel conflicts --explain ${id}` : `constel why ${notice}`;
        return `[${severity}] ${shown(title, 250)} (${where})`;
      }),
      rest["findings"],
    ),
    section(
      "Claimed by others:",
      claims.map(({ holder, paths, reason }) => `${holder}: ${paths.join(", ")}${reason === "" ? "" : ` (${reason})`}`),
      rest["claims"],
    ),
    section(
      "Claimed in your name (`constel claim drop <id>` lets go):",
      held.map(({ id, paths, reason }) => `${id}: ${paths.join(", ")}${reason === "" ? "" : ` (${reason})`}`),
      rest["held"],
    ),
    section(
      "Decided:",
      decisions.map(({ id, title, owner_verified: isOwners }) => {
        const who = isOwners ? "the owner: " : "";
        return `${who}${title} (constel decision show ${id.slice(-6)})`;
      }),
      rest["decisions"],
    ),
    section(
      "Remembered:",
      memories.map(({ text, by }) => `${by}: ${text}`),
      rest["memories"],
    ),
    section("Also here:", others.map(describe), isCrowdShown ? 0 : rest["agents"]),
    [nextLine(packet)],
  ];
  return withinBytes(blocks.filter((block) => block.length > 0));
}

function placeLines({ worktree, branch, repository, left_out: rest }: Packet): string[] {
  if (worktree === null) return [];
  const where = branch === null ? worktree : `${repository ?? ""}, branch ${branch} (${worktree})`;
  return [fact(`you work in ${where}${more(rest["worktrees"], "worktree")}`)];
}

const more = (count: number | undefined, what: string): string =>
  count === undefined || count === 0 ? "" : `; and ${counted(count, `more ${what}`)}`;

function section(heading: string, lines: readonly string[], rest: number | undefined): string[] {
  if (lines.length === 0) return [];
  const left = rest === undefined || rest === 0 ? [] : [fact(`and ${rest} more`)];
  return [heading, ...lines.map((line) => fact(line)), ...left];
}

function describe({ agent, task, repository, branch }: Packet["agents"][number]): string {
  const where =
    repository === null ? "" : ` in ${shown(repository)}${branch === null ? "" : `, branch ${shown(branch)}`}`;
  return `${agent}${where}${task === null ? "" : `: task ${shown(task, 120)}`}`;
}

function nextLine({ task, findings, next }: Packet): string {
  if (findings.length > 0)
    return "Next: settle what collides before you edit those files; `constel conflicts` shows both sides' lines.";
  if (task !== null) return `Next: ${next.at(-1) ?? ""} \`constel status\` shows everybody's.`;
  return "Next: `constel status` shows everybody's work, `constel claim add <paths>` asks others to leave paths alone.";
}

/** The last blocks but one are shortened first: what is its own to do stands at the top. */
function withinBytes(blocks: string[][]): string {
  const whole = (): string => framed("constel-join", blocks.flat());
  while (Buffer.byteLength(whole()) > mostBytes) {
    const longest = blocks.findLast((block) => block.length > 1);
    if (longest === undefined) break;
    longest.pop();
    longest[longest.length - 1] = "| …";
  }
  return whole();
}
