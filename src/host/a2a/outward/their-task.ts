// Reads what another agent answers over A2A 1.0. It is a stranger's: only the fields that we know are taken, each within a bound.

import { z } from "zod";

const line = z.string().max(500);

const part = z.object({
  text: z.string().max(4_000_000).optional(),
  data: z.json().optional(),
  raw: z.string().max(4_000_000).optional(),
  url: z.string().max(2_000).optional(),
  mediaType: line.optional(),
  filename: line.optional(),
});

const message = z.object({ messageId: line, parts: z.array(part).max(1_000).default([]) });

const artefact = z.object({
  artifactId: line,
  name: line.default(""),
  parts: z.array(part).max(1_000).default([]),
});

export const theirTask = z.object({
  id: line.min(1),
  contextId: line.default(""),
  status: z.object({ state: line, message: message.optional() }),
  artifacts: z.array(artefact).max(1_000).default([]),
});

export const theirAnswer = z.object({ task: theirTask.optional(), message: message.optional() });

export type TheirPart = z.output<typeof part>;
export type TheirArtefact = z.output<typeof artefact>;
export type TheirTask = z.output<typeof theirTask>;
export type TheirMessage = z.output<typeof message>;

/** `completed`, `input-required` and so on, as A2A's own names are after TASK_STATE_. */
export const stateOf = ({ status }: TheirTask): string =>
  status.state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

/** Nothing more is to be expected before somebody here does something. */
export const isSettled = (state: string): boolean =>
  ["completed", "failed", "canceled", "rejected", "input-required", "auth-required"].includes(state);

export const isEnded = (state: string): boolean => ["completed", "failed", "canceled", "rejected"].includes(state);

export const textOf = (parts: readonly TheirPart[]): string =>
  parts
    .map(({ text, data }) => text ?? (data === undefined ? "" : JSON.stringify(data, null, 2)))
    .filter((text) => text !== "")
    .join("\n\n");

export const saysOf = ({ status }: TheirTask): string => textOf(status.message?.parts ?? []);
