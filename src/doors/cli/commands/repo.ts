// Shows and changes which repositories are observed, on the command line.

import { counted } from "../../../protocol/counted.ts";
import type { Caller } from "../../../client/caller.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { Outage } from "../../../protocol/errors.ts";
import { exitCodes, exitFor } from "../../../protocol/exit-codes.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { openLines, unaskedLines } from "../present/open-parts.ts";
import { withProgress } from "../present/progress.ts";
import { table } from "../present/table.ts";
import { ago } from "../present/time.ts";

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const { path = context.cwd } = input.asked("repository.add");
  const receipt = await caller.call("repository.add", { path });
  const seen = input.has("no-wait") ? undefined : await firstLook(context, caller, { ...receipt, path });
  const lead = receipt.added ? `Watching ${receipt.name}.` : `Already watching ${receipt.name}; added ${receipt.path}.`;
  const found = {
    open_findings: seen?.open_findings ?? null,
    complete: seen?.complete ?? null,
    open: seen?.open ?? [],
    notes: seen?.notes ?? [],
  };
  return {
    json: { ...receipt, ...found },
    text: [
      `${lead} ${nextText(seen, await problemsIn(caller, receipt.repository, found.open_findings))}`,
      ...openLines(found.open, context.output),
      ...unaskedLines(found.notes, context.output),
    ].join("\n"),
    exit: seen === undefined ? exitCodes.ok : exitFor(0, seen.open_findings > 0 ? 0 : seen.open.length),
  };
};

interface Problems {
  readonly problems: number;
  readonly pairs: number;
}

/** As `conflicts` counts them: ten who edit one line are one problem, however many pairs that is. */
async function problemsIn(caller: Caller, repository: string, open: number | null): Promise<Problems> {
  if (open === null || open < 2) return { problems: open ?? 0, pairs: open ?? 0 };
  const { knots, pairs } = await caller.call("finding.list", { repository });
  return { problems: knots.length, pairs };
}

function nextText(seen: Observed | undefined, { problems, pairs: among }: Problems): string {
  if (seen === undefined) return "`constel conflicts` says what will collide.";
  const { open_findings: open } = seen;
  if (open > 0) {
    const pairs = among > problems ? ` (${counted(among, "pair")})` : "";
    const [are, them] = problems === 1 ? ["is", "it"] : ["are", "them"];
    return `${counted(problems, "finding")} ${are} open${pairs}: \`constel conflicts\` shows ${them}.`;
  }
  return `${seen.complete ? "Nothing collides." : "No collision seen."} \`constel status --watch\` shows when something does.`;
}

/**
 * Waits until every worktree was looked at and, of a repository that is new, every pair reported: before that, silence would mean nothing. In one
 * that is watched already there may always be a pair that waits, because somebody just edited; what is left is said. Answers what
 * was seen; undefined when nobody could look, and then the daemon goes on trying.
 */
async function firstLook(
  { output }: CliContext,
  caller: Caller,
  { path, repository, added }: OutputOf<(typeof operations)["repository.add"]>,
): Promise<Observed | undefined> {
  const known = async (): Promise<Observed | undefined> =>
    (await caller.call("repository.list", {})).repositories.find((one) => one.repository === repository);
  try {
    return await withProgress(output, "looking at it for the first time", async ({ tell }) => {
      // The worktrees are known when the first of them was looked at.
      if (!(await caller.call("worktree.touch", { path, wait: true })).observed) return undefined;
      for (;;) {
        const seen = await known();
        const { sensing } = await caller.call("daemon.status", {});
        const now = sensing?.repositories.find((one) => one.repository === repository);
        // If it cannot be observed, waiting would have no end; the answer says why.
        if (seen === undefined || seen.problem !== null) return seen;
        // Nobody looks just now, for example because the daemon begins anew with other settings.
        if (now === undefined) return undefined;
        const { looked, worktrees, pairs_waiting: pairs } = now;
        if (looked >= worktrees && (pairs === 0 || !added)) return await known();
        if (looked < worktrees) tell("looking at its worktrees", { done: looked, total: worktrees });
        else tell(`comparing them: ${counted(pairs, "pair")} left`);
        await systemClock.sleep(100);
      }
    });
  } catch (cause) {
    if (!(cause instanceof Outage)) throw cause;
    return undefined;
  }
}

type Observed = OutputOf<(typeof operations)["repository.list"]>["repositories"][number];

export const forget: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("repository.forget", input.asked("repository.forget"));
  return { json: receipt, text: `No longer watching ${receipt.name}; ${counted(receipt.closed, "finding")} closed.` };
};

const reaching: Readonly<Record<OutputOf<(typeof operations)["repository.share"]>["reaches"], string>> = {
  team: "with every constellation in this database, and every peer of its mesh: `constel repo shared` shows what is sent.",
  mesh: "with every peer of the mesh: `constel repo shared` shows what is sent.",
  nobody:
    "but it reaches nobody: this home keeps its records in a file of its own (store.url), and has no peer (`constel mesh peers`).",
};

export const share: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("repository.share", input.asked("repository.share"));
  const lead = receipt.changed ? `Sharing ${receipt.name}` : `${receipt.name} is shared already`;
  return { json: receipt, text: `${lead} ${reaching[receipt.reaches]}` };
};

export const unshare: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("repository.unshare", input.asked("repository.unshare"));
  const text = receipt.changed
    ? `No longer sharing ${receipt.name}; what was sent is being taken away.`
    : `${receipt.name} is not shared.`;
  return { json: receipt, text };
};

export const shared: RunCommand = async (context) => {
  const caller = await context.caller();
  const answer = await caller.call("repository.shared", {});
  const since = (ms: number): string => `${ago(systemClock.nowMs() - ms)} ago`;
  const text = (): string => {
    if (answer.repositories.length === 0) return "Nothing is shared. `constel repo share <repo>` shares one.";
    const head = ["repository", "whose", "branch", "agent", "task", "sent", "seen"];
    const rows = answer.repositories.flatMap(({ name, state, sides, others, problem }) => [
      [name, state === "shared" ? "here" : "being taken away", "", "", "", "", problem ?? ""],
      ...sides.map((one) => [
        name,
        "here",
        one.branch ?? "",
        one.agent ?? "",
        one.task ?? "",
        one.route === "nowhere" ? "not" : `by ${one.route}`,
        one.detail ?? since(one.at_ms),
      ]),
      ...others.map((one) => [
        name,
        `${one.constellation} on ${one.machine}`,
        one.branch ?? "",
        one.agent ?? "",
        one.task ?? "",
        "",
        since(one.heard_ms),
      ]),
    ]);
    return table(head, rows, { ...context.output, middle: new Set([4, 6]) });
  };
  return { json: answer, text };
};

export const list: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("repository.list", {});
  const { repositories } = answer;
  const text = (): string => {
    if (repositories.length === 0) return "No repository is watched. Start with `constel repo add` in one.";
    if (!input.has("worktrees")) {
      const rows = repositories.map((one) => [
        one.name,
        String(one.worktrees.length),
        String(one.open_findings),
        one.default_branch ?? "",
        one.problem ?? "",
      ]);
      const head = ["repository", "worktrees", "open", "lands on", "problem"];
      return table(head, rows, { ...context.output, right: new Set([1, 2]) });
    }
    const rows = repositories.flatMap(({ name, worktrees }) =>
      worktrees.map((one) => [
        name,
        one.branch ?? "(detached)",
        one.agent ?? "",
        one.ahead === null ? "" : `+${one.ahead} -${one.behind}`,
        stateOf(one),
        one.path,
      ]),
    );
    const head = ["repository", "branch", "agent", "commits", "state", "worktree"];
    return table(head, rows, { ...context.output, whole: new Set([2, 3]), middle: new Set([1, 5]) });
  };
  return { json: answer, text };
};

function stateOf(one: { skipped: string | null; operation: string | null; uncommitted: boolean }): string {
  if (one.skipped !== null) return one.skipped;
  if (one.operation !== null) return `in a ${one.operation}`;
  return one.uncommitted ? "uncommitted work" : "clean";
}
