// Nothing that looks like a secret leaves an agent by a command that needs no daemon. The owner's override stands in the record of the
// command, with its flag.

import { scanText } from "../../host/secrets/shapes.ts";
import { secretRefusal } from "../../protocol/secret-refusal.ts";
import type { CliContext } from "./context.ts";

export async function refuseSecrets(
  { output }: CliContext,
  field: string,
  text: string,
  isAllowed: boolean,
): Promise<void> {
  const found = await scanText(text);
  if (found.length === 0) return;
  if (!isAllowed) throw secretRefusal(field, text, found);
  output.say(`constel: sent although it contains what looks like ${found[0]?.kind}; this is recorded`);
}
