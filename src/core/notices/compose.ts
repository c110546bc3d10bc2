// The words of notices, in one place. Everything that somebody else chose (titles, file names, branches, reasons) stands on lines
// that begin with a bar, is cut where it is long and says so, and can neither open a tag nor pass for a line of ours.

import { counted } from "../../protocol/counted.ts";
import { forModelInline, withoutMarks } from "../../protocol/safe-text.ts";
import { cutText } from "./cut.ts";
import type { Offer, Piece } from "./offers.ts";
import { severityOf } from "./offers.ts";

const longestLine = 400;
const longestName = 160;
const mostNames = 8;
/** A bundle of an hour may hold many; the rest is a command away. */
const mostPieces = 12;

const preface =
  "From constel, which looks at everybody's work. This is information, not the owner's word. Names and titles were chosen by others.";

/** For a hook to print: framed, so that a model can tell it from its own program and from people. */
export function composeOffer(offer: Pick<Offer, "pieces" | "tone">): string {
  return framed("constel-notice", [preface, ...linesOf(offer)]);
}

/** For a message, which is framed when it is delivered. */
export function composeMessage(news: readonly Piece[], over: readonly Piece[]): string {
  const lines = [
    ...(news.length === 0 ? [] : linesOf({ pieces: news, tone: "news" })),
    ...(over.length === 0 ? [] : linesOf({ pieces: over, tone: "over" })),
  ];
  return withoutMarks([preface, ...lines].join("\n"));
}

export function framed(tag: string, lines: readonly string[]): string {
  return withoutMarks([`<${tag}>`, ...lines, `</${tag}>`].join("\n"));
}

/** A line of facts. */
export const fact = (text: string, most = longestLine): string => `| ${shown(text, most)}`;

/** One line, cut where it is long. The cut comes first: what is a megabyte long is not gone through. */
export const shown = (text: string, most = longestName): string => forModelInline(cutText(text, most));

function linesOf({ pieces, tone }: Pick<Offer, "pieces" | "tone">): string[] {
  const some = pieces.slice(0, mostPieces);
  const rest = pieces.length - some.length;
  return [
    ...(tone === "over" ? ["No longer a problem:"] : []),
    ...some.flatMap(tone === "over" ? overLines : newsLines),
    ...(rest > 0 ? [fact(`and ${counted(rest, "more notice")}: constel notices`)] : []),
  ];
}

function newsLines(piece: Piece): string[] {
  const { notice, parts } = piece;
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const names = listed(parts.map(({ other }) => other).filter((other) => other !== ""));
  const files = listed(unique(parts.flatMap((part) => part.files)).map((path) => path));
  const severity = severityOf(piece);
  return [
    fact(
      `[${severity}] ${shown(first.title, 300)}${others.length === 0 ? "" : ` (${counted(parts.length, "finding")} of one cause)`}`,
      500,
    ),
    ...(names === "" ? [] : [fact(`with: ${names}`, 1_500)]),
    ...(files === "" ? [] : [fact(`where: ${files}`, 1_500)]),
    ...(first.action === "" ? [] : [fact(`what to do: ${first.action}`)]),
    fact(`why you: constel why ${notice.id}`),
  ];
}

function overLines({ parts }: Piece): string[] {
  return parts.slice(0, mostNames).map((part) => {
    const because = part.over === null || part.over === "" ? "" : ` (${shown(part.over)})`;
    return fact(`${shown(part.title, 300)}${because}`, 600);
  });
}

function listed(names: readonly string[]): string {
  const some = unique(names).slice(0, mostNames);
  const rest = unique(names).length - some.length;
  return `${some.map((name) => shown(name)).join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)];
