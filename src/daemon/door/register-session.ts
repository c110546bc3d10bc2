// `join.register`: an agent says where it works, has that observed, and is told what it should know.

import type { Context } from "../../core/context.ts";
import { joinPacket } from "../../core/join/join.ts";
import type { Guest } from "../../core/notices/scene.ts";
import { askerNamed } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { registerSession as registerOperation } from "../../protocol/operations/join.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { SensingClient } from "../sensing-client.ts";

export async function registerSession(
  sensing: SensingClient,
  where: { readonly root: string; readonly guests: readonly Guest[] },
  context: Context,
  input: ParsedInputOf<typeof registerOperation>,
): Promise<OutputOf<typeof registerOperation>> {
  const { role, name } = askerNamed(context.actor);
  if (input.path === undefined || role === "owner") return await joinPacket(context, { ...where, ...input });
  try {
    const place = await sensing.add(context, { path: input.path, agent: name, isOwnersWord: false });
    return await joinPacket(context, { ...where, path: place.path });
  } catch (cause) {
    // Somebody may well work where no repository is; the rest of the packet is of use all the same.
    if (!(cause instanceof Refusal) || cause.code !== "git.not-a-repository") throw cause;
    return await joinPacket(context, { ...where, ...input });
  }
}
