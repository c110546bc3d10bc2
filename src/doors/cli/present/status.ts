// The one screen for the owner: what needs them, agents, tasks, findings, messages. Pure, and never taller than the screen:
// each part gets its share of the lines, and what is left out is counted with the command that shows it.

import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { DaemonSeen } from "../reach/daemon-now.ts";
import type { Output } from "./output.ts";
import { mailText, sinceText, spentText, stateText, stateWords } from "./agent.ts";
import { inHandText } from "../../../protocol/in-hand.ts";
import type { OwnMemory } from "../../../protocol/own-memory.ts";
import type { SensingState } from "../../../protocol/sensing-state.ts";
import { memorySum } from "./own-memory.ts";
import { sensingNews } from "./sensing.ts";
import { titleBlocks } from "./finding-lines.ts";
import { blocksWithin, folded, foldedWithin } from "./fold.ts";
import { namesOf, renamed } from "./names.ts";
import { unaskedText } from "./open-parts.ts";
import { plainPlace } from "../../../protocol/place-name.ts";
import { oneLine, table, width } from "./table.ts";
import { ago } from "./time.ts";

export type Status = OutputOf<(typeof operations)["status.look"]>;
type Screen = Pick<Output, "columns" | "rows" | "paint">;

interface Part {
  readonly count: number;
  /** The number of lines it gets while others get one. */
  readonly weight: number;
  /** Lines it draws beside its rows and their heading. */
  readonly more?: number;
  /** Lines without which nothing of it is told: those of its first row. */
  readonly least?: number;
  /** With so many of its lines. */
  readonly draw: (most: number) => string[];
}

const daemonNews = {
  absent: "The daemon is not running (constel daemon start).",
  "out of reach":
    "The daemon cannot be reached from here (a sandbox, or the rights of this account), so whether it runs is not known.",
  outdated: "The daemon is an older build of constel; the owner's next command replaces it.",
  silent: "The daemon does not answer. If that does not change: constel daemon stop; the next command starts it again.",
} as const;

interface StatusNews {
  readonly sensing?: SensingState | undefined;
  readonly memory?: OwnMemory | undefined;
  /** The reason why the daemon could not start, if it is not running because of that. */
  readonly failure?: string | undefined;
  /** The problem with settings that nobody reads until they are needed. */
  readonly settings?: string | undefined;
}

export function statusScreen(
  status: Status,
  daemon: DaemonSeen,
  screen: Screen,
  nowMs: number,
  { sensing, memory, failure, settings }: StatusNews = {},
): string {
  const { paint, columns } = screen;
  const top = folded(headline(status), columns).map((line) => paint.bold(line));
  if (daemon !== "answers") {
    const when = status.seen_ms === null ? "" : ` This is how it was ${ago(nowMs - status.seen_ms)} ago.`;
    const news =
      failure === undefined
        ? daemonNews[daemon]
        : oneLine(`The daemon could not start (${failure}). When that is fixed: constel daemon start.`);
    top.push(...folded(`${news}${when}`, columns).map(paint.yellow));
  }
  if (settings !== undefined && settings !== failure)
    top.push(
      ...folded(oneLine(`A setting cannot be understood and does not count: ${settings}.`), columns).map(paint.yellow),
    );
  const news = sensing === undefined ? undefined : sensingNews(sensing);
  if (news !== undefined) top.push(...folded(news, columns).map(paint.dim));
  const parts = [
    needsPart(status, screen, failure === undefined && settings === undefined),
    agentsPart(status, screen, nowMs),
    tasksPart(status, screen),
    findingsPart(status, screen),
  ];
  // On a small screen every line counts; elsewhere parts stand apart.
  const gap = screen.rows > 30 ? [""] : [];
  const gates = gateLines(status, screen);
  const messages = folded(`${messagesLine(status, daemon === "answers")}${memoryWords(memory)}`, columns);
  const room = shares(parts, screen.rows - top.length - Math.max(2, messages.length + gates.length), gap.length);
  const drawn = parts.map((part, at) => part.draw(room[at] ?? 0));
  return [...top, ...drawn.filter((lines) => lines.length > 0).flatMap((lines) => [...gap, ...lines]), ...gap]
    .concat(gates, messages)
    .join("\n");
}

const memoryWords = (memory: OwnMemory | undefined): string =>
  memory === undefined ? "" : ` constel takes ${memorySum(memory)}.`;

/** Lines for the rows of each part, dealt out in turn; each part keeps two for its heading and for what is left out. */
function shares(parts: readonly Part[], rows: number, gap: number): number[] {
  const given = parts.map(({ least = 0 }) => least);
  let room =
    rows -
    gap -
    parts.reduce((sum, { count, more = 0, least = 0 }) => sum + (count > 0 ? 2 : 1) + more + least + gap, 0);
  for (let isDealt = true; isDealt && room > 0;) {
    isDealt = false;
    for (const [at, { count, weight }] of parts.entries()) {
      const more = Math.min(weight, room, count - (given[at] ?? 0));
      given[at] = (given[at] ?? 0) + more;
      room -= more;
      isDealt ||= more > 0;
    }
  }
  return given.map((one) => Math.max(1, one));
}

const headline = ({ constellation, agents }: Status): string =>
  oneLine(`${constellation}: ${agents.length === 0 ? "no agents yet" : byState(agents)}`);

/** `2 hung, 5 idle`, the most pressing first. */
function byState(agents: Status["agents"]): string {
  const counts = Map.groupBy(agents, ({ state, wanted }) => (wanted === "down" ? "down" : state));
  const rank = (state: string): number => (pressing.indexOf(state) + pressing.length + 1) % (pressing.length + 1);
  return [...counts]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([state, those]) => `${those.length} ${stateWords[state] ?? state}`)
    .join(", ");
}

function needsPart({ needs, agents, findings }: Status, screen: Screen, isWell: boolean): Part {
  const { paint, columns } = screen;
  const calm = agents.length === 0 || !isWell ? [] : [paint.green("Nothing needs you.")];
  if (needs.length === 0) return { count: 0, weight: 1, draw: () => calm };
  // A sentence here may quote the worst finding.
  const labels = findings.slice(0, 1).flatMap(({ sides }) => sides);
  const says = (text: string): string => renamed(text, labels, namesOf(labels, columns));
  const rows = needs.map((need) => [need.agent ?? "", need.kind, says(need.says), need.next]);
  const asTable = table(["needs you", "what", "says", "next"], rows, { ...screen, whole: new Set([0, 1, 3]) }).split(
    "\n",
  );
  const isCut = asTable.some((line) => line.includes("…"));
  const [head = "", ...lines] = asTable;
  const blocks = isCut ? rows.map((row) => needBlock(row, screen)) : lines.map((line) => [line]);
  const draw = (most: number): string[] => {
    const shown = blocksWithin(blocks, most);
    return [
      isCut ? paint.bold("needs you") : head,
      ...shown.flat(),
      ...leftOut(needs.length - shown.length, "constel status --json", paint),
    ];
  };
  return { count: blocks.flat().length, weight: isCut ? 3 : 1, draw };
}

/** A request may be as long as a screen; what is longer than this is read with the command beside it. */
const mostOfNeed = 4;

/** Continues on the next line what a table would cut. */
function needBlock([agent = "", kind = "", says = "", next = ""]: readonly string[], { columns }: Screen): string[] {
  const text = oneLine(`${[agent, kind].filter(Boolean).join(" ")}: ${says}`);
  const isLong = folded(text, columns).length > mostOfNeed;
  const shown = foldedWithin(mostOfNeed, text, columns);
  // Nobody allows what was cut off: the list that shows it whole comes first.
  const then = `next: ${isLong && kind === "permission" ? "constel approvals" : next}`;
  const last = `${shown.at(-1)}; ${then}`;
  return width(last) <= columns ? [...shown.slice(0, -1), last] : [...shown, `  ${then}`];
}

/** The states that somebody should look at. They come first if there is no room for all. */
const pressing = [
  "waiting-permission",
  "waiting-answer",
  "hung",
  "logged-out",
  "dead",
  "unknown",
  "limited",
  "busy",
  "starting",
];

function agentsPart({ agents }: Status, { columns, paint }: Screen, nowMs: number): Part {
  const draw = (most: number): string[] => {
    if (agents.length === 0) return ["No agents yet. Start some with: constel up 2"];
    const rank = ({ state, wanted }: Status["agents"][number]): number =>
      wanted === "down" ? pressing.length + 1 : (pressing.indexOf(state) + pressing.length + 1) % (pressing.length + 1);
    const shown = agents.length > most ? [...agents].sort((a, b) => rank(a) - rank(b)).slice(0, most) : agents;
    const rows = shown.map((agent) => [
      agent.agent,
      agent.runtime,
      agent.wanted === "down" ? "down" : stateText(agent, nowMs),
      sinceText(agent, nowMs),
      inHandText(agent),
      spentText(agent.today, columns),
      mailText(agent),
    ]);
    const head = ["agent", "runtime", "state", "for", "task", "today", "mail"];
    return [
      ...table(head, rows, { columns, paint, whole: new Set([0, 1, 2, 3, 4, 5]) }).split("\n"),
      ...(shown.length === agents.length
        ? []
        : [paint.dim(`… and ${byState(agents.filter((one) => !shown.includes(one)))}: constel agents`)]),
    ];
  };
  return { count: agents.length, weight: 2, draw };
}

function tasksPart({ tasks, unfinished_tasks: unfinished }: Status, { columns, paint }: Screen): Part {
  const draw = (most: number): string[] => {
    if (tasks.length === 0) return ['No tasks. Give one with: constel task create "what to do"'];
    const rows = tasks
      .slice(0, most)
      .map((task) => [String(task.number), task.state, task.agent ?? "", readinessText(task), task.title]);
    const head = ["task", "state", "agent", "readiness", "title"];
    return [
      ...table(head, rows, { columns, paint, right: new Set([0, 3]), whole: new Set([0, 1, 2, 3]) }).split("\n"),
      ...leftOut(unfinished - Math.min(most, tasks.length), "constel task list", paint),
    ];
  };
  return { count: tasks.length, weight: 1, draw };
}

/** Of 100, as `plan` has it. */
const readinessText = ({ readiness }: Status["tasks"][number]): string => (readiness === null ? "" : String(readiness));

function findingsPart(
  { findings, open_knots: open, observed_repositories: observed, complete, open: unseen, notes }: Status,
  screen: Screen,
): Part {
  const { paint } = screen;
  const rest = [...unseenLines(unseen, screen), ...noteLines(notes, screen)];
  const blocks = titled(findings, screen);
  const draw = (most: number): string[] => {
    if (open === 0 && observed === 0) return ["No repository is watched. Begin with: constel repo add <path>"];
    if (open === 0) return [complete ? paint.green("Nothing collides.") : paint.yellow("No collision seen."), ...rest];
    // Drawn again without the others, columns and names are no wider than these need.
    const shown = titled(findings.slice(0, blocksWithin(blocks, most).length), screen);
    const left = leftOut(open - shown.length, "constel conflicts", paint);
    return [paint.bold("collisions"), ...shown.flat(), ...left, ...rest];
  };
  const least = blocks[0]?.length ?? 0;
  return { count: blocks.flat().length, weight: 1, least, more: rest.length, draw };
}

function titled(findings: Status["findings"], screen: Screen): string[][] {
  const name = namesOf(
    findings.flatMap(({ sides }) => sides),
    screen.columns,
  );
  const texts = findings.map((one) => ({
    ...one,
    text: renamed(oneLine(one.title), one.sides, name),
    names: one.sides.map(name),
  }));
  return titleBlocks(texts, screen);
}

/** Says what was not looked at, so that the silence does not cover it. */
function unseenLines(unseen: Status["open"], screen: Screen): string[] {
  return firstOf(
    unseen.map(({ why }) => `Incomplete: ${oneLine(why)}`),
    screen.paint.yellow,
    screen,
  );
}

/** Says what nobody was asked. */
function noteLines(notes: Status["notes"], screen: Screen): string[] {
  return firstOf(notes.map(unaskedText), screen.paint.yellow, screen);
}

/** A reason may be as long as a screen; what is longer than this is read with `constel conflicts`. */
const mostOfReason = 3;

/** The first, and how many there are beside it: that is never cut. */
function firstOf(
  [first, ...others]: readonly string[],
  style: (text: string) => string,
  { columns }: Screen,
): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (and ${others.length} more: constel conflicts)`;
  const whole = folded(`${first}${more}`, columns);
  return (whole.length <= mostOfReason ? whole : [...foldedWithin(mostOfReason - 1, first, columns), ` ${more}`]).map(
    style,
  );
}

function leftOut(count: number, command: string, paint: Screen["paint"]): string[] {
  return count > 0 ? [paint.dim(`… and ${count} more: ${command}`)] : [];
}

function gateLines({ without_gate: places }: Status, { columns, paint }: Screen): string[] {
  if (places.length === 0) return [];
  const where = places.map(({ origin, target }) => `${target} of ${plainPlace(origin)}`).join(", ");
  const text = oneLine(`No gate: work lands untested on ${where}. Declare one in constel.toml.`);
  return folded(text, columns).map((line) => paint.yellow(line));
}

function messagesLine({ messages, notices }: Status, isRunning: boolean): string {
  const { waiting, unknown, poisoned } = messages;
  // Only the daemon knows what lies in the inboxes.
  if (!isRunning) return "Messages: not known without the daemon; constel channel ls shows the inboxes.";
  const parts = [`${waiting} waiting`, `${unknown} unknown`, `${poisoned} poisoned`];
  const said =
    notices.waiting + notices.told === 0 ? "" : ` Notices: ${notices.waiting} waiting, ${notices.told} told.`;
  return `${waiting + unknown + poisoned === 0 ? "Messages: all arrived." : `Messages: ${parts.join(", ")}.`}${said}`;
}
