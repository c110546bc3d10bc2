// Findings and the plan of landing, on the command line.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { followEvents, type TimelineEvent } from "../../../client/follow-events.ts";
import type { Caller } from "../../../client/caller.ts";
import { socketCaller } from "../../../client/socket.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CommandInput, CommandResult, RunCommand } from "../command.ts";
import type { CliContext } from "../context.ts";
import type { Output } from "../output.ts";
import { findingLines, shortOf } from "../present/finding-lines.ts";
import { findingBlocks } from "../present/findings.ts";
import { pathText } from "../present/hunks.ts";
import { utc } from "../present/time.ts";

export const conflicts: RunCommand = async (context, input) => {
  const explained = input.flag("explain");
  if (explained !== undefined) return await explain(context, explained);
  if (input.has("watch")) return await watch(context);
  const caller = await context.caller();
  const repository = repositoryOf(context, input);
  const answer = await caller.call("finding.list", { ...repository, all: input.has("all") });
  const open = answer.findings.filter(({ state, severity }) => state === "open" && severity !== "context").length;
  const hint = answer.total === 0 ? await whyNothing(context, caller) : undefined;
  if (hint === undefined) await sayIfNobodyLooks(context);
  const limit = wholeNumber(input, "limit", 50);
  return {
    json: answer,
    text: () =>
      answer.total === 0
        ? (hint ?? "Nothing collides.")
        : findingLines(answer.findings, limit, context.output, Date.now()).join("\n"),
    exit: open > 0 ? exitCodes.negative : exitCodes.ok,
  };
};

async function explain(context: CliContext, id: string): Promise<CommandResult> {
  const caller = await context.caller();
  const finding = await caller.call("finding.show", { id });
  const { ours, theirs } = finding;
  const sides = { ours: { ...ours, commit: "", tree: "" }, theirs: { ...theirs, commit: "", tree: "" } };
  const draft = { ...finding, fingerprint: "", evidenceKind: "" };
  const text = (): string => {
    const { paint, columns } = context.output;
    const places = [ours, theirs].map(({ label, worktree }) => `${label}${worktree === null ? "" : ` (${worktree})`}`);
    const state =
      finding.state === "closed"
        ? `closed: ${finding.closed_because}`
        : finding.state === "dismissed"
          ? `dismissed (${finding.dismissed_scope}): ${finding.dismissed_reason}`
          : `open since ${utc(finding.opened_ms)}`;
    const [, ...block] = findingBlocks([draft], sides, { columns, paint, explain: true });
    return [`${paint.dim(finding.id)}  ${state}`, paint.dim(places.map(pathText).join("  and  ")), ...block].join("\n");
  };
  return { json: finding, text };
}

async function watch(context: CliContext): Promise<undefined> {
  const { startDaemon } = await import("../start-daemon.ts");
  await startDaemon(context);
  const caller = await context.caller();
  const { output, signal } = context;
  const answer = await caller.call("finding.list", {});
  if (!output.json)
    output.data(answer.total === 0 ? "" : `${findingLines(answer.findings, 50, output, Date.now()).join("\n")}\n`);
  for await (const event of followEvents(join(context.places.home, inHome.socket), undefined, signal)) {
    if (!event.type.startsWith("finding.")) continue;
    output.data(output.json ? `${JSON.stringify(event)}\n` : `${eventLine(event, output)}\n`);
  }
  return undefined;
}

function eventLine(event: TimelineEvent, { paint }: Output): string {
  const what = event.type.slice("finding.".length);
  const style = what === "opened" || what === "reopened" ? paint.red : what === "closed" ? paint.green : paint.dim;
  const id = shortOf(event.subject ?? "");
  const text = [event.data["title"], event.data["because"], event.data["reason"]].filter(
    (one) => typeof one === "string",
  );
  return `${paint.dim(utc(event.at_ms))}  ${paint.dim(id)}  ${style(what)}  ${pathText(text.join(": "))}`;
}

export const dismiss: RunCommand = async (context, input) => {
  const reason = input.flag("reason") ?? "";
  if (reason.trim() === "") throw new Refusal("usage.missing-argument", "say why: --reason TEXT", { flag: "reason" });
  const scope = (input.flag("scope") ?? "finding") as "finding" | "files" | "pair" | "kind";
  const caller = await context.caller();
  const receipt = await caller.call("finding.dismiss", { id: input.argument("id"), reason, scope });
  const count = receipt.dismissed === 1 ? "1 finding" : `${receipt.dismissed} findings`;
  return { json: receipt, text: `Dismissed ${count}.` };
};

export const plan: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("plan.landing", repositoryOf(context, input));
  const hint = answer.repositories.length === 0 ? await whyNothing(context, caller) : undefined;
  if (hint === undefined) await sayIfNobodyLooks(context);
  const isExplained = input.has("explain");
  const tests = isExplained ? await testsOf(caller, answer.repositories) : new Map<string, Affected>();
  const { paint } = context.output;
  const text = (): string => {
    if (hint !== undefined) return hint;
    return answer.repositories
      .flatMap(({ name, default_branch, steps }) => [
        paint.bold(`${name}${default_branch === null ? "" : ` → ${default_branch}`}`),
        ...steps.flatMap((step) => {
          const verdict = { land: paint.green, hold: paint.yellow, nothing: paint.dim }[step.verdict](step.verdict);
          const head = `${String(step.order).padStart(3)}. ${verdict}  ${pathText(step.label)}  ${step.score}/100`;
          const why = step.why.map((one) => paint.dim(`       ${pathText(one)}`));
          if (!isExplained) return [head, ...why];
          const readiness = step.reasons.map((one) => paint.dim(`       readiness: ${pathText(one)}`));
          return [head, ...why, ...readiness, ...testLines(tests.get(step.worktree)).map((line) => paint.dim(line))];
        }),
      ])
      .join("\n");
  };
  const json = isExplained ? { ...answer, tests: Object.fromEntries(tests) } : answer;
  return { json, text };
};

interface Affected {
  readonly tests: readonly string[];
  readonly complete: boolean;
}

async function testsOf(
  caller: Caller,
  repositories: readonly { steps: readonly { worktree: string; verdict: string }[] }[],
): Promise<Map<string, Affected>> {
  const found = new Map<string, Affected>();
  for (const { worktree, verdict } of repositories.flatMap(({ steps }) => steps)) {
    if (verdict !== "nothing") found.set(worktree, await caller.call("worktree.tests", { path: worktree }));
  }
  return found;
}

function testLines(affected: Affected | undefined): string[] {
  if (affected === undefined) return [];
  const { tests, complete } = affected;
  const more = tests.length > 8 ? ` and ${tests.length - 8} more` : "";
  const list = tests.length === 0 ? "none found" : tests.slice(0, 8).map(pathText).join(", ") + more;
  return [`       tests likely affected: ${list}${complete ? "" : " (not everything was looked at)"}`];
}

/** A path as it is meant from here, else the word. */
function repositoryOf(context: CliContext, input: CommandInput): { repository?: string } {
  const word = input.flag("repo");
  if (word === undefined) return {};
  const path = resolve(context.cwd, word);
  return { repository: existsSync(path) ? path : word };
}

/** What to say when there is nothing: perhaps nobody looks. */
async function whyNothing(context: CliContext, caller: Caller): Promise<string | undefined> {
  const { repositories } = await caller.call("repository.list", {});
  if (repositories.length > 0) return undefined;
  for (let at = context.cwd; ; at = resolve(at, "..")) {
    if (existsSync(join(at, ".git"))) {
      return "No repository is observed. `constel repo add` observes this one; `constel check` compares once, without a daemon.";
    }
    if (resolve(at, "..") === at) return "No repository is observed. `constel repo add <path>` begins.";
  }
}

/** Looking starts nothing, so that what is shown may be old; and silence says nothing when nobody can look. */
async function sayIfNobodyLooks({ places, output }: CliContext): Promise<void> {
  try {
    const { loops } = await socketCaller(join(places.home, inHome.socket), "owner").call("daemon.status", {});
    const problem = loops.find(({ name }) => name === "observe")?.problem ?? null;
    if (problem !== null)
      output.say(`constel: repositories cannot be looked at: ${problem}; this is what was last seen`);
  } catch {
    output.say("constel: the daemon does not run; this is what it last saw (`constel daemon start` goes on)");
  }
}

function wholeNumber(input: CommandInput, flag: string, otherwise: number): number {
  const text = input.flag(flag);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal("usage.bad-value", `--${flag} wants a whole number`, { flag });
  return Number(text);
}
