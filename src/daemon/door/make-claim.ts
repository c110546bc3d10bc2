// `claim.add`: finds the worktree that is meant, has it observed, and makes the claim.

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isAgentId } from "../../protocol/agent-id.ts";
import { addClaim } from "../../core/claims/claim.ts";
import type { Context } from "../../core/context.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { operations } from "../../protocol/operations/all.ts";
import type { ParsedInputOf } from "../../protocol/operation.ts";
import type { SensingClient } from "../sensing-client.ts";

export async function makeClaim(
  sensing: SensingClient,
  context: Context,
  input: ParsedInputOf<(typeof operations)["claim.add"]>,
): ReturnType<typeof addClaim> {
  const { path, agent, severity, reason, for_ms: forMs } = input;
  const { actor } = context;
  const speaker = isAgentId(actor) ? actor : undefined;
  // Whoever claims here works here, unless the claim is made for somebody else.
  const worker = agent === undefined || agent === speaker ? { agent: speaker } : {};
  const place = await sensing.add(context, { path, ...worker, isOwnersWord: speaker === undefined });
  if (!place.observed) {
    throw new Refusal("repository.unknown", `${place.name} was forgotten, so nobody looks at it`, { path });
  }
  const cwd = realpathSync(path);
  const isThere = (word: string): boolean => existsSync(isAbsolute(word) ? word : join(cwd, word));
  return await addClaim(context, {
    repository: place.repository,
    top: place.path,
    cwd,
    words: input.paths.map((word) => ({ word, isThere: isThere(word) })),
    agent,
    forMs,
    severity,
    reason,
    isExclusive: input.exclusive,
  });
}
