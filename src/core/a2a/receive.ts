// A message of an outside agent comes in. The same message again is the same request; a new one is a request that is held for the owner,
// unless a rule of theirs lets this sender and skill through.

import { a2aLimits, type A2aPart, isInterrupted, type A2aTask } from "../../protocol/a2a.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { ParsedInputOf } from "../../protocol/operation.ts";
import type { sendA2a } from "../../protocol/operations/a2a.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aRequestsTable } from "../../store/tables/a2a.ts";
import { countOpenOf, declaredCapabilities, findMessage, findRequest, messagesOf } from "./a2a.sql.ts";
import type { A2aContext } from "./a2a-context.ts";
import { digestOf, keepMessage, moveTo } from "./change.ts";
import { becomeTask } from "./decide.ts";
import { keepPush } from "./pushes.ts";
import { ownRequest, refuseIfOver, signRequest } from "./request.ts";
import { refuseContent, refuseSkill, ruleFor } from "./rules.ts";
import { shown } from "./shown.ts";
import { furtherHeldText, heldText, titleOf } from "./words.ts";

type Input = ParsedInputOf<typeof sendA2a>;

export async function receive(context: A2aContext, input: Input): Promise<{ task: A2aTask; is_new: boolean }> {
  if (!context.a2a.isEnabled) throw new Refusal("a2a.off", "agents from outside are not served here");
  const { store, constellation, actor: sender } = context;
  const digest = digestOf([input.parts, input.task ?? null, input.context ?? null, input.skill ?? null]);
  return store.write(async (tx) => {
    const before = await findMessage(tx.db, constellation, sender, input.message);
    if (before !== undefined) {
      if (before.digest !== digest)
        throw new Refusal(
          "a2a.message-differs",
          `message ${JSON.stringify(input.message)} came before, with other words`,
          {},
        );
      const row = await findRequest(tx.db, constellation, before.request);
      if (row === undefined) throw new Refusal("a2a.unknown", "its task is gone", {});
      return { task: await shown(tx.db, row), is_new: false };
    }
    // Whose it is comes before what is in it: nobody learns of another's task by what is refused.
    const known = input.task === undefined ? undefined : await ownRequest(tx.db, context, input.task);
    refuseContent(input.parts);
    const row =
      known === undefined ? await begin(context, tx, input, digest) : await goOn(context, tx, known, input, digest);
    if (input.push !== undefined) await keepPush(context, tx, row, input.push);
    return { task: await shown(tx.db, row), is_new: known === undefined };
  });
}

async function begin(context: A2aContext, tx: Tx, input: Input, digest: string): Promise<A2aRequestsTable> {
  const { constellation, actor: sender, random, a2a } = context;
  const skill = input.skill ?? "task";
  if (skill !== "task")
    refuseSkill(
      skill,
      (await declaredCapabilities(tx.db, constellation)).map(({ value }) => value),
    );
  if ((await countOpenOf(tx.db, constellation, sender)) >= a2aLimits.open)
    throw new Refusal("a2a.too-many", `${a2aLimits.open} of your tasks are open`, { open: a2aLimits.open });
  const id = makeId("a2a", tx.nowMs, random.bytes(10));
  const row = signRequest(tx, context, {
    id,
    constellation,
    sender,
    context: input.context ?? makeId("a2c", tx.nowMs, random.bytes(10)),
    skill,
    title: titleOf(input.parts, sender),
    decision: "held",
    decided_by: null,
    decided_ms: null,
    task: null,
    agent: null,
    state: "submitted",
    seq: 0,
    said: null,
    told: null,
    given_ms: null,
    created_ms: tx.nowMs,
    updated_ms: tx.nowMs,
    ended_ms: null,
    signature: null,
  });
  await tx.insert("a2a_requests", row);
  await keep(context, tx, row, input, digest, "held");
  const data = { sender, skill, title: row.title };
  await tx.record({ type: "a2a.received", subject: `a2a:${id}`, actor: sender, data });
  const rule = ruleFor(a2a.rules, sender, skill);
  if (rule === undefined) return await moveTo(context, tx, row, { state: "submitted", text: heldText });
  const { root } = a2a;
  // The rule is the owner's word, given before; what was asked stands on the record as the sender's.
  const ruled = { ...context, actor: "daemon", known: "a2a.accept" };
  return await becomeTask(ruled, tx, row, { root, repository: rule.repository, accept: [] });
}

const keep = (
  context: A2aContext,
  tx: Tx,
  row: A2aRequestsTable,
  { message, parts }: { readonly message: string; readonly parts: readonly A2aPart[] },
  digest: string,
  state: string,
): Promise<void> => {
  const id = makeId("a2m", tx.nowMs, context.random.bytes(10));
  return keepMessage(context, tx, row, { id, messageId: message, role: "user", parts, state, digest });
};

async function goOn(
  context: A2aContext,
  tx: Tx,
  row: A2aRequestsTable,
  input: Input,
  digest: string,
): Promise<A2aRequestsTable> {
  if (input.context !== undefined && input.context !== row.context)
    throw new Refusal("a2a.context-differs", `task ${row.id} belongs to another context`, { id: row.id });
  refuseIfOver(row);
  const { length } = await messagesOf(tx.db, context.constellation, [row.id]);
  if (length >= a2aLimits.messages)
    throw new Refusal("a2a.too-many", `a task may have ${a2aLimits.messages} messages`, { id: row.id });
  const isLetIn = row.decision === "accepted" && ruleFor(context.a2a.rules, row.sender, row.skill) !== undefined;
  await keep(context, tx, row, input, digest, isLetIn ? "passed" : "held");
  await tx.record({
    type: "a2a.received",
    subject: `a2a:${row.id}`,
    actor: row.sender,
    data: { sender: row.sender, skill: row.skill },
  });
  const state = isInterrupted(row.state) ? "working" : row.state;
  return await moveTo(context, tx, row, {
    state: state as A2aTask["state"],
    ...(isLetIn ? {} : { text: row.decision === "held" ? heldText : furtherHeldText }),
  });
}
