// Runs the benches and the evaluation of this clone. They are not part of the program, so each is started as one of its own.

import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Refusal } from "../../../protocol/errors.ts";
import type { CommandResult, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { ownCommand, ownEnvironment } from "../reach/start-daemon.ts";
import { wholeNumber } from "../input/whole-number.ts";
import { repositoryAround } from "../input/repository-around.ts";

export const bench: RunCommand = async (context, input) => {
  const flags = ["full", "list", "json"].filter((flag) => input.has(flag)).map((flag) => `--${flag}`);
  const values = ["worktrees", "minutes"].flatMap((flag) => valueOf(flag, input.flag(flag)));
  const paths = ["fleet", "into"].flatMap((flag) => {
    const path = input.flag(flag);
    return valueOf(flag, path === undefined ? undefined : resolve(context.cwd, path));
  });
  return await runScript(context, "bench", [...flags, ...values, ...paths, ...input.rest("only")]);
};

const valueOf = (flag: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`--${flag}`, value];

export const evaluate: RunCommand = async (context, input) => {
  const flags = ["quick", "show", "json"].filter((flag) => input.has(flag)).map((flag) => `--${flag}`);
  const seed = wholeNumber(input, "seed", undefined);
  return await runScript(context, "eval", [...flags, ...(seed === undefined ? [] : ["--seed", String(seed)])]);
};

export const replay: RunCommand = async (context, input) => {
  const values = { limit: wholeNumber(input, "limit", undefined), mode: input.flag("mode") };
  const given = Object.entries(values).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag}`, String(value)],
  );
  const path = resolve(context.cwd, input.argument("repository"));
  const repository = repositoryAt(path);
  if (repository === undefined) {
    throw new Refusal("git.not-a-repository", `${path} is not in a git repository`, { path });
  }
  return await runScript(context, "eval", ["replay", repository, ...given, ...(input.has("json") ? ["--json"] : [])]);
};

/** Returns what can be cloned from there: the worktree that the path is in, or a bare repository. */
function repositoryAt(path: string): string | undefined {
  if (existsSync(join(path, "HEAD")) && existsSync(join(path, "objects"))) return path;
  return repositoryAround(path);
}

async function runScript(
  context: CliContext,
  room: "bench" | "eval",
  args: readonly string[],
): Promise<CommandResult | undefined> {
  const script = join(dirname(Bun.main), "..", room, "run.ts");
  if (!existsSync(script)) throw new Refusal("bench.no-sources", `there is no ${room} beside this program`);
  const command = [...ownCommand().slice(0, -1), script, ...args];
  const child = Bun.spawn(command, { env: ownEnvironment(context.env), stdio: ["ignore", "inherit", "inherit"] });
  context.signal.addEventListener("abort", () => child.kill(), { once: true });
  const code = await child.exited;
  return code === 0 ? undefined : { json: { code }, text: "", exit: code };
}
