// `constel try`: asks backstage for one look at the repository we stand in, and prints it on one screen.

import { exitFor } from "../../../protocol/exit-codes.ts";
import { budgetWish } from "../../../settings/budget.ts";
import { compilerWish } from "../../../settings/compilers.ts";
import type { RunCommand } from "../input/command.ts";
import { heldClaims } from "../held-claims.ts";
import { ownWord } from "../own-word.ts";
import { firstLookScreen } from "../present/first-look.ts";
import { withProgress } from "../present/progress.ts";

export const tryRepository: RunCommand = async (context, input) => {
  const { cwd, env: environment, signal, output } = context;
  const asked = input.has("branches");
  const settings = await context.settings();
  const fetch = settings.config["repo.fetch_seconds"] > 0;
  const compilers = compilerWish(settings);
  const facts = { home: context.places.home, maxBytes: settings.config["sense.facts_mb"] * 1024 * 1024 };
  const look = await withProgress(output, "looking", (progress) =>
    context.backstage.lookAtRepository({
      cwd,
      branches: asked,
      fetch,
      facts,
      compilers,
      budget: budgetWish(settings),
      environment,
      claims: heldClaims(context),
      signal,
      told: progress.tell,
    }),
  );
  const branches = asked || look.lines.some(({ worktree }) => worktree === null);
  const program = ownWord(environment["PATH"]).word;
  return {
    json: look,
    text: () => firstLookScreen(look, output, { all: input.has("all"), branches, cwd, program }),
    exit: exitFor(look.pairs.length, look.open.length),
  };
};
