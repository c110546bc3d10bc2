// What every page shows a part of: the one screen of what needs the owner, asked once for the whole window.

import { getContext, setContext } from "svelte";
import { ask, type Answer } from "./ask.ts";
import { type Panel, panel } from "./panel.svelte.ts";

export type Overview = Panel<Answer<"status.look">>;

const name = Symbol("overview");

export function makeOverview(): Overview {
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
  return setContext(
    name,
    panel((signal) => ask("status.look", {}, signal), concerns),
  );
}

export const overview = (): Overview => getContext<Overview>(name);
