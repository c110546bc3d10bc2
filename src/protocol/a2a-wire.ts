// A2A's JSON, as its specification maps its messages to it: the one place where our words become theirs.

import type { A2aArtefact, A2aChange, A2aMessage, A2aPush, A2aTask } from "./a2a.ts";

type Json = Readonly<Record<string, unknown>>;

interface Whose {
  readonly id: string;
  readonly context: string;
}

export const wireState = (state: string): string => `TASK_STATE_${state.toUpperCase().replaceAll("-", "_")}`;

export const timeOf = (atMs: number): string => new Date(atMs).toISOString();

export const messageOfWire = ({ id, role, parts }: A2aMessage, task: Whose): Json => ({
  messageId: id,
  contextId: task.context,
  taskId: task.id,
  role: role === "user" ? "ROLE_USER" : "ROLE_AGENT",
  parts,
});

/** A message that is the whole answer belongs to no task. */
export function answerOfWire(task: A2aTask): Json | undefined {
  const { said, state, artefacts, context } = task;
  if (state !== "completed" || said?.alone !== true || artefacts.length > 0) return undefined;
  return { messageId: said.id, contextId: context, role: "ROLE_AGENT", parts: said.parts };
}

const artefactOfWire = ({ id, name, parts }: A2aArtefact): Json => ({ artifactId: id, name, parts });

const statusOf = (state: string, said: A2aMessage | null | undefined, atMs: number, task: Whose): Json => ({
  state: wireState(state),
  ...(said === null || said === undefined ? {} : { message: messageOfWire(said, task) }),
  timestamp: timeOf(atMs),
});

export interface Shown {
  /** The newest so many messages; undefined: all. */
  readonly history?: number | undefined;
  readonly artefacts: boolean;
}

export function taskOfWire(task: A2aTask, { history, artefacts }: Shown = { artefacts: true }): Json {
  const messages = history === undefined ? task.history : history === 0 ? [] : task.history.slice(-history);
  return {
    id: task.id,
    contextId: task.context,
    status: statusOf(task.state, task.said, task.at_ms, task),
    ...(messages.length === 0 ? {} : { history: messages.map((one) => messageOfWire(one, task)) }),
    ...(!artefacts || task.artefacts.length === 0 ? {} : { artifacts: task.artefacts.map(artefactOfWire) }),
    metadata: { skill: task.skill },
  };
}

/** One event of a stream, and the body of a push. */
export function streamResponse({ id, context }: Whose, change: A2aChange): Json {
  const { artefact, state, said, at_ms: atMs } = change;
  const about = { taskId: id, contextId: context };
  if (artefact !== undefined)
    return { artifactUpdate: { ...about, artifact: artefactOfWire(artefact), append: false, lastChunk: true } };
  return { statusUpdate: { ...about, status: statusOf(state ?? "working", said, atMs, { id, context }) } };
}

export const pushOfWire = ({ id, request, url, token, scheme, credentials }: A2aPush): Json => ({
  id,
  taskId: request,
  url,
  ...(token === null ? {} : { token }),
  ...(scheme === null ? {} : { authentication: { scheme, ...(credentials === null ? {} : { credentials }) } }),
});
