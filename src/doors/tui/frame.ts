// The monitor's picture: what is known, as rows of a fixed height, so that what comes or goes moves as little as possible. Pure. Times are the hour at which
// something began, not its age: an age would have to be drawn again and again while nothing happens.

import { counted } from "../../protocol/counted.ts";
import { type AttentionRow, sentenceOf } from "../../protocol/operations/attention.ts";
import { monitorPages, type MonitorPage } from "../../protocol/keys.ts";
import type { AgentScreen } from "../../protocol/window.ts";
import { type Line, line, type Part, spread, type Style } from "./cells.ts";

export interface AgentRow {
  readonly agent: string;
  readonly runtime: string;
  readonly state: string;
  readonly says: string;
  readonly since_ms: number;
  /** Its tasks, in words. */
  readonly work: string | undefined;
  readonly micros: number;
}

/** Something of another page: a collision, a task, a message. */
export interface OtherRow {
  readonly key: string;
  readonly mark: string;
  readonly says: string;
  readonly right: string;
  readonly detail: readonly string[];
  readonly agent: string | null;
  readonly finding: string | null;
  readonly task: number | null;
}

export interface Seen {
  readonly constellation: string;
  readonly page: MonitorPage;
  readonly needs: readonly AttentionRow[];
  readonly snoozed: number;
  readonly agents: readonly AgentRow[];
  /** The rows of the page, where that is not `now`. */
  readonly others: readonly OtherRow[];
  readonly screen: AgentScreen | undefined;
  /** The key of the row that is chosen. */
  readonly chosen: string | undefined;
  /** What stands in the last line instead of the keys: a question, an answer, a complaint. */
  readonly notice: string | undefined;
  /** Why what is shown may be old. */
  readonly stale: string | undefined;
  readonly find: string;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export const marks: Readonly<Record<AttentionRow["place"], readonly [mark: string, style: Style]>> = {
  answer: ["?", "blue"],
  "collision-near": ["⨯", "red"],
  stuck: ["!", "yellow"],
  gate: ["⨯", "red"],
  collision: ["⨯", "red"],
  ready: ["✓", "green"],
  limit: ["◔", "yellow"],
};

/** A row's own verb, with its key. */
const verbs: Readonly<Record<AttentionRow["place"], string>> = {
  answer: "y allow",
  "collision-near": "t tell",
  stuck: "a attach",
  gate: "Enter show",
  collision: "t tell",
  ready: "h harvest",
  limit: "z snooze",
};

const footers: Readonly<Record<MonitorPage, string>> = {
  now: "j k move  Enter do  y d answer  a attach  m message  n next  g page  ? keys  q",
  collisions: "j k move  t tell both  x dismiss  Enter show  g page  ? keys  q quit",
  tasks: "j k move  h harvest  c new task  Enter show  g page  ? keys  q quit",
  messages: "j k move  m message  Enter show  g page  ? keys  q quit",
};

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
const stateMarks: Readonly<Record<string, readonly [mark: string, style: Style]>> = {
  "waiting-permission": ["?", "blue"],
  "waiting-answer": ["?", "blue"],
  busy: ["▸", "green"],
  starting: ["▸", "dim"],
  limited: ["◔", "yellow"],
  idle: ["·", "dim"],
};

/** The rows that can be chosen, in the order of the picture. */
export function choices(seen: Seen): readonly string[] {
  if (seen.page !== "now") return found(seen.others, seen.find, ({ says }) => says).map(({ key }) => key);
  return [...needsOf(seen).map(({ key }) => key), ...agentsOf(seen).map(({ agent }) => agent)];
}

const found = <Row>(rows: readonly Row[], find: string, text: (row: Row) => string): readonly Row[] =>
  find === "" ? rows : rows.filter((row) => text(row).toLowerCase().includes(find.toLowerCase()));

const needsOf = (seen: Seen): readonly AttentionRow[] =>
  found(seen.needs, seen.find, ({ agent, says }) => `${agent ?? ""} ${says}`);

/** The most pressing first, and those of one state by their number, so that rows do not jump while agents work. */
export function agentsOf(seen: Pick<Seen, "agents" | "find">): readonly AgentRow[] {
  const rank = ({ state }: AgentRow): number => (pressing.indexOf(state) + pressing.length + 1) % (pressing.length + 1);
  const number = ({ agent }: AgentRow): number => Number(/(?<!\d)\d+$/.exec(agent)?.[0] ?? Infinity);
  const rows = found(seen.agents, seen.find, ({ agent, says, work }) => `${agent} ${says} ${work ?? ""}`);
  return [...rows].sort((a, b) => rank(a) - rank(b) || number(a) - number(b));
}

export function frame(seen: Seen, { columns, rows }: Size): Line[] {
  const body = seen.page === "now" ? nowBody(seen, columns, rows - 2) : listBody(seen, columns, rows - 2);
  const filled = [...body, ...Array.from({ length: Math.max(0, rows - 2 - body.length) }, () => line([], columns))];
  const last =
    seen.notice === undefined
      ? line([["dim", ` ${footers[seen.page]}`]], columns)
      : line([["bold", ` ${seen.notice}`]], columns);
  return [headOf(seen, columns), ...filled.slice(0, Math.max(0, rows - 2)), last].slice(0, rows);
}

function headOf({ constellation, agents, page, stale }: Seen, columns: number): Line {
  const count = (state: string): number => agents.filter((one) => one.state === state).length;
  const states = [
    ["busy", "working"],
    ["limited", "limited"],
    ["idle", "idle"],
  ] as const;
  const words = states.flatMap(([state, word]) => (count(state) === 0 ? [] : [`${count(state)} ${word}`]));
  const micros = agents.reduce((sum, one) => sum + one.micros, 0);
  const left: Part[] = [["bold", ` ${constellation}`], `  ${[counted(agents.length, "agent"), ...words].join(" · ")}`];
  if (stale !== undefined) left.push(["yellow", `  ${stale}`]);
  return spread(
    left,
    `${page === "now" ? "" : `${page}  `}${micros === 0 ? "" : `${dollars(micros)} today `}`,
    columns,
  );
}

function nowBody(seen: Seen, columns: number, rows: number): Line[] {
  const previewRows = Math.max(3, Math.floor(rows * 0.3));
  const agentRows = Math.max(3, Math.floor((rows - previewRows) * 0.45));
  const needRows = Math.max(2, rows - previewRows - agentRows);
  const needs = needsOf(seen);
  const agents = agentsOf(seen);
  return [
    ...section(
      "NEEDS YOU",
      needs.length,
      seen.snoozed,
      needs,
      needRows,
      columns,
      (row) => needLine(row, seen, columns),
      seen.chosen,
    ),
    ...section(
      "AGENTS",
      agents.length,
      0,
      agents,
      agentRows,
      columns,
      (row) => agentLine(row, seen, columns),
      seen.chosen,
    ),
    ...preview(seen, columns, previewRows),
  ];
}

/** A heading and its rows, always of the same height; the rows around the chosen one when there is no room for all. */
function section<Row extends { readonly key?: string; readonly agent?: string | null }>(
  name: string,
  count: number,
  aside: number,
  all: readonly Row[],
  rows: number,
  columns: number,
  draw: (row: Row) => Line,
  chosen: string | undefined,
): Line[] {
  const room = rows - 1;
  const at = Math.max(
    0,
    all.findIndex((row) => (row.key ?? row.agent) === chosen),
  );
  const isCut = all.length > room;
  const shownRows = isCut ? room - 1 : room;
  const from = Math.max(0, Math.min(at - shownRows + 1, all.length - shownRows));
  const shown = all.slice(from, from + shownRows).map(draw);
  const more = isCut ? [line([["dim", `   ${all.length - shown.length} more`]], columns)] : [];
  const blanks = Array.from({ length: Math.max(0, room - shown.length - more.length) }, () => line([], columns));
  const right = `${count === 0 ? "nothing" : count}${aside === 0 ? "" : ` · ${aside} put aside`} `;
  return [spread([["bold", ` ${name}`]], right, columns), ...shown, ...more, ...blanks];
}

function needLine(row: AttentionRow, { chosen }: Seen, columns: number): Line {
  const [mark, style] = marks[row.place];
  const verb = row.place === "answer" && row.request === null ? "a attach" : verbs[row.place];
  const right = `${clock(row.since_ms)}  ${verb.padEnd(10)}`;
  return spread(
    [row.key === chosen ? "▌" : " ", [style, mark], ` ${sentenceOf(row)}`],
    right,
    columns,
    row.key === chosen ? "bold" : undefined,
  );
}

function agentLine(row: AgentRow, { chosen }: Seen, columns: number): Line {
  const [mark, style] = stateMarks[row.state] ?? ["!", "yellow"];
  const task = row.work === undefined ? "" : ` · ${row.work}`;
  const left: Part[] = [
    row.agent === chosen ? "▌" : " ",
    [style, mark],
    ` ${row.agent.padEnd(8)} ${row.runtime.padEnd(8)} ${row.says}${task}`,
  ];
  return spread(
    left,
    row.micros === 0 ? "" : `${dollars(row.micros)} `,
    columns,
    row.agent === chosen ? "bold" : undefined,
  );
}

/** The chosen row whole: nobody allows what was cut off. Of an agent, the end of its screen. */
function preview(seen: Seen, columns: number, rows: number): Line[] {
  const { screen, chosen } = seen;
  const need = seen.needs.find(({ key }) => key === chosen);
  const title = need === undefined ? (chosen ?? "") : (need.agent ?? need.kind);
  const head = line([["dim", ` ${title} ${"─".repeat(columns)}`]], columns);
  const room = rows - 1;
  if (need !== undefined) {
    const words = [...wrapped(`${need.says}`, columns - 4), ...wrapped(need.evidence, columns - 4), `→ ${need.next}`];
    return [head, ...boxed(words, columns, room)];
  }
  if (screen === undefined) return [head, ...boxed([], columns, room)];
  const shown =
    screen.rows === null ? [screen.problem ?? ""] : screen.rows.filter((row) => row.trim() !== "").slice(-room);
  return [head, ...boxed(shown, columns, room)];
}

const boxed = (words: readonly string[], columns: number, rows: number): Line[] =>
  Array.from({ length: rows }, (_, at) => line([["dim", " │ "], words[at] ?? ""], columns));

function listBody(seen: Seen, columns: number, rows: number): Line[] {
  const all = found(seen.others, seen.find, ({ says }) => says);
  const detailRows = Math.floor(rows * 0.4);
  const draw = (row: OtherRow): Line =>
    spread(
      [row.key === seen.chosen ? "▌" : " ", row.mark, ` ${row.says}`],
      `${row.right} `,
      columns,
      row.key === seen.chosen ? "bold" : undefined,
    );
  const chosen = all.find(({ key }) => key === seen.chosen);
  const detail = (chosen?.detail ?? []).flatMap((one) => wrapped(one, columns - 4));
  return [
    ...section(seen.page.toUpperCase(), all.length, 0, all, rows - detailRows, columns, draw, seen.chosen),
    line([["dim", ` ${"─".repeat(columns)}`]], columns),
    ...boxed(detail, columns, detailRows - 1),
  ];
}

/** All keys and pages, as one notice after another would be too long: a page of its own. */
export function helpLines(lines: readonly string[], { columns, rows }: Size): Line[] {
  const pages = Object.entries(monitorPages).map(([key, name]) => `g ${key}  ${name}`);
  const all = [
    "",
    " KEYS",
    ...lines.map((one) => `   ${one}`),
    "",
    ` PAGES   ${pages.join("   ")}`,
    "",
    " any key: back",
  ];
  return Array.from({ length: rows }, (_, at) => line([all[at] ?? ""], columns));
}

function wrapped(text: string, columns: number): string[] {
  const rows: string[] = [];
  for (let rest = text.slice(0, 5_000).replaceAll(/\s+/g, " "); rest !== ""; rest = rest.slice(columns))
    rows.push(rest.slice(0, columns));
  return rows;
}

/** The hour at which something began, in the reader's zone; the day when that was another. */
function clock(ms: number): string {
  const at = new Date(ms);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

const dollars = (micros: number): string => `$${(micros / 1e6).toFixed(2)}`;
