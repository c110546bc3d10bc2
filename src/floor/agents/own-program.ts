// `state/bin/constel`: a few lines of shell that run this very program, so that agents find `constel` on their PATH. The
// directory holds nothing else, because everything in it comes before the user's own programs.

import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";

export function writeOwnProgram(home: string, self: readonly string[]): void {
  const content = scriptFor(self);
  using directory = TrustedDirectory.open(home, inHome.programs, { create: true });
  if (directory.read("constel")?.toString("utf8") !== content) directory.write("constel", content);
  const mode = directory.stat("constel")?.mode ?? 0;
  if ((mode & 0o777) !== 0o700) directory.setMode("constel", 0o700);
}

/** Variables that would inject code into Bun are dropped, as bin/constel does. */
function scriptFor(self: readonly string[]): string {
  const words = self.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  return `#!/bin/sh
unset BUN_OPTIONS BUN_BE_BUN BUN_INSPECT BUN_INSPECT_PRELOAD BUN_INSPECT_CONNECT_TO BUN_CONFIG_FILE NODE_OPTIONS NODE_PATH || true
[ . -ef "$PWD" ] || cd / # a program does not start in a directory that was deleted
exec ${words} "$@"
`;
}
