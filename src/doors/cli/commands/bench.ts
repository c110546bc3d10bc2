// Runs the benches of this clone. They are not part of the program, so they are started as one of their own.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { RunCommand } from "../command.ts";
import { ownCommand } from "../start-daemon.ts";

export const bench: RunCommand = async (context, input) => {
  const script = join(dirname(Bun.main), "..", "bench", "run.ts");
  if (!existsSync(script)) throw new Refusal("bench.no-sources", "there is no bench beside this program");
  const flags = ["full", "list", "json"].filter((flag) => input.has(flag)).map((flag) => `--${flag}`);
  const command = [...ownCommand().slice(0, -1), script, ...flags, ...input.rest("only")];
  const child = Bun.spawn(command, { env: childEnvironment(context.env), stdio: ["ignore", "inherit", "inherit"] });
  context.signal.addEventListener("abort", () => child.kill(), { once: true });
  const code = await child.exited;
  return code === 0 ? undefined : { json: { code }, text: "", exit: code };
};
