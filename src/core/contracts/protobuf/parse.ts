// Parses a .proto file of any syntax. It is ours, because the parsers that run in this process say no line for most
// errors, accept what no compiler does, and lose what a comparison needs (docs/decisions/0031-typed-contracts.md). It
// accepts somewhat more than protoc; what would make a comparison ambiguous (two fields with one number) link.ts refuses.

import { dotted, parseOptionStatement } from "./parse-options.ts";
import { emptyMessage, parseEnum, parseExtend, parseMessage, takeVisibility } from "./parse-types.ts";
import type { FileSyntax, ImportSyntax, MethodSyntax, ServiceSyntax } from "./syntax.ts";
import { ProtoError, Tokens } from "./tokens.ts";

/** `UNSTABLE` is what the compiler's own next edition is called until it has a year. */
const editions = new Set(["2023", "2024", "2026", "UNSTABLE"]);

export function parseProto(text: string): FileSyntax {
  const tokens = new Tokens(text);
  const file: FileSyntax = {
    syntax: "proto2",
    package: "",
    imports: [],
    options: [],
    messages: [],
    enums: [],
    extensions: [],
    services: [],
    tokens: 0,
  };
  parseSyntax(tokens, file);
  let packaged = false;
  while (tokens.peek().kind !== "end") {
    if (tokens.is("package")) {
      if (packaged) throw new ProtoError(tokens.peek().line, "The file names its package twice.");
      packaged = true;
      tokens.next();
      file.package = dotted(tokens);
      tokens.expect(";");
    } else parseStatement(tokens, file);
  }
  file.tokens = tokens.count;
  return file;
}

function parseSyntax(tokens: Tokens, file: FileSyntax): void {
  const { text: word, line } = tokens.peek();
  if (!(word === "syntax" || word === "edition") || tokens.peek(1).text !== "=") return;
  tokens.next();
  tokens.expect("=");
  const said = tokens.string(word === "syntax" ? '"proto2" or "proto3"' : "an edition");
  tokens.expect(";");
  const known = word === "syntax" ? said === "proto2" || said === "proto3" : editions.has(said);
  if (!known) throw new ProtoError(line, `${word === "syntax" ? "Syntax" : "Edition"} "${said}" is not known.`);
  file.syntax = said;
}

function parseStatement(tokens: Tokens, file: FileSyntax): void {
  if (tokens.take(";")) return;
  const visibility = takeVisibility(tokens);
  if (visibility !== null && !tokens.is("message") && !tokens.is("enum"))
    throw tokens.unexpected('"message" or "enum"');
  const { text, line } = tokens.word("a definition");
  switch (text) {
    case "import":
      file.imports.push(parseImport(tokens, line));
      break;
    case "option":
      file.options.push(...parseOptionStatement(tokens));
      break;
    case "message":
      file.messages.push(parseMessage(tokens, 0, visibility));
      break;
    case "enum":
      file.enums.push(parseEnum(tokens, visibility));
      break;
    case "service":
      file.services.push(parseService(tokens, line));
      break;
    case "extend": {
      // Groups declare a message beside the field, so they need somewhere to put it.
      const beside = emptyMessage("", line, null);
      parseExtend(tokens, beside, 0);
      file.extensions.push(...beside.extensions);
      file.messages.push(...beside.messages);
      break;
    }
    default:
      throw new ProtoError(line, `Expected a definition, found "${text}".`);
  }
}

function parseImport(tokens: Tokens, line: number): ImportSyntax {
  let kind: ImportSyntax["kind"] = "plain";
  for (const one of ["public", "weak", "option"] as const) if (tokens.take(one)) kind = one;
  const path = tokens.string("a file's path");
  tokens.expect(";");
  return { path, kind, line };
}

function parseService(tokens: Tokens, line: number): ServiceSyntax {
  const name = tokens.word("a service's name").text;
  const service: ServiceSyntax = { name, line, methods: [], options: [] };
  tokens.expect("{");
  while (!tokens.take("}")) {
    if (tokens.take(";")) continue;
    if (tokens.take("option")) service.options.push(...parseOptionStatement(tokens));
    else if (tokens.is("rpc")) service.methods.push(parseMethod(tokens));
    else throw tokens.unexpected('"rpc", "option" or "}"');
  }
  return service;
}

function parseMethod(tokens: Tokens): MethodSyntax {
  const { line } = tokens.expect("rpc");
  const name = tokens.word("a method's name").text;
  const input = parseMethodType(tokens);
  tokens.expect("returns");
  const output = parseMethodType(tokens);
  const options = [];
  if (tokens.take("{")) {
    while (!tokens.take("}")) {
      if (tokens.take(";")) continue;
      tokens.expect("option");
      options.push(...parseOptionStatement(tokens));
    }
  } else tokens.expect(";");
  const { type: inputType, streams: clientStreams } = input;
  return { name, line, input: inputType, output: output.type, clientStreams, serverStreams: output.streams, options };
}

function parseMethodType(tokens: Tokens): { type: string; streams: boolean } {
  tokens.expect("(");
  // A message may be called `stream`.
  const after = tokens.peek(1);
  const streams = tokens.is("stream") && (after.kind === "word" || after.text === ".") && tokens.take("stream");
  const type = `${tokens.take(".") ? "." : ""}${dotted(tokens)}`;
  tokens.expect(")");
  return { type, streams };
}
