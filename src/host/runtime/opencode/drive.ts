// opencode over ACP. Its settings are laid over the user's own in the environment, as for a terminal; the plugin tells it what constel has to
// say at a prompt and before an edit.

import type { Driver } from "../../../ports/driver.ts";
import { openAcp } from "../acp/drive.ts";
import { asObject, parseObject } from "../json-lines.ts";
import { prepareOpencode, secretFile } from "./launch.ts";

export const opencodeDriver: Driver = {
  prepare(launch, { readOnly }, machine) {
    const { opening: _, ...rest } = launch;
    const prepared = prepareOpencode(rest, machine.env);
    // With a password its own client does not reach its server, and it hangs; and the questions come over the pipe, not to the plugin.
    const { OPENCODE_SERVER_PASSWORD: __, CONSTEL_OPENCODE_URL: ___, ...kept } = prepared.env;
    const env = readOnly === true ? { ...kept, OPENCODE_CONFIG_CONTENT: onlyReading(kept) } : kept;
    const files = prepared.files.filter(({ path }) => path !== secretFile(launch));
    return Promise.resolve({ ...prepared, files, argv: [launch.program, "acp"], env });
  },
  open: (pipe, start) => openAcp(pipe, start, {}),
};

function onlyReading(env: Readonly<Record<string, string>>): string {
  const config = parseObject(env["OPENCODE_CONFIG_CONTENT"] ?? "{}") ?? {};
  const permission = { ...asObject(config["permission"]), edit: "deny", bash: "deny" };
  return JSON.stringify({ ...config, permission });
}
