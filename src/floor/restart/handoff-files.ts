// Handoffs as files: what an agent had in hand when it went down, or what an operator wants the next one to know. They lie in
// `state/crash-handoffs/` until they were sent to the agent, then in `state/handoff-archive/`. A name is the agent, the moment
// and who wrote it; it is also the key by which the agent gets each handoff once, however often it is sent. The agent gets it in
// constel's name, so constel's seal stands at its end, over the name too.

import { createHash } from "node:crypto";
import type { SealedHome } from "../../ports/keys.ts";
import { Refusal } from "../../protocol/errors.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { createTrusted, listTrusted, readTail, readTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";

export interface HandoffFile {
  readonly name: string;
  readonly agent: string;
  readonly atMs: number;
  /** `crash` and `hang` are drafted by the watchdog, `down` by `up`, `operator` was given with `restart --handoff`. */
  readonly by: "crash" | "hang" | "down" | "operator";
  readonly state: "pending" | "archived";
}

const rule = /^(agent(?:\d{1,6}|infinity))-(\d{1,16})-(crash|hang|down|operator)\.md$/;
/** Bodies are bounded when they are written; whatever lies there is read no further. */
export const longestHandoff = 64 * 1024;

export const handoffName = (agent: string, atMs: number, by: HandoffFile["by"]): string =>
  `${agent}-${Math.max(0, Math.floor(atMs))}-${by}.md`;

/** False when it is there already. */
export function writeHandoff({ home, seal }: Pick<SealedHome, "home" | "seal">, name: string, text: string): boolean {
  const said = statement(name, text);
  const sealed = seal(said);
  const whole = sealed === said ? text : `${text}${begins}${sealed}${ends}`;
  return createTrusted(home, `${inHome.crashHandoffs}/${name}`, whole);
}

/**
 * Tells whether constel wrote the handoff under this name. It is sent in constel's name, and anybody of the account can lay a file down
 * here.
 */
export function isHandoffGenuine({ home, isGenuine }: Omit<SealedHome, "seal">, { name }: HandoffFile): boolean {
  const written = readTrusted(home, `${inHome.crashHandoffs}/${name}`)?.toString("utf8") ?? "";
  const { text, sealed } = opened(written);
  return isGenuine(sealed) && (sealed === "" || sealed.startsWith(statement(name, text).slice(0, -1)));
}

const begins = "\n<!-- constel ";
const ends = " -->\n";

const statement = (name: string, text: string): string =>
  JSON.stringify({ handoff: name, sha256: createHash("sha256").update(text).digest("hex") });

function opened(written: string): { text: string; sealed: string } {
  const at = written.lastIndexOf(begins);
  if (at === -1 || !written.endsWith(ends)) return { text: written, sealed: "" };
  return { text: written.slice(0, at), sealed: written.slice(at + begins.length, -ends.length) };
}

/** Those that nobody was given yet, oldest first. */
export const pendingHandoffs = (home: string): readonly HandoffFile[] => filesIn(home, inHome.crashHandoffs, "pending");

/** All that there are, newest first. */
export function allHandoffs(home: string): readonly HandoffFile[] {
  return [...pendingHandoffs(home), ...filesIn(home, inHome.handoffArchive, "archived")].sort(
    (a, b) => b.atMs - a.atMs || a.name.localeCompare(b.name),
  );
}

/** By its whole name, or an agent's newest. */
export function findHandoff(home: string, word: string): HandoffFile & { readonly text: string } {
  const all = allHandoffs(home);
  const found =
    all.find(({ name }) => name === word || name === `${word}.md`) ?? all.find(({ agent }) => agent === word);
  const text = found === undefined ? undefined : readHandoff(home, found);
  if (found === undefined || text === undefined) {
    const shown = JSON.stringify(word.slice(0, 80));
    throw new Refusal("handoff.unknown", `there is no handoff ${shown}`, { name: word.slice(0, 80) });
  }
  return { ...found, text };
}

export function readHandoff(home: string, { name, state }: HandoffFile): string | undefined {
  const path = `${state === "pending" ? inHome.crashHandoffs : inHome.handoffArchive}/${name}`;
  const written = readTrusted(home, path)?.toString("utf8");
  if (written === undefined) return undefined;
  const { text } = opened(written);
  return text.length <= longestHandoff ? text : readTail(home, path, longestHandoff).text;
}

/** It was sent, or a later one stands for it. */
export function archiveHandoff(home: string, name: string): void {
  using pending = TrustedDirectory.open(home, inHome.crashHandoffs);
  using archive = TrustedDirectory.open(home, inHome.handoffArchive, { create: true });
  pending.moveTo(name, archive);
  archive.sync();
}

function filesIn(home: string, directory: string, state: HandoffFile["state"]): HandoffFile[] {
  return listTrusted(home, directory)
    .flatMap((name): HandoffFile[] => {
      const [, agent, atMs, by] = rule.exec(name) ?? [];
      return agent === undefined ? [] : [{ name, agent, atMs: Number(atMs), by: by as HandoffFile["by"], state }];
    })
    .sort((a, b) => a.atMs - b.atMs || a.name.localeCompare(b.name));
}
