// The types of a .proto file: messages with their fields, oneofs, groups, maps and extensions, and enums.

import { dotted, parseBracketedOptions, parseOptionStatement } from "./parse-options.ts";
import type { EnumSyntax, FieldSyntax, Label, MessageSyntax, Option, Range, Visibility } from "./syntax.ts";
import type { Tokens } from "./tokens.ts";
import { ProtoError } from "./tokens.ts";

/** protoc itself gives up at 32 levels. */
const maximumDepth = 64;
const largestField = 536_870_911;
/** Message sets, which only old files have, take extensions up to here. */
const largestExtension = 2_147_483_646;
const largestEnumValue = 2_147_483_647;

export function emptyMessage(name: string, line: number, visibility: Visibility): MessageSyntax {
  return {
    name,
    line,
    visibility,
    fields: [],
    oneofs: [],
    messages: [],
    enums: [],
    extensions: [],
    reserved: [],
    reservedNames: [],
    extensionRanges: [],
    options: [],
  };
}

/** `export` and `local` are words of their own only before a definition. */
export function takeVisibility(tokens: Tokens): Visibility {
  const { kind, text } = tokens.peek();
  if (kind !== "word" || (text !== "export" && text !== "local")) return null;
  const after = tokens.peek(1);
  if (after.text !== "message" && after.text !== "enum") return null;
  if (tokens.peek(2).kind !== "word") return null;
  tokens.next();
  return text;
}

/** After the word `message`. */
export function parseMessage(tokens: Tokens, depth: number, visibility: Visibility): MessageSyntax {
  const { text: name, line } = tokens.word("a message's name");
  const message = emptyMessage(name, line, visibility);
  parseBody(tokens, message, depth);
  return message;
}

function parseBody(tokens: Tokens, message: MessageSyntax, depth: number): void {
  const { line } = tokens.expect("{");
  if (depth > maximumDepth) throw new ProtoError(line, "Messages are nested too deeply.");
  while (!tokens.take("}")) {
    if (tokens.take(";")) continue;
    parseMember(tokens, message, depth);
  }
}

function parseMember(tokens: Tokens, message: MessageSyntax, depth: number): void {
  const visibility = takeVisibility(tokens);
  const { text, kind } = tokens.peek();
  const after = tokens.peek(1);
  if (kind === "word" && after.kind === "word") {
    if (text === "message") {
      tokens.next();
      message.messages.push(parseMessage(tokens, depth + 1, visibility));
      return;
    }
    if (text === "enum") {
      tokens.next();
      message.enums.push(parseEnum(tokens, visibility));
      return;
    }
    if (text === "oneof") return parseOneof(tokens, message, depth);
  }
  if (tokens.is("option") && (after.kind === "word" || after.text === "(")) {
    tokens.next();
    message.options.push(...parseOptionStatement(tokens));
  } else if (tokens.is("extend") && (after.kind === "word" || after.text === ".")) {
    tokens.next();
    parseExtend(tokens, message, depth);
  } else if (tokens.is("extensions") && after.kind === "number") {
    tokens.next();
    message.extensionRanges.push(...parseRanges(tokens, largestField));
    parseBracketedOptions(tokens);
    tokens.expect(";");
  } else if (tokens.is("reserved") && isReservation(tokens)) {
    tokens.next();
    parseReserved(tokens, message, largestField);
  } else message.fields.push(parseField(tokens, message, depth, null, null));
}

/** `reserved 2;`, `reserved "a";` and, in editions, `reserved a, b;`: not a field of a type called reserved. */
function isReservation(tokens: Tokens): boolean {
  const [after, second] = [tokens.peek(1), tokens.peek(2)];
  if (after.kind === "number" || after.kind === "text" || after.text === "-") return true;
  return after.kind === "word" && (second.text === "," || second.text === ";");
}

function parseOneof(tokens: Tokens, message: MessageSyntax, depth: number): void {
  tokens.expect("oneof");
  const name = tokens.word("a oneof's name").text;
  const options: Option[] = [];
  tokens.expect("{");
  while (!tokens.take("}")) {
    if (tokens.take(";")) continue;
    if (tokens.take("option")) options.push(...parseOptionStatement(tokens));
    else message.fields.push(parseField(tokens, message, depth, name, null));
  }
  message.oneofs.push({ name, options });
}

/** After the word `extend`. Groups inside put their message into `owner`. */
export function parseExtend(tokens: Tokens, owner: MessageSyntax, depth: number): void {
  const extendee = parseTypeName(tokens);
  tokens.expect("{");
  while (!tokens.take("}")) {
    if (tokens.take(";")) continue;
    owner.extensions.push(parseField(tokens, owner, depth, null, extendee));
  }
}

function parseField(
  tokens: Tokens,
  owner: MessageSyntax,
  depth: number,
  oneof: string | null,
  extendee: string | null,
): FieldSyntax {
  const { line } = tokens.peek();
  const label = parseLabel(tokens);
  const place = { label, oneof, extendee, line };
  if (tokens.is("group") && tokens.peek(1).kind === "word") return parseGroup(tokens, owner, depth, place);
  const mapKey = tokens.is("map") && tokens.peek(1).text === "<" ? parseMapKey(tokens) : null;
  const type = parseTypeName(tokens);
  if (mapKey !== null) tokens.expect(">");
  const name = tokens.word("a field's name").text;
  const number = parseNumber(tokens);
  const options = parseBracketedOptions(tokens);
  tokens.expect(";");
  return { name, number, type, mapKey, group: false, options, ...place };
}

function parseLabel(tokens: Tokens): Label | null {
  for (const label of ["optional", "required", "repeated"] as const) {
    const after = tokens.peek(1);
    // A type may be called `optional`; then a name and `=` follow.
    if (tokens.is(label) && (after.kind === "word" || after.text === ".") && tokens.peek(2).text !== "=") {
      tokens.next();
      return label;
    }
  }
  return null;
}

function parseGroup(
  tokens: Tokens,
  owner: MessageSyntax,
  depth: number,
  place: Pick<FieldSyntax, "label" | "oneof" | "extendee" | "line">,
): FieldSyntax {
  tokens.expect("group");
  const { text: type, line } = tokens.word("a group's name");
  const number = parseNumber(tokens);
  const options = parseBracketedOptions(tokens);
  const message = emptyMessage(type, line, null);
  parseBody(tokens, message, depth + 1);
  owner.messages.push(message);
  return { name: type.toLowerCase(), number, type, mapKey: null, group: true, options, ...place };
}

function parseMapKey(tokens: Tokens): string {
  tokens.expect("map");
  tokens.expect("<");
  const key = tokens.word("a map's key type").text;
  tokens.expect(",");
  return key;
}

function parseNumber(tokens: Tokens): number {
  tokens.expect("=");
  const { line } = tokens.peek();
  const number = tokens.integer("a field's number");
  if (number < 1 || number > largestExtension)
    throw new ProtoError(line, `Field number ${number} is outside 1 to ${largestField}.`);
  return number;
}

function parseTypeName(tokens: Tokens): string {
  return `${tokens.take(".") ? "." : ""}${dotted(tokens)}`;
}

function parseRanges(tokens: Tokens, largest: number): Range[] {
  const ranges: Range[] = [];
  do {
    const { line } = tokens.peek();
    const start = tokens.integer("a number");
    const end = tokens.take("to") ? (tokens.take("max") ? largest : tokens.integer("a number")) : start;
    if (end < start) throw new ProtoError(line, `The range ${start} to ${end} ends before it begins.`);
    ranges.push({ start, end });
  } while (tokens.take(","));
  return ranges;
}

function parseReserved(tokens: Tokens, into: { reserved: Range[]; reservedNames: string[] }, largest: number): void {
  const { kind, text } = tokens.peek();
  if (kind === "number" || text === "-") into.reserved.push(...parseRanges(tokens, largest));
  else {
    do into.reservedNames.push(tokens.peek().kind === "text" ? tokens.string("a name") : tokens.word("a name").text);
    while (tokens.take(","));
  }
  tokens.expect(";");
}

/** After the word `enum`. */
export function parseEnum(tokens: Tokens, visibility: Visibility): EnumSyntax {
  const { text: name, line } = tokens.word("an enum's name");
  const result: EnumSyntax = { name, line, visibility, values: [], reserved: [], reservedNames: [], options: [] };
  tokens.expect("{");
  while (!tokens.take("}")) {
    if (tokens.take(";")) continue;
    const after = tokens.peek(1);
    if (tokens.is("option") && after.text !== "=") {
      tokens.next();
      result.options.push(...parseOptionStatement(tokens));
    } else if (tokens.is("reserved") && after.text !== "=") {
      tokens.next();
      parseReserved(tokens, result, largestEnumValue);
    } else {
      const value = tokens.word("an enum value's name").text;
      tokens.expect("=");
      const number = tokens.integer("an enum value's number");
      result.values.push({ name: value, number, options: parseBracketedOptions(tokens) });
      tokens.expect(";");
    }
  }
  return result;
}
