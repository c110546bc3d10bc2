// Artefacts: the files that a task hands over besides its branch.

import { z } from "zod";
import { artefactName, artefactShape, largestArtefact } from "../acceptance.ts";
import { taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const task = taskField.describe("The task's number");

const base64Bytes = Math.ceil(largestArtefact / 3) * 4;

export const addArtefact = defineOperation({
  name: "artefact.add",
  summary: "Hand over a file with a task, besides its branch. The same name again replaces it.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["content_base64"],
  input: z.object({
    task,
    name: artefactName.describe("Its name, without a directory"),
    content_base64: z
      .string()
      .max(base64Bytes)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64"),
  }),
  output: artefactShape,
  refusals: ["task.unknown", "task.not-yours", "task.artefact-too-large"],
});

export const listArtefacts = defineOperation({
  name: "artefact.list",
  summary: "The files that a task hands over besides its branch.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ task }),
  output: z.object({ artefacts: z.array(artefactShape) }),
  refusals: ["task.unknown"],
});

export const getArtefact = defineOperation({
  name: "artefact.get",
  summary: "A file that a task hands over, with its content.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ task, name: artefactName.describe("Its name") }),
  output: artefactShape.extend({ content_base64: z.string() }),
  refusals: ["task.unknown", "task.no-artefact"],
});
