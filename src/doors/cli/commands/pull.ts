// Pull requests on the command line.

import type { z } from "zod";
import type { pullShape } from "../../../protocol/operations/pulls.ts";
import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";

type PullRow = z.output<typeof pullShape>;

export const list: RunCommand = async (context, input) => {
  const { pulls, total } = await (await context.caller()).list("pull.list", input.asked("pull.list"), undefined);
  const none = input.has("all")
    ? "No task had a pull request."
    : "No pull request is open. Ended ones too: constel pull list --all";
  const text = (): string => (pulls.length === 0 ? none : pullTable(pulls, context.output));
  const rest = `constel pull list --limit ${total}`;
  return sayingCut({ json: { total, pulls }, text }, { shown: pulls.length, total, rest }, context.output);
};

function pullTable(pulls: readonly PullRow[], screen: Parameters<typeof table>[2]): string {
  const rows = pulls.map((pull) => [
    String(pull.task),
    pull.number === null ? "" : String(pull.number),
    pull.state,
    pull.checks ?? "",
    pull.review ?? "",
    `${pull.rounds}/${pull.most_rounds}`,
    oneLine(pull.waits_for ?? pull.url ?? ""),
  ]);
  return table(["task", "number", "state", "checks", "review", "rounds", ""], rows, screen);
}
