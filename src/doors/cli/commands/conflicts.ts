// Findings, on the command line.

import { counted } from "../../../protocol/counted.ts";
import { join } from "node:path";
import { followEvents, type TimelineEvent } from "../../../client/follow-events.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { exitFor } from "../../../protocol/exit-codes.ts";
import { listed } from "../../../protocol/listed.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { type CliContext, refuseServer } from "../context.ts";
import { jsonLine } from "../present/json-answer.ts";
import type { Output } from "../present/output.ts";
import { sayIfNobodyLooks, whyNothing } from "../input/observed.ts";
import { cutLine } from "../present/cut.ts";
import { findingLines, findingsSummary, shortOf } from "../present/finding-lines.ts";
import { findingBlocks } from "../present/findings.ts";
import { pathText } from "../present/hunks.ts";
import { namesOf } from "../present/names.ts";
import { openLines, unaskedLines } from "../present/open-parts.ts";
import { utc } from "../present/time.ts";
import { redraw } from "../present/redraw.ts";

const everyMs = 1_000;
/** So many are asked for whatever the screen shows, because several can be one problem. */
const mostListed = 1_000;

export const conflicts: RunCommand = async (context, input) => {
  const explained = input.flag("explain");
  if (explained !== undefined) return await explain(context, explained);
  if (input.has("watch")) return await watch(context, input);
  const caller = await context.caller();
  const asked = input.asked("finding.list");
  const limit = asked.limit ?? mostListed;
  const wanted = { ...asked, limit: Math.max(limit, mostListed) };
  // Shown are the knots.
  const columns = context.output.json ? undefined : (["state", "severity"] as const);
  const answer = await caller.list("finding.list", wanted, columns);
  const open = answer.findings.filter(({ state, severity }) => state === "open" && severity !== "context").length;
  const hint = answer.total === 0 ? await whyNothing(context, caller) : undefined;
  if (hint === undefined) await sayIfNobodyLooks(context);
  if (context.output.json && answer.findings.length < answer.total) {
    const line = cutLine({
      shown: answer.findings.length,
      total: answer.total,
      rest: `constel conflicts --limit ${answer.total}`,
    });
    if (line !== undefined) context.output.say(line);
  }
  return {
    json: answer,
    text: () =>
      [
        ...(answer.total === 0
          ? [hint ?? calm(answer)]
          : [
              ...findingLines(answer.knots, limit, context.output, Date.now()),
              ...findingsSummary(answer.knots, answer.pairs, context.output),
            ]),
        ...openLines(answer.open, context.output, limit),
        ...unaskedLines(answer.notes, context.output),
      ].join("\n"),
    exit: exitFor(open, answer.open.length),
  };
};

const calm = ({ complete }: { readonly complete: boolean }): string =>
  complete ? "Nothing collides." : "No collision seen.";

async function explain(context: CliContext, id: string): Promise<CommandResult> {
  const caller = await context.caller();
  const finding = await caller.call("finding.show", { id });
  const { ours, theirs } = finding;
  const sides = { ours: { ...ours, commit: "", tree: "" }, theirs: { ...theirs, commit: "", tree: "" } };
  const draft = { ...finding, fingerprint: "", evidenceKind: "" };
  const text = (): string => {
    const { paint, columns } = context.output;
    const name = namesOf([ours.label, theirs.label]);
    const places = [ours, theirs].map(({ label, worktree }) =>
      [...new Set([name(label), label]), ...(worktree === null ? [] : [`in ${worktree}`])].join("  "),
    );
    const state =
      finding.state === "closed"
        ? `closed: ${finding.closed_because}`
        : finding.state === "dismissed"
          ? `dismissed (${finding.dismissed_scope}): ${finding.dismissed_reason}`
          : `open since ${utc(finding.opened_ms)}`;
    const [, ...block] = findingBlocks([draft], sides, { columns, paint, explain: true });
    return [`${paint.dim(finding.id)}  ${state}`, ...places.map((one) => paint.dim(pathText(one))), ...block].join(
      "\n",
    );
  };
  return { json: finding, text };
}

/** On a terminal the list, drawn again in place; elsewhere a line whenever a finding opens, closes or is dismissed. */
async function watch(context: CliContext, input: CommandInput): Promise<undefined> {
  refuseServer(context, "constel conflicts --follow");
  const { startDaemon } = await import("../reach/start-daemon.ts");
  await startDaemon(context);
  const caller = await context.caller();
  const { output, signal } = context;
  const { limit: _, ...wanted } = input.asked("finding.list");
  if (output.interactive && !output.json) {
    const look = () => caller.list("finding.list", wanted, ["id"]);
    return await redraw(output, async () => watchScreen(await look(), output.now()), {
      everyMs,
      signal,
    });
  }
  const answer = await caller.list("finding.list", wanted, ["id"]);
  if (!output.json)
    output.data(answer.total === 0 ? "" : `${findingLines(answer.knots, 50, output, Date.now()).join("\n")}\n`);
  const { home } = context.places;
  for await (const event of followEvents(join(home, inHome.socket), undefined, signal, daemonProof(home))) {
    if (!event.type.startsWith("finding.")) continue;
    output.data(output.json ? `${jsonLine(event)}\n` : `${eventLine(event, output)}\n`);
  }
  return undefined;
}

function watchScreen(answer: Omit<OutputOf<(typeof operations)["finding.list"]>, "findings">, screen: Screen): string {
  const { knots: findings, pairs, complete, open, notes } = answer;
  const now = screen.paint.dim(utc(Date.now()));
  const unseen = [...openLines(open, screen, 4), ...unaskedLines(notes, screen, 2)];
  const style = complete ? screen.paint.green : screen.paint.yellow;
  if (findings.length === 0) return [`${style(calm(answer))}  ${now}`, ...unseen].join("\n");
  const summary = [...findingsSummary(findings, pairs, screen), ...unseen, now];
  // One line more for what is left out, and one that the cursor rests on.
  const within = Math.max(1, screen.rows - summary.length - 2);
  return [...findingLines(findings, within, screen, Date.now(), { total: findings.length, within }), ...summary].join(
    "\n",
  );
}

type Screen = ReturnType<Output["now"]>;

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
  if ((input.flag("reason") ?? "").trim() === "")
    throw new Refusal("usage.missing-argument", "say why: --reason TEXT", { flag: "reason" });
  const caller = await context.caller();
  const receipt = await caller.call("finding.dismiss", input.asked("finding.dismiss"));
  const count = counted(receipt.dismissed, "finding");
  return { json: receipt, text: `Dismissed ${count}.` };
};

export const tell: RunCommand = async (context, input) => {
  const told = await (await context.caller()).call("finding.tell", input.asked("finding.tell"));
  return {
    json: told,
    text: `${listed(told.agents)} ${told.agents.length === 1 ? "is" : "are"} asked to settle ${shortOf(told.id)}.`,
  };
};

export const block: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("finding.block", input.asked("finding.block"));
  const what = receipt.files.map(pathText).join(", ");
  const text = receipt.blocking
    ? `Hooks deny edits of ${what} while ${shortOf(receipt.id)} is open.`
    : `${what} may be edited again.`;
  return { json: receipt, text };
};
