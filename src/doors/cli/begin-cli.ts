// Begins a command line, before its command is known: this process's streams, its environment and what may end it. It is in one file with
// all that every command loads, because each piece that is loaded by itself costs each command.

import { currentDirectory, readEnv } from "../../settings/env.ts";
import { type Invocation, runCli } from "./cli.ts";
import { followEndings } from "./wait/endings.ts";
import { systemStreams } from "./present/streams.ts";

/** Runs the command line of this process and answers its exit code. */
export function beginCli(opening: Pick<Invocation, "version" | "umask" | "backstage">): Promise<number> {
  const endings = followEndings();
  return runCli({
    ...opening,
    words: process.argv.slice(2),
    env: readEnv(),
    cwd: currentDirectory(),
    streams: systemStreams(endings.readerHasGone),
    signal: endings.signal,
  });
}
