// The outline of an operation: what a door must know of it before anybody asks, as plain data. Loading the shapes themselves would cost every command
// some 30 ms, so the outlines are made from them ahead of time (scripts/reference.ts writes operations/outlines.json).

import type { Audience } from "./authority.ts";
import type { Effect } from "./operation.ts";

export type FieldKind =
  | "text"
  | "whole"
  | "switch"
  | "choice"
  | "agent"
  | "task"
  | "span"
  | "path"
  | "repository"
  | "other";

export interface FieldOutline {
  readonly kind: FieldKind;
  /** A description of it, for help. */
  readonly about?: string;
  readonly required?: true;
  /** A list of them. */
  readonly many?: true;
  readonly oneOf?: readonly string[];
  /** Of a number its value, of a text its length. */
  readonly least?: number;
  readonly most?: number;
  /** The value when nobody gives one. */
  readonly usual?: unknown;
}

export interface OperationOutline {
  readonly summary: string;
  readonly may: Audience;
  readonly effect: Effect;
  readonly needsDaemon: boolean;
  /** Others read its words, so it is looked through for secrets. */
  readonly speaks: boolean;
  readonly fields: Readonly<Record<string, FieldOutline>>;
}
