// Notes where an agent stands before its program compacts the conversation, and tells it afterwards: a summary forgets which files were changed
// and what was said last. Written by the program's own hook, without a daemon, into one small file of the agent's; bounded, and without what looks like a
// secret. It is told once, to the same conversation: when it begins again after the compaction, else at its next prompt.

import { scanForAll } from "../../host/secrets/shapes.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import { recentWords } from "../../host/runtime/recent-words.ts";
import { readTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import { withoutSecrets } from "../../ports/secrets.ts";
import type { HearMoment } from "../../protocol/hear.ts";
import { forModel, forModelInline } from "../../protocol/safe-text.ts";
import { splitSeal } from "../../protocol/seal.ts";
import { isSealed, sealedBy } from "../../host/keys/seals.ts";
import { sealed } from "./leave-record.ts";

export const checkpointFile = (agent: string): string => `state/runtime/${agent}/checkpoint.json`;

const mostFiles = 40;
const mostSaid = 8;
const longestSaid = 700;
/** A model pays for each word of it. */
const longest = 8_000;

export async function keepCheckpoint(home: string, agent: string, record: HookRecord): Promise<void> {
  const { session, transcript, at } = record;
  const files = changedFiles(home, agent, session);
  const said = transcript === undefined ? [] : recentWords(transcript, mostSaid);
  if (files.length === 0 && said.length === 0) return;
  const lines = [
    `Before this conversation was compacted (${new Date(at).toISOString().slice(0, 16)} UTC), constel noted where you stood. It is a record, and asks nothing of you.`,
    ...(files.length === 0 ? [] : [`Files you changed: ${files.map(forModelInline).join(", ")}`]),
    ...said.flatMap(({ who, text }) => [
      who === "user" ? "You were told:" : "You said:",
      ...forModel(text.length <= longestSaid ? text : `${text.slice(0, longestSaid)}…`),
    ]),
  ];
  const text = lines.join("\n");
  const bounded = text.length <= longest ? text : `${text.slice(0, longest)}…`;
  const masked = withoutSecrets(bounded, await scanForAll(bounded));
  const line = await sealed(home, agent, JSON.stringify({ session, at, text: masked }));
  writeTrusted(home, checkpointFile(agent), `${line}\n`);
}

/** Undefined when it is another conversation's, or its moment has not come. What was told is taken away. */
export function takeCheckpoint(
  home: string,
  agent: string,
  record: HookRecord,
  moment: HearMoment,
): string | undefined {
  if (moment === "start" && record.reason !== "compact") return undefined;
  const line = readTrusted(home, checkpointFile(agent))?.toString("utf8").trim();
  if (line === undefined) return undefined;
  removeTrusted(home, checkpointFile(agent));
  if (isSealed(home, agent) && sealedBy(home, line, [agent]) === undefined) return undefined;
  const { session, text } = JSON.parse(splitSeal(line)?.json ?? line) as { session?: unknown; text?: unknown };
  return session === record.session && typeof text === "string" ? text.slice(0, longest + 1) : undefined;
}

/** The newest last. */
function changedFiles(home: string, agent: string, session: string): readonly string[] {
  const files = readHooks(home, agent, 0).flatMap((one) =>
    one.event === "tool-began" && one.session === session && changes.test(one.tool ?? "")
      ? (one.files ?? one.file ?? [])
      : [],
  );
  return [...new Set(files.toReversed())].slice(0, mostFiles).toReversed();
}

const changes = /edit|write|patch|replace/i;
