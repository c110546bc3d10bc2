// The build of the quick program puts this before what only some commands need: the daemon, the looks at repositories, contracts,
// permissions (scripts/build-quick.ts). Their sources are compared here, when one of them begins, so that the other commands do
// not pay for it. It is the first thing such a command does, so nothing is done twice when the sources take over.

import { isMainThread } from "node:worker_threads";
import { isWholeFresh } from "./fresh.ts";
import { handOver } from "./hand-over.ts";
import { compileAsUsual } from "./stays.ts";

// A thread is of the program that started it, whatever has changed since.
if (isMainThread && !isWholeFresh()) handOver();
compileAsUsual();
