// Answers an agent's hook: whether it may, and if the rules do not say, what the owner answered.

import { judgeRequest } from "../../app/judge-permission.ts";
import { askedText } from "../../core/approvals/asked-text.ts";
import { askApproval, hearApproval } from "../../core/approvals/approve.ts";
import type { Context } from "../../core/context.ts";
import { askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type {
  askPermission as askOperation,
  waitForApproval as waitOperation,
} from "../../protocol/operations/approvals.ts";
import type { Settings } from "../../settings/settings.ts";

export async function askPermission(
  settings: Settings,
  context: Context,
  input: ParsedInputOf<typeof askOperation>,
): Promise<OutputOf<typeof askOperation>> {
  const { actor, store } = context;
  const agent = input.agent ?? actor;
  if (askerNamed(actor).role !== "owner" && agent !== actor)
    throw new Refusal("permission.not-yours", `${actor} cannot ask for ${agent}`, { actor, agent });
  const { tool, input: given, cwd, runtime, request } = input;
  const { task, ...judgement } = await judgeRequest(store, settings, { agent, tool, input: given, cwd });
  if (judgement.decision !== "ask" || input.dry_run) return { ...judgement, id: null, due_ms: null };
  const { part, why } = judgement;
  const asked = askedText(tool, given, cwd);
  const timeoutMs = settings.config["approvals.timeout_s"] * 1_000;
  const row = await askApproval(context, { request, agent, runtime, task, tool, asked, part, why, cwd, timeoutMs });
  return { ...judgement, id: row.id, due_ms: row.due_ms };
}

export async function waitForApproval(
  context: Context,
  input: ParsedInputOf<typeof waitOperation>,
): Promise<OutputOf<typeof waitOperation>> {
  const { store, clock } = context;
  const ended = new AbortController();
  const subject = `approval:${input.id}`;
  const forget = store.onCommit((events) => {
    if (events.some((event) => event.subject === subject)) ended.abort();
  });
  try {
    const { state, note } = await hearApproval(context, input.id);
    if (state !== "waiting") return { state, note };
    // Whoever asked has gone, or the daemon ends: nobody is to wait for a wait.
    const gone = context.untilGone?.();
    const over = gone === undefined ? ended.signal : AbortSignal.any([ended.signal, gone]);
    await clock.sleep(input.for_ms, over);
    const now = await hearApproval(context, input.id);
    return { state: now.state, note: now.note };
  } finally {
    forget();
  }
}
