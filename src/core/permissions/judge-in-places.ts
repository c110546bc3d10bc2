// The judgement of a request by an agent whose task has several workspaces: what one of them forbids is forbidden, what one of them
// allows is allowed, and the rest is asked.

import { judge } from "./judge.ts";
import type { JudgeContext, Judgement, PermissionRequest, Place, Rule } from "./rule.ts";

export interface RuledPlace {
  readonly place: Place;
  readonly rules: readonly Rule[];
}

export function judgeInPlaces(
  request: PermissionRequest,
  places: readonly RuledPlace[],
  machine: Pick<JudgeContext, "facts" | "parse">,
): Judgement {
  const judgements = places.map((one) => judge(request, { ...machine, ...one }));
  const [first] = judgements;
  if (first === undefined) throw new Error("there is always a place");
  const ofKind = (decision: string): Judgement | undefined => judgements.find((one) => one.decision === decision);
  return ofKind("deny") ?? ofKind("allow") ?? first;
}
