// The entry of the quick program, which bin/install builds from these sources into node_modules/.constel/quick: the same
// main.ts, translated once and for all, so that a command starts in half the time. What needs parsers, threads or children of
// its own is left out of it (scripts/build-quick.ts says what) and handed over to the sources, and so is everything
// when a source is no longer what it was built from. docs/decisions/0014-the-quick-program.md has the reasons.

import { isFresh } from "./fresh.ts";
import { handOver } from "./hand-over.ts";

if (!isFresh(process.argv[2])) handOver();
await import("../main.ts");
