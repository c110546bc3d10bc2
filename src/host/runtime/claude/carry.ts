// Takes a conversation of Claude Code along to another account: its transcript, with those of its subagents, at the same place below the other
// directory. The program looks for a conversation by its id there (`--resume`).

import { cpSync, existsSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AccountWays } from "../../../ports/runtime.ts";
import { Outage } from "../../../protocol/errors.ts";
import { readHooks } from "../hook-records.ts";
import { namedByHooks } from "../transcripts.ts";
import { configHome, envOf, transcriptPath } from "./transcript.ts";

export const carryClaude: AccountWays["carry"] = ({ launch, sinceMs, sessionId = "" }, next, { env }) => {
  const usual = transcriptPath(envOf(launch, env), launch.cwd, sessionId);
  const named = namedByHooks(readHooks(launch.home, launch.agent, sinceMs));
  const from = named !== undefined && basename(named) === basename(usual) ? named : usual;
  const to = join(configHome(envOf(next, env)), "projects", basename(dirname(from)), basename(from));
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    cpSync(from, to);
    if (existsSync(besides(from))) cpSync(besides(from), besides(to), { recursive: true });
  } catch (cause) {
    throw new Outage("copy the conversation to", to, cause);
  }
  return Promise.resolve();
};

/** The directory with the transcripts of its subagents. */
const besides = (transcript: string): string => transcript.replace(/\.jsonl$/, "");
