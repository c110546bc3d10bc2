// Nothing that looks like a secret leaves an agent by a command that needs no daemon, unless the settings let it pass. The owner's override stands
// in the record of the command, with its flag.

import { scanText } from "../../host/secrets/shapes.ts";
import { secretRefusal, secretWarning } from "../../protocol/secret-refusal.ts";
import type { SecretSurface } from "../../protocol/secret-surfaces.ts";
import { secretModeIn } from "../../settings/secret-mode.ts";
import type { CliContext } from "./context.ts";

export async function refuseSecrets(
  context: CliContext,
  surface: SecretSurface,
  field: string,
  text: string,
  isAllowed: boolean,
): Promise<void> {
  const found = await scanText(text);
  if (found.length === 0) return;
  const { output } = context;
  if (isAllowed) {
    output.say(`constel: sent although it contains what looks like ${found[0]?.kind}; this is recorded`);
    return;
  }
  const mode = secretModeIn((await context.settings()).config)(surface);
  if (mode === "refuse") throw secretRefusal(field, text, found);
  if (mode === "warn") output.say(`constel: ${secretWarning(field, text, found)}`);
}
