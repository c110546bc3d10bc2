// Maps each operation to the verb that answers it. The type makes the table complete: an operation without an answer does not compile.

import { readOperations } from "../../app/read-operations.ts";
import type { OperationName } from "../../client/caller.ts";
import { lookAtStatusNow } from "../../core/agents/queries.ts";
import type { Context, ReadContext } from "../../core/context.ts";
import { record as recordDecision, settle as settleDecision } from "../../core/decisions/decision.ts";
import { publish } from "../../core/events/publish.ts";
import { type EventRouter, eventRouter } from "../../core/notices/address-event.ts";
import type { TextContext } from "../../core/keep-text.ts";
import { forget as forgetMemory, pin as pinMemory, recall, remember } from "../../core/memory/memory.ts";
import { dropClaim } from "../../core/claims/claim.ts";
import { blockFinding } from "../../core/findings/block.ts";
import { addDirective } from "../../core/directives/directives.ts";
import { dismissFinding } from "../../core/findings/dismiss.ts";
import { handleNotice } from "../../core/notices/handle.ts";
import { subscribe } from "../../core/notices/subscribe.ts";
import { lookAtMorning } from "../../core/morning/look.ts";
import { snooze, withStandstill } from "../../core/attention/attention.ts";
import { answerApproval } from "../../core/approvals/approve.ts";
import { takeReply } from "../../core/owner/take-reply.ts";
import { shareRepository, unshareRepository } from "../../core/sharing/share.ts";
import { answerForReview } from "../../core/reviews/answer.ts";
import { askForReview } from "../../core/reviews/ask.ts";
import { reviewPacket } from "../../core/reviews/packet.ts";
import { addArtefact } from "../../core/tasks/evidence/artefacts.ts";
import { stopFollow } from "../../core/issues/follows.ts";
import { importIssues } from "../../core/issues/import-issues.ts";
import { createTask, importTasks } from "../../core/tasks/create.ts";
import { asServiceGraph, readGraph } from "../../core/services/read-graph.ts";
import { dispatchTask, showAssignment } from "../../core/tasks/assigning/dispatch.ts";
import { handOver } from "../../core/tasks/handover/hand-over.ts";
import { askHarvest, harvestRows } from "../../core/tasks/landing/harvest.ts";
import { readyTask } from "../../core/tasks/landing/ready.ts";
import type { TaskContext, TaskMachine } from "../../core/tasks/task-context.ts";
import { diffOfTask } from "../../core/tasks/evidence/task-diff.ts";
import { revertTask } from "../../core/tasks/landing/revert.ts";
import { cancelTask, changeTask } from "../../core/tasks/update.ts";
import {
  branchWorkspace,
  cloneWorkspace,
  removeWorkspace,
  restoreWorkspace,
} from "../../core/tasks/workspaces/workspace.ts";
import { declare as declareWorker, stopWorker } from "../../core/workers/worker.ts";
import { createToken, listTokens, revokeToken } from "../../core/tokens/tokens.ts";
import { announce } from "../../core/timeline/announce.ts";
import { anotherName, askerNamed } from "../../protocol/authority.ts";
import { makeId } from "../../protocol/ids.ts";
import type { operations } from "../../protocol/operations/all.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import { type ChatParts, historyOf, replyTo, sendMessage, threadsOf, waitForAnswer } from "./chat.ts";
import { askPermission, waitForApproval } from "./ask-permission.ts";
import { quiet, quietRequest } from "../../floor/quiet.ts";
import { savedQueries, saveQuery } from "../../floor/saved-queries.ts";
import { restartAgent } from "./restart-agent.ts";
import { answerQuery, listTables } from "./run-query.ts";
import { sendComments, tellOfFinding } from "./tell-of-work.ts";
import { makeClaim } from "./make-claim.ts";
import type { Settings } from "../../settings/settings.ts";
import { replyPorts } from "../owner/replies-loop.ts";
import { type AgentScreens, screenOf } from "../agents/agent-screens.ts";
import { openDashboard, type WindowOpening } from "./window/open-dashboard.ts";
import { scheduleHandlers, type ScheduleParts } from "../schedules/schedule-handlers.ts";
import type { DaemonSelf } from "../daemon-status.ts";
import { registerSession } from "./register-session.ts";
import { syncPage } from "./sync-page.ts";
import { a2aHandlers } from "../a2a/a2a-handlers.ts";
import { confirmedPeers } from "../mesh/confirmed-peers.ts";
import { meshHandlers } from "../mesh/mesh-handlers.ts";
import type { Mesh } from "../mesh/open-mesh.ts";
import { guestsHere } from "../notices/guests-here.ts";
import type { SensingClient } from "../sensing-client.ts";

type Operations = typeof operations;
export type Handlers = {
  readonly [Name in OperationName]: (
    context: Context,
    input: ParsedInputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

export interface HandlerParts {
  readonly self: DaemonSelf;
  readonly sensing: SensingClient;
  readonly taskMachine: TaskMachine;
  readonly chat: ChatParts;
  readonly settings: Settings;
  readonly schedules: ScheduleParts;
  readonly screens: AgentScreens;
  readonly window: WindowOpening;
  /** Undefined where the settings keep no lines to others. */
  readonly mesh?: Mesh | undefined;
}

export function makeHandlers({
  self,
  sensing,
  taskMachine,
  chat,
  settings,
  schedules,
  screens,
  window,
  mesh,
}: HandlerParts): Handlers {
  const where = () => ({ root: settings.root, guests: guestsHere(chat.bus.home) });
  const routed =
    <Input, Output>(
      verb: (context: TextContext & { router: () => Promise<EventRouter> }, input: Input) => Promise<Output>,
    ) =>
    (context: Context, input: Input): Promise<Output> =>
      verb(
        {
          ...context,
          texts: chat.texts,
          router: () => eventRouter(context, where()),
        },
        input,
      );
  const keepingText =
    <Input, Output>(verb: (context: TextContext, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb({ ...context, texts: chat.texts }, input);
  const onBus =
    <Input, Output>(verb: (parts: ChatParts, context: Context, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb(chat, context, input);
  const onMachine =
    <Input, Output>(verb: (context: TaskContext, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb({ ...context, machine: taskMachine }, input);
  /** Gives a verb the pairs still to be compared: it must know them before it says that nothing collides. */
  const sighted =
    <Input, Output>(verb: (context: ReadContext, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb({ ...context, pairsLeft: sensing.pairsLeft }, input);
  return {
    ...readOperations,
    "repository.list": sighted(readOperations["repository.list"]),
    "finding.list": sighted(readOperations["finding.list"]),
    "plan.landing": sighted(readOperations["plan.landing"]),
    "status.look": sighted(async (context) => {
      const status = await lookAtStatusNow(context);
      return { ...status, needs: [...self.standstill(), ...status.needs] };
    }),
    "morning.look": (context, input) => lookAtMorning(context, input, self.standstill()),
    "attention.list": (context, input) => withStandstill(context, input, self.standstill()),
    ...scheduleHandlers(schedules),
    "agents.screen": (context, { agent }) => screenOf(context, screens, agent),
    "query.run": ({ untilGone }, input) => answerQuery(settings, input, untilGone?.()),
    "query.tables": () => listTables(settings),
    "query.saved": async () => ({ queries: savedQueries(settings.home) }),
    "query.save": async (_, { name, sql }) => saveQuery(settings.home, name, sql),
    "agents.restart": (context, input) => restartAgent(settings, context, input),
    "watchdog.quiet": async ({ clock }, { time }) => {
      const state = quiet({ home: settings.home, clock }, quietRequest(time));
      return { quiet: state.quiet, until_ms: state.untilMs ?? null };
    },
    ...a2aHandlers(settings, taskMachine),
    ...meshHandlers(settings, mesh),
    "task.diff": onMachine(diffOfTask),
    "task.comment": onBus(sendComments),
    "finding.tell": onBus(tellOfFinding),
    "attention.snooze": snooze,
    "dashboard.open": (_, { role }) => openDashboard(window, role),
    "timeline.announce": announce,
    "directive.add": addDirective,
    "token.create": createToken,
    "token.list": listTokens,
    "token.revoke": revokeToken,
    "repository.add": (context, { path }) =>
      sensing.add(context, { path, isOwnersWord: askerNamed(context.actor).role !== "clone" }),
    "repository.forget": (context, input) => sensing.forget(context, input),
    "repository.share": (context, input) =>
      shareRepository(
        context,
        input,
        async () => mesh !== undefined && (await confirmedPeers(context.store, context.audit)).length > 0,
      ),
    "repository.unshare": unshareRepository,
    "worktree.observe": (context, input) => {
      const { role } = askerNamed(context.actor);
      if (role === "clone" && input.agent !== undefined && input.agent !== context.actor)
        throw anotherName(context.actor, input.agent);
      return sensing.add(context, { ...input, isOwnersWord: false });
    },
    "worktree.touch": ({ actor }, input) => sensing.touch(actor, input),
    "worktree.tests": ({ actor }, input) => sensing.tests(actor, input),
    "service.graph": async (context) => {
      const { graph, isWhole } = await readGraph(context, sensing.contracts);
      return asServiceGraph(graph, isWhole);
    },
    "finding.dismiss": dismissFinding,
    "finding.block": blockFinding,
    "claim.add": (context, input) => makeClaim(sensing, context, input),
    "claim.drop": dropClaim,
    "notice.handle": handleNotice,
    "notice.subscribe": subscribe,
    "permission.ask": (context, input) => askPermission(settings, context, input),
    "owner.reply": async (context, { sender, text, id }) => {
      const sourceKey = `webhook:${id ?? makeId("wbh", context.clock.nowMs(), context.random.bytes(10))}`;
      const reply = { channel: "webhook", sender, text, sourceKey } as const;
      return { became: await takeReply(context, reply, replyPorts({ ...context, settings })) };
    },
    "approval.wait": waitForApproval,
    "approval.answer": answerApproval,
    "task.create": onMachine(createTask),
    "task.import": onMachine(importTasks),
    "issue.import": onMachine(importIssues),
    "issue.stop": stopFollow,
    "task.update": onMachine(changeTask),
    "task.revert": onMachine(revertTask),
    "task.cancel": cancelTask,
    "task.ready": onMachine(readyTask),
    "artefact.add": addArtefact,
    "task.dispatch": onMachine(dispatchTask),
    "task.assignment": onMachine(showAssignment),
    "task.handover": onMachine(handOver),
    "task.harvest": onMachine(askHarvest),
    "task.harvests": harvestRows,
    "review.ask": askForReview,
    "review.answer": answerForReview,
    "review.show": onMachine(reviewPacket),
    "worker.declare": (context, input) => declareWorker({ ...context, defaults: workerDefaults(settings) }, input),
    "worker.stop": stopWorker,
    "workspace.clone": onMachine(cloneWorkspace),
    "workspace.branch": onMachine(branchWorkspace),
    "workspace.remove": onMachine(removeWorkspace),
    "workspace.restore": onMachine(restoreWorkspace),
    "event.publish": routed(publish),
    "decision.record": routed(recordDecision),
    "decision.settle": keepingText(settleDecision),
    "memory.remember": keepingText(remember),
    "memory.recall": recall,
    "memory.pin": pinMemory,
    "memory.forget": forgetMemory,
    "chat.send": onBus(sendMessage),
    "chat.reply": onBus(replyTo),
    "chat.wait": onBus(waitForAnswer),
    "chat.threads": onBus(threadsOf),
    "chat.history": onBus(historyOf),
    "sync.page": onBus(syncPage),
    "join.register": (context, input) => registerSession(sensing, where(), context, input),
    "daemon.status": async ({ store }, input) => self.status(store, input),
    "daemon.stop": async () => self.stop(),
  };
}

const workerDefaults = ({ config }: Settings) => ({
  tokensPerDay: config["workers.tokens_per_day"],
  turnsPerHour: config["workers.turns_per_hour"],
  turnMinutes: config["workers.turn_minutes"],
});
