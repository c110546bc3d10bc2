// Takes a conversation of Claude Code along to another account: its transcript, with those of its subagents, at the same place below the other
// directory. The program looks for a conversation by its id there (`--resume`).

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AccountWays } from "../../../ports/runtime.ts";
import { carryFiles } from "../carry-files.ts";
import { readHooks } from "../hook-records.ts";
import { namedByHooks } from "../transcripts.ts";
import { configHome, envOf, transcriptPath } from "./transcript.ts";

export const carryClaude: AccountWays["carry"] = ({ launch, sinceMs, sessionId = "" }, next, { env }) => {
  const usual = transcriptPath(envOf(launch, env), launch.cwd, sessionId);
  const named = namedByHooks(readHooks(launch.home, launch.agent, sinceMs));
  const from = named !== undefined && basename(named) === basename(usual) ? named : usual;
  const project = basename(dirname(from));
  const files = [basename(from), ...besides(from)].map((name) => ({
    from: join(dirname(from), name),
    name: join(project, name),
  }));
  carryFiles(configHome(envOf(next, env)), "projects", files);
  return Promise.resolve();
};

/** The files of its subagents and its long tool results, in a directory named after it. */
function besides(transcript: string): readonly string[] {
  const directory = transcript.replace(/\.jsonl$/, "");
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dirname(directory).length + 1));
}
