// Artefacts: files that a task hands over besides its branch, such as a report or a screenshot. Only content comes in, never a path: whoever
// adds one sends its bytes, and they are kept by their hash. The door has searched them for secrets before they come here.

import { createHash } from "node:crypto";
import { largestArtefact, mostArtefacts } from "../../../protocol/acceptance.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { ArtefactsTable } from "../../../store/tables/tasks.ts";
import type { Context, ReadContext } from "../../context.ts";
import { artefactsOf, contentOf, dropOldArtefacts, putArtefact } from "./artefacts.sql.ts";
import { refuseStranger } from "../landing/ready.ts";
import { findTask, recordTask } from "../tasks.sql.ts";

export type Artefact = Omit<ArtefactsTable, "constellation">;

export async function addArtefact(
  context: Context,
  input: { task: number; name: string; content_base64: string },
): Promise<Artefact> {
  const { store, constellation, actor } = context;
  const { task: number, name } = input;
  const bytes = Buffer.from(input.content_base64, "base64");
  if (bytes.length > largestArtefact)
    throw new Refusal(
      "task.artefact-too-large",
      `${name} has ${bytes.length} bytes; an artefact has at most ${largestArtefact}`,
      {
        name,
        bytes: bytes.length,
        most: largestArtefact,
      },
    );
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return await store.write(async (tx) => {
    const task = await findTask(tx.db, constellation, number);
    await refuseStranger(context, tx.db, task);
    const others = (await artefactsOf(tx.db, constellation, number)).filter((one) => one.name !== name);
    if (others.length >= mostArtefacts)
      throw new Refusal(
        "task.artefact-too-large",
        `task ${number} has ${others.length} artefacts, and no task has more`,
        {
          task: number,
          most: mostArtefacts,
        },
      );
    const artefact = { task: number, name, sha256, bytes: bytes.length, added_by: actor, added_ms: tx.nowMs };
    await putArtefact(tx, { constellation, ...artefact }, bytes.toString("base64"));
    await recordTask(context, tx, number, "artefact_added", { name, sha256, bytes: bytes.length });
    return artefact;
  });
}

export async function listArtefacts(
  { store }: ReadContext,
  input: { task: number },
): Promise<{ artefacts: Artefact[] }> {
  const { db, constellation } = store;
  await findTask(db, constellation, input.task);
  const rows = await artefactsOf(db, constellation, input.task);
  return {
    artefacts: rows.map(({ task, name, sha256, bytes, added_by, added_ms }) => ({
      task,
      name,
      sha256,
      bytes,
      added_by,
      added_ms,
    })),
  };
}

/** The content is what was added, or there is none: the hash is looked at again. */
export async function getArtefact(
  { store }: ReadContext,
  input: { task: number; name: string },
): Promise<Artefact & { content_base64: string }> {
  const { db, constellation } = store;
  const { artefacts } = await listArtefacts({ store } as ReadContext, input);
  const found = artefacts.find(({ name }) => name === input.name);
  const content = found && (await contentOf(db, constellation, found.sha256));
  if (found === undefined || content === undefined)
    throw new Refusal("task.no-artefact", `task ${input.task} has no artefact ${input.name}`, {
      task: input.task,
      name: input.name,
      has: artefacts.map(({ name }) => name),
    });
  const hash = createHash("sha256").update(Buffer.from(content, "base64")).digest("hex");
  if (hash !== found.sha256)
    throw new Refusal("task.no-artefact", `what is kept as ${input.name} is not what was added`, { ...input, hash });
  return { ...found, content_base64: content };
}

/** Those of tasks that ended long ago; answers how many went. Called inside a job. */
export const forgetOldArtefacts: typeof dropOldArtefacts = (db, old) => dropOldArtefacts(db, old);
