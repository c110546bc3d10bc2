// The eleven operations of A2A 1.0, each an operation of ours. Who asks was made sure of before, and every operation answers for the asker's
// own tasks alone.

import type { Caller } from "../../client/caller.ts";
import { type A2aChange, type A2aTask, isInterrupted, isOver } from "../../protocol/a2a.ts";
import type { CardJson } from "../../protocol/a2a-card.ts";
import { answerOfWire, pushOfWire, type Shown, streamResponse, taskOfWire } from "../../protocol/a2a-wire.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { A2aSkill } from "../../protocol/a2a.ts";
import { params, read, readState } from "./params.ts";

export interface Asked {
  readonly caller: Caller;
  /** Aborted when whoever asked has left, or the daemon stops. */
  readonly signal: AbortSignal;
  /** The last change that they saw, where they go on with a stream. */
  readonly after?: number | undefined;
  readonly card: (skills: readonly A2aSkill[]) => CardJson;
}

/** One event of a stream. Undefined: nothing happened, and the connection lives. */
export type StreamEvent = { readonly seq: number; readonly body: object } | undefined;

type Answers = (asked: Asked, given: unknown) => Promise<object>;
type Streams = (asked: Asked, given: unknown) => Promise<AsyncGenerator<StreamEvent>>;

/** Whoever waits for the end of a task has an answer within this time; the task goes on, and can be asked for. */
const waitsAtMostMs = 50_000;
const beatMs = 5_000;

async function send({ caller, signal }: Pick<Asked, "caller" | "signal">, given: unknown) {
  const { message, configuration } = read(params.send, given);
  const { messageId, taskId, contextId, parts, metadata } = message;
  const skill = metadata?.["skill"];
  const push = configuration?.taskPushNotificationConfig;
  const { task } = await caller.call(
    "a2a.send",
    {
      message: messageId,
      // A half of a character is nobody's word.
      parts: parts.map((part) => (part.text === undefined ? part : { ...part, text: part.text.toWellFormed() })),
      ...(taskId === undefined ? {} : { task: taskId }),
      ...(contextId === undefined ? {} : { context: contextId }),
      ...(typeof skill === "string" && skill !== "" ? { skill } : {}),
      ...(push === undefined ? {} : { push: pushWish(push) }),
    },
    { signal },
  );
  return { task, configuration };
}

function pushWish({ id, url, token, authentication }: Omit<ReturnType<typeof read<typeof params.push>>, "taskId">) {
  return {
    url,
    ...(id === undefined ? {} : { id }),
    ...(token === undefined || token === "" ? {} : { token }),
    ...(authentication === undefined ? {} : { scheme: authentication.scheme }),
    ...(authentication?.credentials === undefined ? {} : { credentials: authentication.credentials }),
  };
}

/** Until it is over, or waits for whoever asked. */
async function settled({ caller, signal }: Pick<Asked, "caller" | "signal">, begun: A2aTask): Promise<A2aTask> {
  const untilMs = performance.now() + waitsAtMostMs;
  let { state, seq } = begun;
  while (!isOver(state) && !isInterrupted(state) && !signal.aborted) {
    const left = Math.floor(untilMs - performance.now());
    if (left <= 0) break;
    const more = await caller.call(
      "a2a.follow",
      { id: begun.id, after: seq, for_ms: Math.min(left, 30_000) },
      { signal },
    );
    state = more.state;
    seq = more.changes.at(-1)?.seq ?? seq;
  }
  return await caller.call("a2a.show", { id: begun.id }, { signal });
}

export const answers: Readonly<Record<string, Answers>> = {
  async SendMessage(asked, given) {
    const { task, configuration } = await send(asked, given);
    const isLeft = configuration?.returnImmediately === true;
    const now = isLeft ? task : await settled(asked, task);
    const message = isLeft ? undefined : answerOfWire(now);
    if (message !== undefined) return { message };
    return { task: taskOfWire(now, { history: configuration?.historyLength, artefacts: true }) };
  },
  async GetTask({ caller, signal }, given) {
    const { id, historyLength: history } = read(params.get, given);
    return taskOfWire(await caller.call("a2a.show", { id }, { signal }), { history, artefacts: true });
  },
  async ListTasks({ caller, signal }, given) {
    const wish = read(params.list, given);
    const state = readState(wish.status);
    const limit = wish.pageSize ?? 50;
    if (state === "none") return { tasks: [], nextPageToken: "", pageSize: limit, totalSize: 0 };
    const since = wish.statusTimestampAfter;
    const { tasks, next, total } = await caller.call(
      "a2a.list",
      {
        limit,
        ...(wish.contextId === undefined ? {} : { context: wish.contextId }),
        ...(state === undefined ? {} : { state }),
        ...(since === undefined ? {} : { since_ms: Date.parse(since) }),
        ...(wish.pageToken === undefined ? {} : { page: wish.pageToken }),
      },
      { signal },
    );
    const shown: Shown = { history: wish.historyLength, artefacts: wish.includeArtifacts === true };
    return {
      tasks: tasks.map((task) => taskOfWire(task, shown)),
      nextPageToken: next ?? "",
      pageSize: limit,
      totalSize: total,
    };
  },
  async CancelTask({ caller, signal }, given) {
    return taskOfWire(await caller.call("a2a.cancel", { id: read(params.one, given).id }, { signal }));
  },
  async CreateTaskPushNotificationConfig({ caller, signal }, given) {
    const { taskId: request, ...push } = read(params.push, given);
    return pushOfWire(await caller.call("a2a.push-set", { request, push: pushWish(push) }, { signal }));
  },
  async GetTaskPushNotificationConfig({ caller, signal }, given) {
    const { taskId: request, id } = read(params.pushOne, given);
    const { pushes } = await caller.call("a2a.push-list", { request }, { signal });
    const found = pushes.find((one) => one.id === id);
    if (found === undefined) throw new Refusal("a2a.unknown", `the task tells no address ${JSON.stringify(id)}`);
    return pushOfWire(found);
  },
  async ListTaskPushNotificationConfigs({ caller, signal }, given) {
    const { taskId: request } = read(params.pushes, given);
    const { pushes } = await caller.call("a2a.push-list", { request }, { signal });
    return { configs: pushes.map(pushOfWire), nextPageToken: "" };
  },
  async DeleteTaskPushNotificationConfig({ caller, signal }, given) {
    const { taskId: request, id } = read(params.pushOne, given);
    await caller.call("a2a.push-drop", { request, id }, { signal });
    return {};
  },
  async GetExtendedAgentCard({ caller, signal, card }) {
    const { skills } = await caller.call("a2a.skills", {}, { signal });
    return card(skills);
  },
};

export const streams: Readonly<Record<string, Streams>> = {
  async SendStreamingMessage(asked, given) {
    const { task, configuration } = await send(asked, given);
    return follow(asked, task, { history: configuration?.historyLength, artefacts: true }, task.seq);
  },
  async SubscribeToTask(asked, given) {
    const { id } = read(params.one, given);
    const task = await asked.caller.call("a2a.show", { id }, { signal: asked.signal });
    // Whoever comes back to a stream is told what they missed, also of a task that ended in between.
    const isBack = asked.after !== undefined && asked.after < task.seq;
    if (isOver(task.state) && !isBack)
      throw new Refusal("a2a.over", `task ${id} is over: ${task.state}`, { id, state: task.state });
    return follow(asked, task, { artefacts: true }, Math.min(asked.after ?? task.seq, task.seq));
  },
};

/** The task first, then each change, until it is over or waits for whoever asked. */
async function* follow(
  { caller, signal }: Asked,
  task: A2aTask,
  shown: Shown,
  after: number,
): AsyncGenerator<StreamEvent> {
  yield { seq: after, body: { task: taskOfWire(task, shown) } };
  let seq = after;
  let { state } = task;
  for (;;) {
    // A question of ours ends the stream when it is asked; whoever comes while it stands waits for what follows.
    const isStill = seq >= task.seq && (isOver(state) || (isInterrupted(state) && seq > after));
    if (isStill || signal.aborted) return;
    const more = await caller.call("a2a.follow", { id: task.id, after: seq, for_ms: beatMs }, { signal });
    for (const change of more.changes) {
      yield eventOf(task, change);
      seq = change.seq;
    }
    // The state belongs to the last change that there is; where more wait to be read, it is not the one that was told last.
    state =
      more.changes.findLast((one) => one.state !== undefined)?.state ??
      (more.changes.length === 0 ? more.state : state);
    if (more.changes.length === 0) yield undefined;
  }
}

const eventOf = (task: A2aTask, change: A2aChange): StreamEvent => ({
  seq: change.seq,
  body: streamResponse(task, change),
});
