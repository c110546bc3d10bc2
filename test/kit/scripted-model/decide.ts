// From a conversation to the reply: the rule's, filled; else what the demanded shape needs; else the default.

import { type Conversation, type Situation, situationOf } from "./conversation.ts";
import { choose } from "./match.ts";
import type { Reply, Rule, Rules, Usage } from "./rules.ts";
import { smallestFor } from "./schema-value.ts";
import { fill } from "./templates.ts";
import { type ToolCall, toolCall } from "./calls.ts";
import type { Answer, Failure, Tokens } from "./protocol.ts";

export interface Decision {
  readonly situation: Situation;
  readonly rule: Rule | undefined;
  readonly reply: Reply;
}

const plainDefault: Reply = { text: "Done." };
const plainSide: Reply = { text: "Scripted" };

export function decide(rules: Rules, conversation: Conversation, answered: (rule: Rule) => number): Decision {
  const situation = situationOf(conversation);
  const chosen = choose(rules, situation, answered);
  const reply = chosen?.reply ?? shaped(conversation) ?? usual(rules, situation);
  const filling = { situation, groups: chosen?.groups ?? [], vars: rules.vars ?? {} };
  return { situation, rule: chosen?.rule, reply: fill(reply, filling) };
}

function usual(rules: Rules, { side }: Situation): Reply {
  return side ? (rules.side ?? plainSide) : (rules.default ?? plainDefault);
}

function shaped({ schema, demandedTool }: Conversation): Reply | undefined {
  if (demandedTool !== undefined) {
    const input = JSON.stringify(smallestFor(demandedTool.schema));
    return { calls: [{ call: demandedTool.name, input_json: input }] };
  }
  return schema === undefined ? undefined : { text: JSON.stringify(smallestFor(schema)) };
}

/** The reply as the protocols write it. Throws where the client offers no tool for a call. */
export function answerOf(id: string, { situation, reply }: Decision, conversation: Conversation): Answer {
  const calls = (reply.calls ?? []).map((call) => toolCall(call, conversation));
  const { text = "", thinking = "" } = reply;
  const tokens = tokensOf(reply.usage ?? {}, situation.context, [thinking, text, JSON.stringify(calls)].join(""));
  return { id, model: conversation.model, text, thinking, calls: calls satisfies ToolCall[], tokens };
}

export function failureOf({
  status,
  type = "api_error",
  message = "scripted failure",
}: NonNullable<Reply["error"]>): Failure {
  return { status: Number(status), type, message };
}

function tokensOf(usage: Usage, context: string, said: string): Tokens {
  return {
    input: usage.input ?? Math.ceil(context.length / 4),
    output: usage.output ?? Math.ceil(said.length / 4),
    cacheRead: usage.cache_read ?? 0,
    cacheWrite: usage.cache_write ?? 0,
    reasoning: usage.reasoning ?? 0,
  };
}
