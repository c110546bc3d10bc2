// Notes what needs the owner and tells them by their rules, through all their channels. What only files tell is looked for here: an
// agent that stopped with work in hand or that the watchdog leaves alone, a red main, a watchdog that cannot do its work, a schedule that cannot be read.

import { tellJump } from "../../floor/clock-words.ts";
import { witnessedNow } from "../../host/clock/kept-time.ts";
import type { Jump } from "../../ports/witnessed-time.ts";
import { waitsForOwner } from "../../core/schedules/accepted-crons.ts";
import { lookAtStatusNow } from "../../core/agents/queries.ts";
import type { Need } from "../../core/agents/needs.ts";
import { notedKinds } from "../../core/owner/needs-now.ts";
import {
  duePages,
  type DuePage,
  noteNeeds,
  notePaged,
  noteToldElsewhere,
  pagedKeys,
} from "../../core/owner/note-needs.ts";
import { healthNeeds, tellGivers } from "../../core/owner/health-needs.ts";
import { stoppedWork } from "../../core/owner/stopped-work.ts";
import { heldRequestNeeds } from "../../core/a2a/list.ts";
import { redTargetNeeds } from "../../core/pulls/watch-targets.ts";
import { pageRules } from "../../core/owner/page-rules.ts";
import { channelsFromConfig } from "../../floor/escalate/channels-from-config.ts";
import { escalate } from "../../floor/escalate/escalate.ts";
import { quietUntil } from "../../floor/markers/quiet-until.ts";
import { brokenSteps } from "../../floor/watchdog/wake-watchdog.ts";
import { readHooks } from "../../host/runtime/hook-records.ts";
import { outageOf } from "../../protocol/errors.ts";
import { restartCommand, rootAgent } from "../../protocol/agent-id.ts";
import { storedTexts } from "../door/stored-texts.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { PagesByRoot } from "../mesh/pages.ts";
import { escalateContext } from "./escalate-context.ts";
import { UnwrittenPages } from "./unwritten-pages.ts";
import type { Round } from "../loops/react.ts";
import { hasMarker, putMarker, putNewMarker } from "../../floor/markers/marker-files.ts";
import { agentsMarked, subjectsMarked, markers } from "../../floor/markers/markers.ts";

interface Parts
  extends
    Pick<LoopParts, "store" | "clock" | "random" | "settings">,
    Partial<Pick<LoopParts, "words" | "taskMachine">> {
  /** Lists the parts of the daemon's own work that stand still. */
  readonly standstill?: () => readonly Need[];
  /** The root of our mesh, which has the owner's ear. */
  readonly byRoot?: PagesByRoot | undefined;
}

export function ownerLoop(parts: Parts, problems: () => readonly string[], page: typeof escalate = escalate): Round {
  const { store, clock, random, settings } = parts;
  const { home, config } = settings;
  const rules = pageRules(config["page.rules"]);
  const channels = channelsFromConfig(config["escalate.channels"]);
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon" };
  const healthRules = {
    repeats: config["health.repeats"],
    turns: config["health.turns"],
    contextTokens: config["health.context_tokens"],
  };
  const hooksOf = ({ agent, launched_ms: sinceMs }: { readonly agent: string; readonly launched_ms: number }) =>
    readHooks(home, agent, sinceMs);
  const told = new Set<string>();
  const unwritten = new UnwrittenPages(rules, () => clock.nowMs());

  const hasWay = async (): Promise<boolean> => channels.length > 0 || (await parts.byRoot?.hasRoot()) === true;

  /** What is due, as the database knows it. What the owner was told of otherwise is written down too. */
  async function dueByDatabase(needs: readonly Need[]): Promise<DuePage[]> {
    await noteNeeds(context, needs);
    if (!(await hasWay())) return [];
    const open = await duePages(context, rules);
    const elsewhere = new Set(open.filter((one) => unwritten.hasTold(one) || isToldByWatchdog(home, one)));
    await noteToldElsewhere(context, [...elsewhere]);
    unwritten.forget([...elsewhere]);
    return open.filter((one) => !elsewhere.has(one));
  }

  async function tell(due: readonly DuePage[]): Promise<boolean> {
    const text = pageText(due);
    const byRoot = await parts.byRoot?.page(text);
    if (byRoot?.told === true) {
      unwritten.note(due, true);
      for (const one of due) tellWatchdog(home, one, byRoot.says);
      return true;
    }
    const body = byRoot === undefined ? text.body : `${byRoot.says}\n\n${text.body}`;
    const reached = await page(
      escalateContext(settings, parts, channels),
      { ...text, body },
      // One marker says it; further tries change nothing about that.
      { leaveMarker: due.some(({ tries }) => tries === 0) },
    );
    unwritten.note(due, reached.told);
    if (reached.told) for (const one of due) tellWatchdog(home, one, reached.line);
    return reached.told;
  }

  return {
    async round() {
      const { needs, agents } = await lookAtStatusNow(context);
      const stopped = await withoutSecrets(await stoppedWork(context, agents, (agent) => parts.words?.get(agent)));
      const health = await healthNeeds(context, agents, healthRules, hooksOf);
      const noted = [
        ...fileNeeds(home),
        ...(await redTargetNeeds(context)),
        ...(await heldRequestNeeds(context)),
        ...stopped,
        ...health,
        ...clockNeeds(witnessedNow().jump),
        ...scheduleFileNeeds(problems()),
        ...(parts.standstill?.() ?? []),
      ];
      const all = [...noted, ...needs.filter(({ kind }) => !notedKinds.includes(kind))];
      let due: readonly DuePage[];
      let problem: unknown;
      try {
        due = await dueByDatabase(all);
      } catch (cause) {
        // A full disk keeps nobody from being told. The round has failed all the same, and the loop says so.
        if (outageOf(cause) === undefined) throw cause;
        problem = cause;
        const open = unwritten.due(all, await pagedKeys(context));
        due = open.filter((one) => !isToldByWatchdog(home, one));
      }
      const isQuiet = quietUntil(home, clock) !== undefined;
      const now = due.filter((one) => one.urgent || !isQuiet);
      // Whoever has no channel looks at `status`; a marker for every need would help nobody.
      if (now.length > 0 && (await hasWay())) {
        const isTold = await tell(now);
        if (problem === undefined) {
          await notePaged(context, now, isTold);
          unwritten.forget(now);
        }
      }
      if (problem !== undefined) throw problem;
      const { deliver } = parts.taskMachine ?? {};
      if (deliver !== undefined) await tellGivers(context, [...stopped, ...needs], deliver, told);
      return undefined;
    },
  };
}

/** They quote what agents said. */
const withoutSecrets = (needs: readonly Need[]): Promise<Need[]> =>
  Promise.all(needs.map(async (need) => ({ ...need, says: await storedTexts.hideSecrets(need.says) })));

/** The watchdog's tick tells these by itself, because it must work without a daemon; whoever comes first leaves a marker for the other. */
function isToldByWatchdog(home: string, { kind, agent }: DuePage): boolean {
  if (agent === null) return false;
  if (kind === "quarantine") return hasMarker(home, markers.paged.crashloop(agent));
  // Of one that is left alone the quarantine tells.
  if (kind === "dead")
    return hasMarker(home, markers.paged["cannot-start"](agent)) || hasMarker(home, markers.crashloop(agent));
  return kind === "hung" && hasMarker(home, markers.paged.hang(agent));
}

function tellWatchdog(home: string, { kind, agent }: DuePage, how: string): void {
  if (agent === null) return;
  if (kind === "quarantine") putMarker(home, markers.paged.crashloop(agent), how);
  if (kind === "hung") putNewMarker(home, markers.paged.hang(agent), how);
}

/** Several at once are one page. */
function pageText(due: readonly DuePage[]): { subject: string; body: string; urgent: boolean } {
  const [first] = due;
  const urgent = due.some((one) => one.urgent);
  const body = due.map(({ says, next }) => `${says}\n  ${next}`).join("\n\n");
  if (due.length > 1 || first === undefined) return { subject: `${due.length} things need you`, body, urgent };
  return { subject: `${first.kind}: ${first.says}`, body, urgent };
}

function fileNeeds(home: string): Need[] {
  const left = agentsMarked(home, markers.crashloop).map((agent) => ({
    key: `quarantine:${agent}`,
    kind: "quarantine",
    agent,
    says: `${agent} came down too often and is left alone`,
    since_ms: null,
    next: restartCommand(agent),
  }));
  const red = subjectsMarked(home, markers.mainRed).map((sha) => ({
    key: `main-red:${sha}`,
    kind: "main-red",
    agent: null,
    says: `main is red at ${sha.slice(0, 12)}`,
    since_ms: null,
    next: `constel session up --agent ${rootAgent}`,
  }));
  const broken = brokenSteps(home).map((step) => ({
    key: `watchdog:${step}`,
    kind: "watchdog",
    agent: null,
    says: `the watchdog cannot do its work: its step ${step} fails`,
    since_ms: null,
    next: "constel watchdog tick",
  }));
  return [...left, ...red, ...broken];
}

/** A clock that was set back destroys nothing; schedules tell of it themselves. */
function clockNeeds(jump: Jump | undefined): Need[] {
  if (jump === undefined || jump.aheadMs < 0) return [];
  const says = tellJump(jump);
  return [
    { key: `clock:${jump.fromMs}`, kind: "clock", agent: null, says, since_ms: null, next: "constel clock accept" },
  ];
}

function scheduleFileNeeds(problems: readonly string[]): Need[] {
  return problems.map((says) => ({
    key: `schedule-file:${says.slice(0, 100)}`,
    kind: "schedule-file",
    agent: null,
    says: waitsForOwner(says) ? says : `a schedule cannot be read: ${says}`,
    since_ms: null,
    next: waitsForOwner(says) ? "constel cron accept" : "constel cron tick",
  }));
}
