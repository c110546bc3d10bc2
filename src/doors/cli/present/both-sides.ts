// Both sides of one finding in full, for people: what each side changed, as lines of a diff, and the names that it is about marked by a sign
// before their lines (and by colour where there is one). Side by side where the terminal is wide enough. The window shows the same lines.

import { counted } from "../../../protocol/counted.ts";
import type { Evidence } from "../../../protocol/findings.ts";
import { type CodeLine, markedPieces, markPattern, marksOf, partsOf } from "../../../protocol/sides-shown.ts";
import { between, isWide, pathText } from "./hunks.ts";
import type { Paint } from "./output.ts";
import { cut, oneLine, width } from "./table.ts";

export interface FoundSides {
  readonly title: string;
  readonly symbols: readonly string[];
  readonly evidence: readonly Evidence[];
}

interface Room {
  readonly columns: number;
  readonly paint: Paint;
}

/** More lines than this of one side are left out, and counted. */
const mostLines = 200;
/** No line of code is shown beyond this, however wide the output is. */
const widest = 2_000;
const signs = { same: " ", added: "+", removed: "-", gap: " " } as const;

export function bothSides(finding: FoundSides, labels: { ours: string; theirs: string }, room: Room): string[] {
  const pattern = markPattern(marksOf(finding));
  const sideBySide = isWide(room.columns);
  const columns = sideBySide ? Math.floor((room.columns - width(between)) / 2) : Math.min(room.columns, widest);
  const draw = (which: "ours" | "theirs"): Drawn[] =>
    bounded(
      partsOf(finding.evidence, which).flatMap(({ path, lines }) => {
        const digits = Math.max(...lines.map(({ number }) => String(number ?? "").length));
        return [
          headOf(`${labels[which]}  ${pathText(path)}`, columns, room.paint),
          ...lines.map((line) => lineOf(line, digits, pattern, columns, room.paint)),
        ];
      }),
      room.paint,
    );
  const [ours, theirs] = [draw("ours"), draw("theirs")];
  if (!sideBySide || ours.length === 0 || theirs.length === 0) return [...ours, ...theirs].map(({ text }) => text);
  return Array.from({ length: Math.max(ours.length, theirs.length) }, (_, at) => {
    const left = ours[at] ?? { text: "", wide: 0 };
    const space = " ".repeat(Math.max(0, columns - left.wide));
    return `${left.text}${space}${room.paint.dim(between)}${theirs[at]?.text ?? ""}`.trimEnd();
  });
}

/** A line as it is printed, and how wide it is without its colours. */
interface Drawn {
  readonly text: string;
  readonly wide: number;
}

function headOf(text: string, columns: number, paint: Paint): Drawn {
  const shown = cut(oneLine(text), columns);
  return { text: paint.cyan(shown), wide: width(shown) };
}

function lineOf(
  { number, text, kind }: CodeLine,
  digits: number,
  pattern: RegExp | undefined,
  columns: number,
  paint: Paint,
): Drawn {
  if (kind === "gap") return { text: paint.dim(`${" ".repeat(digits)}  ⋮`), wide: digits + 3 };
  const code = oneLine(text.slice(0, widest).replaceAll("\t", "  "));
  const pieces = markedPieces(code, pattern);
  const sign = pieces.length > 1 ? "▸" : " ";
  const head = `${String(number ?? "").padStart(digits)} ${sign}${signs[kind]} `;
  const shown = cut(code, Math.max(1, columns - width(head)));
  const style = { same: plain, added: paint.green, removed: paint.red }[kind];
  const painted = markedPieces(shown, pattern).map((one) =>
    one.isMarked ? paint.bold(paint.yellow(one.text)) : style(one.text),
  );
  return { text: `${style(head)}${painted.join("")}`, wide: width(head) + width(shown) };
}

const plain = (text: string): string => text;

function bounded(lines: readonly Drawn[], paint: Paint): Drawn[] {
  if (lines.length <= mostLines) return [...lines];
  const left = `… ${counted(lines.length - mostLines, "more line")}: --json has them`;
  return [...lines.slice(0, mostLines), { text: paint.dim(left), wide: width(left) }];
}
