// Prints for a command: data on stdout, talk on stderr; colour only on a terminal, and never when NO_COLOR is set. Everything that is
// printed passes here, and nothing in it but our own colours can act on a terminal (protocol/safe-text.ts).

import { forJson, forTerminal, type OwnColours, ownColours } from "../../../protocol/safe-text.ts";
import type { Env } from "../../../settings/env.ts";

export interface Output {
  readonly json: boolean;
  /** True if stdout is a terminal. */
  readonly interactive: boolean;
  /** True if anybody can read stdout. */
  readonly hasReader: boolean;
  /** `unbounded` when stdout is no terminal. */
  readonly columns: number;
  /** The number of lines on a screen. If it is not known, the number of a small terminal. */
  readonly rows: number;
  readonly paint: Paint;
  /** The size as it is this moment, for what is drawn again and again. */
  now(): Pick<Output, "columns" | "rows" | "paint">;
  /** Data, to stdout. */
  data(text: string): void;
  /** Text as a terminal may be shown it: for what is put between control sequences of our own. */
  safe(text: string): string;
  /** To stdout as it is: our own control sequences, and bytes that a program asked for. */
  raw(text: string): void;
  /** Talk, to stderr, with a newline. */
  say(text: string): void;
}

interface TerminalSize {
  readonly columns: number;
  readonly rows?: number;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The streams that output goes to. `terminal` is undefined when stdout is not one. */
export interface Streams {
  /** False when standard output leads nowhere: it was closed, or is the null device. */
  readonly hasReader: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly terminal: TerminalSize | undefined;
  /** Its size now, when it may have changed. */
  readonly measure?: (() => TerminalSize) | undefined;
}

export function makeOutput(streams: Streams, env: Env, options: { json: boolean; plain: boolean }): Output {
  const interactive = streams.terminal !== undefined && env.TERM !== "dumb";
  const colourful = interactive && !options.plain && !options.json && (env.NO_COLOR ?? "") === "";
  const colours = colourful ? ownColours(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : undefined;
  const paint = colours === undefined ? plain : paintWith(colours);
  const sized = (terminal: TerminalSize | undefined): Pick<Output, "columns" | "rows" | "paint"> => ({
    columns: terminal?.columns ?? (Number(env.COLUMNS) || unbounded),
    rows: terminal?.rows ?? (Number(env.LINES) || 24),
    paint,
  });
  const safe = (text: string): string => (options.json ? forJson(text) : forTerminal(text, { colours }));
  return {
    json: options.json,
    interactive,
    hasReader: streams.hasReader,
    ...sized(streams.terminal),
    now: () => sized(streams.measure?.() ?? streams.terminal),
    safe,
    data: (text) => streams.out(safe(text)),
    raw: streams.out,
    say: (text) => streams.err(`${safe(text)}\n`),
  };
}

/** The width for piped output, which is never cut: no line of ours is as long as this. */
export const unbounded = 1_000_000;

function paintWith(colours: OwnColours): Paint {
  const as = (code: number) => (text: string) => colours.paint(code, text);
  return { bold: as(1), dim: as(2), red: as(31), green: as(32), yellow: as(33), cyan: as(36) };
}

const as = (text: string): string => text;
const plain: Paint = { bold: as, dim: as, red: as, green: as, yellow: as, cyan: as };
