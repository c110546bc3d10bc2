// A person attaches to an agent that is driven over a pipe: its conversation is opened in the program's own terminal interface, here in its
// terminal. Messages wait meanwhile. When the person leaves the program, the holder goes on with the conversation.

import { writeTrusted } from "../../files/trusted-files.ts";
import { acpPrograms } from "../../host/runtime/acp/programs.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { type HeldLaunch, machineOf } from "./held-launch.ts";
import type { Notebook } from "./notebook.ts";

export async function takeOver(
  home: string,
  held: HeldLaunch,
  session: string | undefined,
  notes: Notebook,
): Promise<void> {
  const machine = machineOf();
  const { argv, env } = await ownInterface(home, held, session, machine);
  notes.show("busy");
  await notes.note("tool-began", { tool: "a person at its terminal" });
  const child = Bun.spawn([...argv], {
    cwd: held.cwd,
    env: { ...machine.env, ...env },
    stdin: "inherit",
    stdout: "inherit",
    stderr: "inherit",
  });
  await child.exited;
  await notes.note("turn-ended");
  notes.say(`\n${held.runtime} was left; it is driven over the pipe again.`);
}

async function ownInterface(
  home: string,
  held: HeldLaunch,
  session: string | undefined,
  machine: ReturnType<typeof machineOf>,
): Promise<{ readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> }> {
  const listed = acpPrograms.find(({ name }) => name === held.runtime);
  if (listed !== undefined)
    return { argv: [held.program, ...(session === undefined ? [] : listed.resume(session))], env: {} };
  const { drive: _, resume: __, sessionId, opening: ___, ...rest } = held;
  const own = session !== undefined ? { resume: session } : sessionId === undefined ? {} : { sessionId };
  const prepared = await runtimeNamed(held.runtime)?.prepare({ ...rest, ...own }, machine);
  for (const file of prepared?.files ?? []) writeTrusted(home, file.path, file.content);
  return { argv: prepared?.argv ?? [held.program], env: prepared?.env ?? {} };
}
