// The entry of the quick program, which scripts/install.sh builds from these sources into node_modules/.constel/quick: the same
// main.ts, translated once and for all, so that a command starts in half the time and the daemon in a third. When a source is no longer what
// it was built from, the sources take over. docs/decisions/0014-the-quick-program.md has the reasons.

import { dropWhatInjectsCode } from "../settings/env.ts";
import { isFresh } from "./fresh.ts";
import { handOver } from "./hand-over.ts";

dropWhatInjectsCode();
// The process that reads repositories is of the program that started it, whatever has changed since.
if (process.argv[2] !== "looker-run" && !isFresh(process.argv[2])) handOver();
await import("../main.ts");
