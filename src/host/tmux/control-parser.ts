// Reads the byte stream of a tmux control-mode client: blocks (`%begin` … `%end` or `%error`), each the answer to one
// command, and notifications between them. It knows nothing of who asked what.
//
// The body of a block is raw: a screen may hold a line that looks like `%end`. A block therefore ends only at its own
// guard, the three numbers of its `%begin`; a line outside any block that is no notification means that we lost step.

export interface Block {
  readonly ok: boolean;
  readonly body: string;
  /** Answers a command that this client wrote, not one of its own start. */
  readonly solicited: boolean;
}

export interface Notification {
  /** Without the percent sign: `sessions-changed`. */
  readonly kind: string;
  readonly text: string;
}

export interface ControlEvents {
  block(block: Block): void;
  notification(notification: Notification): void;
  /** The stream makes no sense any more; the connection must be dropped. */
  lost(reason: string): void;
}

const newline = 10;

export class ControlParser {
  readonly #events: ControlEvents;
  #buffer: Buffer = Buffer.alloc(0);
  #guard: string | undefined;
  /** Up to here an open block was searched without finding its end. */
  #searched = 0;
  #isLost = false;

  constructor(events: ControlEvents) {
    this.#events = events;
  }

  push(chunk: Uint8Array): void {
    if (this.#isLost) return;
    this.#buffer = this.#buffer.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#buffer, chunk]);
    let position = 0;
    while (!this.#isLost) {
      const next = this.#guard === undefined ? this.#line(position) : this.#block(position, this.#guard);
      if (next === undefined) break;
      position = next;
    }
    this.#buffer = this.#buffer.subarray(position);
    this.#searched = Math.max(0, this.#searched - position);
  }

  #line(start: number): number | undefined {
    const end = this.#buffer.indexOf(newline, start);
    if (end === -1) return undefined;
    const line = this.#buffer.toString("latin1", start, end);
    if (line.startsWith("%begin ")) {
      this.#guard = line.slice("%begin ".length);
      this.#searched = end;
      return end; // the line end stays: a guard is sought as a whole line
    }
    if (!line.startsWith("%")) this.#lose(line);
    else this.#notify(line);
    return end + 1;
  }

  #block(start: number, guard: string): number | undefined {
    const end = this.#guardLine("%end", guard, this.#buffer.length);
    const error = this.#guardLine("%error", guard, end ?? this.#buffer.length);
    const found = error ?? end;
    if (found === undefined) {
      // The next chunk may complete a guard that began in this one.
      this.#searched = Math.max(start, this.#buffer.length - guard.length - "\n%error \n".length);
      return undefined;
    }
    const body = found > start ? this.#buffer.toString("utf8", start + 1, found) : "";
    this.#guard = undefined;
    this.#searched = 0;
    this.#events.block({ ok: error === undefined, body, solicited: guard.endsWith(" 1") });
    return this.#buffer.indexOf(newline, found + 1) + 1;
  }

  /** Returns the position of the line end before the guard's line. */
  #guardLine(word: string, guard: string, before: number): number | undefined {
    const found = this.#buffer.subarray(0, before).indexOf(`\n${word} ${guard}\n`, this.#searched, "latin1");
    return found === -1 ? undefined : found;
  }

  #notify(line: string): void {
    const space = line.indexOf(" ");
    const kind = line.slice(1, space === -1 ? undefined : space);
    const rest = space === -1 ? "" : line.slice(space + 1);
    const bytes = kind === "output" || kind === "extended-output" ? unescapeOutput(rest) : rest;
    this.#events.notification({ kind, text: Buffer.from(bytes, "latin1").toString("utf8") });
  }

  #lose(line: string): void {
    this.#isLost = true;
    this.#events.lost(`a line outside any block: ${JSON.stringify(line.slice(0, 80))}`);
  }
}

/** In `%output` tmux writes control characters and backslashes as `\ooo`, bytewise; nowhere else. */
function unescapeOutput(latin1: string): string {
  return latin1.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
