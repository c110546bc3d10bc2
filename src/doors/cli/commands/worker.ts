// Workers on the command line. What wakes a worker and its guards are the daemon's; its program's start is the floor's, as for every agent.

import { isLaunchGenuine, readLaunch } from "../../../floor/agents/launch-files.ts";
import { down as endAgents } from "../../../floor/agents/down.ts";
import { checkWish } from "../../../floor/agents/start-agent.ts";
import { upOne } from "../../../floor/agents/up.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { listWorkers, showWorker } from "../../../protocol/operations/workers.ts";
import type { AgentLaunch } from "../../../ports/agent-launch.ts";
import type { Drive } from "../../../ports/drive.ts";
import type { Launch } from "../../../ports/runtime.ts";
import { usualAccount } from "../../../settings/accounts.ts";
import { newWorkerId } from "../../../protocol/agent-id.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { untilSeen } from "../reach/until-seen.ts";
import { knownRuntime, usualProgram, withAgents } from "../machine/agent-machine.ts";
import { type Cut, sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { dayAndTime } from "../present/time.ts";

type Worker = OutputOf<typeof listWorkers>["workers"][number];
type Shown = OutputOf<typeof showWorker>;
type Turn = Shown["turns"][number];

export const start: RunCommand = async (context, input) => {
  const name = input.argument("name");
  const agent = newWorkerId(name);
  const { home } = context.places;
  const before = readLaunch(home, agent);
  const runtime = input.flag("type") ?? before?.runtime ?? usualProgram(context, (await context.settings()).config);
  knownRuntime(runtime);
  const wish = driveWish(input);
  const sinceMs = systemClock.nowMs();
  const { worker, up } = await withAgents(context, { lenient: false, creates: true }, async (ports) => {
    // A worker whose program is not there would be woken for nothing: that is refused before anything is written.
    const account = accountWish(input.flag("account"), before, runtime);
    const program = ports.runtimeNamed(runtime);
    await checkWish(ports, { agent, runtime: program, because: "agent", drive: { worker: true }, ...account });
    const worker = await (await context.caller()).call("worker.declare", { ...input.asked("worker.declare"), runtime });
    const kept = before !== undefined && isLaunchGenuine(home, agent, ports.isGenuine) ? before.launch : undefined;
    const drive: Drive = { ...kept?.drive, ...wish, worker: true, turnMs: worker.turn_ms };
    // Another program does not know the model of the one before it.
    const model = input.flag("model") ?? (before?.runtime === runtime ? kept?.model : undefined);
    const isAsBefore =
      before?.runtime === runtime && kept?.model === model && isSame(kept?.drive, drive) && isOn(kept, account);
    const wanted = { type: runtime, drive, ...(model === undefined ? {} : { model }), ...account };
    // What is restated at each turn has changed: its holder begins anew, in the same conversation.
    const again = before !== undefined && !isAsBefore;
    return { worker, up: await upOne(ports, agent, { ...wanted, fresh: input.has("fresh"), again }) };
  });
  await untilSeen(context, [up], sinceMs);
  const notes = up.notes.map((note) => `  ${note}`);
  return {
    json: { worker, agent: up },
    text: () =>
      [`${worker.name} (${agent}) waits for something to wake it: ${worker.wakes_on.join(", ")}`, ...notes].join("\n"),
  };
};

/** What is not named stays as it was, on the same program. */
function accountWish(
  asked: string | undefined,
  before: AgentLaunch | undefined,
  runtime: string,
): { readonly account?: string } {
  const account = asked ?? (before?.runtime === runtime ? before.launch.account?.name : undefined);
  return account === undefined ? {} : { account };
}

const isOn = (kept: Launch | undefined, { account = usualAccount }: { readonly account?: string }): boolean =>
  (kept?.account?.name ?? usualAccount) === account;

const isSame = (a: Drive | undefined, b: Drive): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

const sorted = (drive: Drive | undefined): unknown =>
  Object.entries(drive ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));

function driveWish(input: CommandInput): Drive {
  const tools = input.flags("tools");
  const context = contextOf(input.flag("context"));
  return {
    ...(input.has("read-only") ? { readOnly: true as const } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...(context === undefined ? {} : { context }),
  };
}

function contextOf(word: string | undefined): Drive["context"] {
  if (word === undefined || word === "resume" || word === "fork") return word;
  const turns = Number(/^fresh:([1-9]\d{0,3})$/.exec(word)?.[1] ?? (word === "fresh" ? 1 : 0));
  if (turns > 0) return { freshEvery: turns };
  throw new Refusal("usage.bad-value", `--context must be resume, fork or fresh:<turns>, not ${JSON.stringify(word)}`, {
    word,
  });
}

export const stop: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const worker = await caller.call("worker.stop", input.asked("worker.stop"));
  const { agent } = worker;
  const ended = await withAgents(context, { lenient: true, creates: true }, (ports) =>
    endAgents(ports, { agent, all: false }, async () => {}),
  );
  return { json: { worker, ended }, text: `${worker.name} is stopped; what comes for it waits.` };
};

export const list: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("worker.list", input.asked("worker.list"));
  const text = (): string =>
    answer.workers.length === 0
      ? "No workers: `constel worker start <name>` starts one."
      : table(
          ["worker", "program", "state", "turns", "tokens today", "wakes on", "because"],
          answer.workers.map((one) => [
            one.name,
            one.runtime,
            stateOf(one),
            String(one.turns),
            String(one.tokens_today),
            one.wakes_on.join(" "),
            oneLine(one.because ?? ""),
          ]),
          context.output,
        );
  return { json: answer, text };
};

const stateOf = ({ state, woken }: Worker): string => (woken && state !== "turning" ? `${state}, woken` : state);

export const show: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("worker.show", input.asked("worker.show"));
  const { worker, turns } = answer;
  const budget = worker.tokens_per_day === 0 ? "any number of" : String(worker.tokens_per_day);
  const head = [
    `${worker.name} (${worker.agent}) on ${worker.runtime}: ${stateOf(worker)}${worker.because === null ? "" : `: ${oneLine(worker.because)}`}`,
    `wakes on ${worker.wakes_on.join(", ")}`,
    `at most ${counted(worker.turns_per_hour, "turn")} an hour, ${budget} tokens a day, ${worker.turn_ms / 60_000} min a turn`,
    ...(worker.about === "" ? [] : [`for: ${oneLine(worker.about)}`]),
  ];
  const text = (): string =>
    [...head, ...(turns.length === 0 ? [] : ["", turnsTable(answer, context.output)])].join("\n");
  return sayingCut({ json: answer, text }, cutOf("show", answer), context.output);
};

const cutOf = (verb: "show" | "logs", { worker, turns }: Shown): Cut => ({
  shown: turns.length,
  total: worker.turns,
  rest: `constel worker ${verb} ${worker.name} --limit ${worker.turns}`,
});

const turnsTable = ({ worker, turns }: Shown, output: Parameters<typeof table>[2]): string =>
  table(
    ["turn", "asked", "woken by", "state", "tokens", "context", "answer"],
    turns.map((one) => [
      String(one.turn),
      dayAndTime(one.asked_ms, Date.now()),
      [...new Set(one.causes.map(({ kind, from }) => `${kind} from ${from}`))].join(", "),
      outcomeOf(one, worker),
      String(one.tokens),
      String(one.context_tokens),
      oneLine(one.answer ?? one.error ?? ""),
    ]),
    output,
  );

/** A turn whose worker was stopped or parked in the middle of it is had anew when somebody starts that. */
function outcomeOf({ state, ok, attempt }: Turn, worker: Worker): string {
  if (state !== "asked") return ok === true ? "answered" : "failed";
  if (worker.state === "stopped" || worker.state === "parked") return "waits";
  return attempt > 1 ? `try ${attempt}` : "under way";
}

export const logs: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("worker.show", input.asked("worker.show"));
  const text = (): string =>
    answer.turns.length === 0
      ? "It has had no turn yet."
      : answer.turns
          .toReversed()
          .map((turn) => turnText(turn, answer.worker))
          .join("\n\n");
  return sayingCut({ json: answer, text }, cutOf("logs", answer), context.output);
};

function turnText(turn: Turn, worker: Worker): string {
  const causes = turn.causes.map(
    ({ kind, from, message }) => `  ${kind} from ${from}${message === null ? "" : ` (${message})`}`,
  );
  const said = (turn.answer ?? turn.error ?? "").split("\n").map((line) => `  │ ${line}`);
  return [
    `turn ${turn.turn}, ${dayAndTime(turn.asked_ms, Date.now())}: ${outcomeOf(turn, worker)}`,
    ...causes,
    ...turn.did.map((one) => `  did ${one}`),
    ...said,
  ].join("\n");
}
