// The same screen over and over, in place: the cursor goes home, each line is written over the old one and its rest cleared,
// and what is below is cleared last. Nothing is ever blank in between, so nothing flickers. It is drawn on the terminal's
// second screen; however the watch ends, the first one comes back with its cursor.

import { counted } from "../../../protocol/counted.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import type { Output } from "./output.ts";
import { cut, width } from "./table.ts";

const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";

export async function redraw(
  output: Pick<Output, "raw" | "safe">,
  draw: () => Promise<string>,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<undefined> {
  const ended = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
  output.raw(enter);
  try {
    while (!signal.aborted) {
      // A daemon that does not answer must not keep the terminal from being given back.
      const text = await Promise.race([draw(), ended]);
      if (text !== undefined) output.raw(frame(output.safe(text)));
      await systemClock.sleep(everyMs, signal);
    }
  } finally {
    output.raw(leave);
  }
  return undefined;
}

/**
 * The same for what may be busy so long that it cannot hear Ctrl-C, which then has to end the process at once: on the
 * terminal's first screen, where nothing has to be given back.
 */
export async function redrawUntilKilled(
  output: Pick<Output, "raw" | "safe" | "now">,
  draw: () => Promise<string>,
  everyMs: number,
): Promise<never> {
  output.raw("\u001b[2J");
  for (;;) {
    output.raw(frame(output.safe(fitted(await draw(), output.now()))));
    await systemClock.sleep(everyMs);
  }
}

/** One write: half a frame is never seen. */
export function frame(text: string): string {
  const lines = text.split("\n").map((line) => `${line}\u001b[K`);
  return `\u001b[H${lines.join("\r\n")}\u001b[J`;
}

/** Fits the text to the screen: a line that would wrap is cut, and lines that would scroll are counted. */
export function fitted(text: string, { columns, rows, paint }: ReturnType<Output["now"]>): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.length < rows ? lines : lines.slice(0, Math.max(1, rows - 2));
  const left = lines.length - shown.length;
  return [
    ...shown.map((line) => (width(line) > columns ? cut(Bun.stripANSI(line), columns) : line)),
    ...(left > 0 ? [paint.dim(`… and ${counted(left, "more line")}`)] : []),
    "",
  ].join("\n");
}
