// Publishing typed events on the command line.

import { resolve } from "node:path";
import { existsSync } from "node:fs";
import { counted } from "../../../protocol/counted.ts";
import { type EventSeverity, type EventTypeName, eventTypeNames } from "../../../protocol/event-types.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { shortOf } from "../present/finding-lines.ts";

export const publish: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("event.publish", {
    type: typeOf(input.argument("type")),
    text: wordsOf(input, "text"),
    fields: fieldsOf(input.flags("field")),
    to: [...input.flags("to")],
    paths: [...input.flags("path")],
    topics: [...input.flags("topic")],
    services: [...input.flags("service")],
    ...scopeOf(context, input),
    ...optional("capability", input.flag("capability")),
    ...optional("severity", input.flag("severity") as EventSeverity | undefined),
    ...optional("key", input.flag("key")),
  });
  const to = receipt.recipients === 0 ? "; it concerns nobody now" : ` to ${counted(receipt.recipients, "agent")}`;
  const again = receipt.already ? "Published before" : "Published";
  const strangers = receipt.unknown.length === 0 ? "" : ` Never seen here: ${receipt.unknown.join(", ")}.`;
  return {
    json: receipt,
    text: `${again}${to} (${shortOf(receipt.id)}).${strangers}${receipt.masked ? ` ${maskedNote}` : ""}`,
  };
};

export const maskedNote = "What looked like a secret was taken out.";

/** The repository and the task that something is about. */
export function scopeOf(context: CliContext, input: CommandInput): { repository?: string; task?: number } {
  const word = input.flag("repo");
  const path = word === undefined ? undefined : resolve(context.cwd, word);
  const task = input.flag("task");
  if (task !== undefined && !/^[1-9]\d{0,8}$/.test(task))
    throw new Refusal("usage.bad-value", `--task takes a task's number, not ${JSON.stringify(task)}`, { task });
  return {
    ...(word === undefined ? {} : { repository: path !== undefined && existsSync(path) ? path : word }),
    ...(task === undefined ? {} : { task: Number(task) }),
  };
}

export function wordsOf(input: CommandInput, name: string): string {
  const text = input.rest(name).join(" ").trim();
  if (text === "") throw new Refusal("usage.missing-argument", `say what: <${name}> is missing`, { argument: name });
  return text;
}

export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}

function typeOf(word: string): EventTypeName {
  const type = eventTypeNames.find((one) => one === word);
  if (type !== undefined) return type;
  throw new Refusal("usage.bad-value", `there is no event type ${JSON.stringify(word)}: ${eventTypeNames.join(", ")}`, {
    type: word,
  });
}

function fieldsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1)
        throw new Refusal("usage.bad-value", `--field takes NAME=VALUE, not ${JSON.stringify(pair)}`, { pair });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
