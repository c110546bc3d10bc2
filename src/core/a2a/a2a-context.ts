// Defines what the verbs of A2A are given besides what task verbs are: whom the owner lets through.

import type { A2aWishes } from "../../ports/a2a.ts";
import type { TaskContext } from "../tasks/task-context.ts";

export interface A2aContext extends TaskContext {
  readonly a2a: A2aWishes;
}
