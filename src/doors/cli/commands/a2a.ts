// Requests of outside agents on the command line: what they ask, and what the owner says to it.

import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { z } from "zod";
import type { A2aArtefact } from "../../../protocol/a2a.ts";
import { counted } from "../../../protocol/counted.ts";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { requestShape } from "../../../protocol/operations/a2a.ts";
import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";

type Request = z.output<typeof requestShape>;

export const list: RunCommand = async (context, input) => {
  const { requests, total } = await (
    await context.caller()
  ).list("a2a.requests", input.asked("a2a.requests"), undefined);
  const none =
    "No outside agent asks for anything. A token for one: constel token create NAME --role outside (docs/guides/a2a.md)";
  const text = (): string => (requests.length === 0 ? none : table(heads, requests.map(rowOf), context.output));
  const rest = `constel a2a ls --limit ${total}`;
  return sayingCut({ json: { total, requests }, text }, { shown: requests.length, total, rest }, context.output);
};

const heads = ["id", "from", "skill", "state", "task", "since", "asks for", ""];

const rowOf = (one: Request): string[] => [
  one.id.slice(-6),
  oneLine(one.sender),
  oneLine(one.skill),
  one.state,
  one.task === null ? "" : String(one.task),
  utc(one.created_ms),
  oneLine(one.title),
  one.held > 0
    ? `${counted(one.held, "message")} for you: constel a2a accept ${one.id.slice(-6)}`
    : oneLine(one.says ?? ""),
];

export const accept: RunCommand = async (context, input) => {
  const { root } = context.places;
  const answer = await (await context.caller()).call("a2a.accept", input.asked("a2a.accept", { root }));
  const said = `It is task ${answer.task} now, and given out as soon as an agent is free: constel task show ${answer.task}`;
  return { json: answer, text: said };
};

export const refuse: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("a2a.refuse", input.asked("a2a.refuse"));
  return { json: answer, text: `The outside agent is told. The request is ${answer.state}.` };
};

export const answer: RunCommand = async (context, input) => {
  const words = [...input.rest("words")];
  const id = input.flag("task") === undefined ? words.shift() : undefined;
  const artefacts = input.flags("artefact").map((path) => artefactOf(resolve(context.cwd, path)));
  const filled = { text: words.join(" "), artefacts, ...(id === undefined ? {} : { id }) };
  const said = await (await context.caller()).call("a2a.answer", input.asked("a2a.answer", filled));
  return { json: said, text: `Said. The request is ${said.state}.` };
};

const mostBytes = 1_000_000;

function artefactOf(path: string): A2aArtefact {
  const name = basename(path);
  const bytes = contentOf(path);
  if (bytes.length > mostBytes)
    throw new Refusal("path.too-large", `${path} has more than ${mostBytes} bytes`, { path });
  if (name.endsWith(".json"))
    return { id: name, name, parts: [{ data: JSON.parse(bytes.toString()), filename: name }] };
  const mediaType = /\.(txt|md|log)$/.test(name) ? "text/plain" : "application/octet-stream";
  return { id: name, name, parts: [{ raw: bytes.toString("base64"), filename: name, mediaType }] };
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Refusal("path.not-a-file", `${path} cannot be read: ${messageOf(cause)}`, { path });
  }
}
