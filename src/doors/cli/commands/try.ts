// `constel try`: asks backstage for one look at the repository we stand in, and prints it on one screen.

import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { RunCommand } from "../command.ts";
import { firstLookScreen } from "../present/first-look.ts";

export const tryRepository: RunCommand = async (context, input) => {
  const { cwd, env: environment, signal, output } = context;
  const look = await context.backstage.lookAtRepository({
    cwd,
    branches: input.has("branches"),
    environment,
    signal,
  });
  return {
    json: look,
    text: () => firstLookScreen(look, output, { all: input.has("all"), branches: input.has("branches"), cwd }),
    exit: look.pairs.length > 0 ? exitCodes.negative : exitCodes.ok,
  };
};
