// Maps the operations of A2A to the verbs that answer them.

import { accept, refuse } from "../../core/a2a/decide.ts";
import { answer } from "../../core/a2a/answer.ts";
import { followOwn, listOwn, showOwn } from "../../core/a2a/own.ts";
import { dropPush, listPushes, setPush } from "../../core/a2a/pushes.ts";
import { receive } from "../../core/a2a/receive.ts";
import { skillsHere } from "../../core/a2a/skills.ts";
import { stop } from "../../core/a2a/stop.ts";
import type { A2aContext } from "../../core/a2a/a2a-context.ts";
import type { Context } from "../../core/context.ts";
import type { A2aWishes } from "../../ports/a2a.ts";
import type { TaskMachine } from "../../core/tasks/task-context.ts";
import type { Settings } from "../../settings/settings.ts";
import { a2aWishes } from "./a2a-parts.ts";

export function a2aHandlers(settings: Settings, machine: TaskMachine) {
  let kept: A2aWishes | undefined;
  const wishes = (): A2aWishes => (kept ??= a2aWishes(settings));
  const asked =
    <Input, Output>(verb: (context: A2aContext, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb({ ...context, machine, a2a: wishes() }, input);
  return {
    "a2a.send": asked(receive),
    "a2a.show": showOwn,
    "a2a.list": listOwn,
    "a2a.follow": followOwn,
    "a2a.cancel": stop,
    "a2a.skills": async (context: Context) => ({ skills: await skillsHere(context) }),
    "a2a.push-set": asked(setPush),
    "a2a.push-list": listPushes,
    "a2a.push-drop": dropPush,
    "a2a.accept": asked(accept),
    "a2a.refuse": refuse,
    "a2a.answer": answer,
  };
}
