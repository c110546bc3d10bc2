// `constel demo`: builds a stage, plays the story, strikes the stage. Whatever happens in between, nothing stays, unless
// --keep asked for it.

import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import type { RunCommand } from "../input/command.ts";
import { Narrator } from "../demo/narrator.ts";
import { Stage } from "../demo/stage.ts";
import { type Part, parts, playStory } from "../demo/story.ts";
import { type OwnWord, ownWord } from "../own-word.ts";
import { openInBrowser } from "./dashboard.ts";
import { ownCommand } from "../reach/start-daemon.ts";

export const demo: RunCommand = async (context, input) => {
  const { output } = context;
  const { signal } = context;
  const part = partOf(input.optional("part"));
  const narrator = new Narrator(output, { isFast: input.has("fast"), signal });
  const started = performance.now();
  const stage = new Stage(
    ownCommand(),
    { ...context.env, COLUMNS: String((output.interactive ? output.columns : 80) - 2) },
    signal,
  );
  let isKept = false;
  try {
    const showLink = (url: string): void => {
      const isOpened = !output.json && openInBrowser(context, url);
      narrator.plain(
        `\nThe dashboard shows the same, live${isOpened ? " (in your browser)" : ""}; the link works once, for two minutes:\n  ${url}\n`,
      );
    };
    await playStory(stage, narrator, { part, showLink: input.has("dashboard") ? showLink : undefined });
    if (input.has("dashboard") && output.interactive && !output.json) await waitForEnter(narrator, signal);
    isKept = input.has("keep");
  } catch (cause) {
    if (signal.aborted) throw new Refusal("command.interrupted", "interrupted; the demo is taken down");
    throw cause;
  } finally {
    if (!isKept) await stage.strike();
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  const { missing } = narrator;
  const own = ownWord(context.env["PATH"]);
  if (isKept) narrator.plain(`\n${keptText(stage, own)}`);
  narrator.plain(
    `\n${missing.length === 0 ? nextText(seconds, isKept, own) : `Not everything was seen: ${missing.join("; ")}.`}`,
  );
  const { commands, checks } = narrator;
  const kept = isKept ? { home: stage.home, root: stage.root, directory: stage.top, end: endOf(stage, own) } : null;
  const json = { seen: missing.length === 0, missing, seconds, commands, checks, kept };
  return { json, text: "", exit: exitOf(missing) };
};

function partOf(word: string | undefined): Part | undefined {
  const part = parts.find((one) => one === word);
  if (word !== undefined && part === undefined)
    throw new Refusal("usage.bad-value", `the demo has no part ${JSON.stringify(word)}: ${parts.join(", ")}`, { word });
  return part;
}

/** The dashboard stays up for as long as it is looked at. */
async function waitForEnter(narrator: Narrator, signal: AbortSignal): Promise<void> {
  narrator.plain("\nLook around in the dashboard; Enter takes it all down.");
  const { promise, resolve } = Promise.withResolvers<void>();
  const { stdin } = process;
  stdin.once("data", () => resolve());
  signal.addEventListener("abort", () => resolve(), { once: true });
  stdin.resume();
  await promise;
  stdin.pause();
}

const exitOf = (missing: readonly string[]): number => (missing.length === 0 ? exitCodes.ok : exitCodes.negative);

/** In one line, from any directory and any shell, and with nothing of it left. */
function endOf({ home, top }: Stage, { word }: OwnWord): string {
  const down = shellLine(["env", `CONSTEL_HOME=${home}`, `TMUX_TMPDIR=${top}`, word, "down", "--all"]);
  return `${down} && ${shellLine(["rm", "-rf", top])}`;
}

function keptText(stage: Stage, own: OwnWord): string {
  const { root, home, top } = stage;
  return [
    "It keeps running. To look at it:",
    `  ${shellLine(["export", `CONSTEL_HOME=${home}`, `TMUX_TMPDIR=${top}`])}`,
    `  ${shellLine(["cd", root])} && ${shellLine([own.word, "status"])}`,
    "To end it and remove it, from anywhere:",
    `  ${endOf(stage, own)}`,
  ].join("\n");
}

function nextText(seconds: number, isKept: boolean, { directory }: OwnWord): string {
  return [
    `That was all of it, in ${seconds} s${isKept ? "." : "; nothing of it is left behind."}`,
    "What to try next:",
    ...(directory === undefined ? [] : [`  export PATH="${directory}:$PATH"`]),
    "  constel try              in your own repository: who will collide with whom",
    "  constel repo add         keep watching it",
    "  constel up 2             agents of your own: claude, codex, opencode, gemini",
    "  constel watch            all of it on one screen",
    "  constel dashboard        the same in your browser",
  ].join("\n");
}
