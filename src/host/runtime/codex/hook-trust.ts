// Codex silently skips hooks nobody has trusted. Its app server lists the hooks of a configuration with the key and hash that
// trust is recorded by; handing these back as an override trusts exactly our own hooks, for one launch, and nobody else's.

import type { RuntimeMachine } from "../../../ports/runtime.ts";
import { asObject, asText, parseObject } from "../json-lines.ts";

const deadlineMs = 15_000;

export interface HookTrust {
  readonly key: string;
  readonly hash: string;
  readonly command: string;
  /** The place it is defined: `sessionFlags` if an override gave it. */
  readonly source: string;
}

/** Only hooks that came with these overrides: those of the user and of the repository keep the trust they have. */
export async function trustedHashes(
  program: string,
  overrides: readonly string[],
  cwd: string,
  machine: RuntimeMachine,
): Promise<readonly HookTrust[] | undefined> {
  const ours = (await listHooks(program, overrides, cwd, machine))?.filter(({ source }) => source === "sessionFlags");
  return ours === undefined || ours.length === 0 ? undefined : ours;
}

/** undefined when the program does not answer. Its stdin must stay open until it has, so this is not a plain run. */
export async function listHooks(
  program: string,
  overrides: readonly string[],
  cwd: string,
  machine: RuntimeMachine,
): Promise<readonly HookTrust[] | undefined> {
  const flags = overrides.flatMap((override) => ["-c", override]);
  const server = Bun.spawn([program, "app-server", ...flags], {
    cwd,
    env: { ...machine.env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const timer = setTimeout(() => server.kill("SIGKILL"), deadlineMs);
  const send = async (request: unknown): Promise<void> => {
    try {
      await server.stdin.write(`${JSON.stringify(request)}\n`);
      await server.stdin.flush();
    } catch {
      // it has ended already: the end of its output says so below
    }
  };
  try {
    await send({ id: 1, method: "initialize", params: { clientInfo: { name: "constel", version: "1" } } });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of server.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      for (const answer of lines.map(parseObject)) {
        if (answer?.["id"] === 1) {
          await send({ method: "initialized" });
          await send({ id: 2, method: "hooks/list", params: { cwds: [cwd] } });
        }
        if (answer?.["id"] === 2) return hooksIn(answer["result"]);
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    server.kill("SIGKILL");
    await server.exited;
  }
}

function hooksIn(result: unknown): HookTrust[] | undefined {
  const data = asObject(result)?.["data"];
  if (!Array.isArray(data)) return undefined;
  const found: HookTrust[] = [];
  for (const place of data) {
    const hooks = asObject(place)?.["hooks"];
    for (const hook of Array.isArray(hooks) ? hooks.map(asObject) : []) {
      const key = asText(hook?.["key"]);
      const hash = asText(hook?.["currentHash"]);
      if (key === undefined || hash === undefined) continue;
      found.push({ key, hash, command: asText(hook?.["command"]) ?? "", source: asText(hook?.["source"]) ?? "" });
    }
  }
  return found;
}
