// What every page shows a part of, asked once for the whole window: how it all stands, and what needs the owner, in the daemon's order.

import { getContext, setContext } from "svelte";
import { ask, type Answer } from "./ask.ts";
import { type Panel, panel } from "./panel.svelte.ts";

export type Overview = Panel<Answer<"status.look">>;
export type Needs = Panel<Answer<"attention.list">>;

const name = Symbol("overview");
const needsName = Symbol("needs");

const concerns = [
  "agent",
  "task",
  "finding",
  "approval",
  "harvest",
  "notice",
  "schedule",
  "loop",
  "owner",
  "rows",
  "message",
];

export function makeOverview(): { readonly seen: Overview; readonly needs: Needs } {
  const seen = panel((signal) => ask("status.look", {}, signal), concerns);
  const needs = panel((signal) => ask("attention.list", { snoozed: true }, signal), [...concerns, "attention"]);
  setContext(name, seen);
  setContext(needsName, needs);
  return { seen, needs };
}

export const overview = (): Overview => getContext<Overview>(name);
export const needsOwner = (): Needs => getContext<Needs>(needsName);
