// Notices in the daemon: takes what hooks told as proof, has a round of core/notices when something happened that may concern
// somebody, and lays what agents are to hear next into their files.

import { blobsOfFiles } from "../../host/git/blob-of.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Conversations } from "../../core/notices/conversations.ts";
import { isQuietAt } from "../../core/notices/quiet-hours.ts";
import { noticesRound, type NoticeMachine } from "../../core/notices/round.ts";
import { noteEdits } from "../../core/notices/note-edits.ts";
import { takeTold } from "../../core/notices/take-told.ts";
import { calledBy, reactions } from "../../core/reactions.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { send } from "../../floor/bus/send.ts";
import { listTrusted } from "../../files/trusted-files.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import { runtimeNamed } from "../../host/runtime/all.ts";
import { scanForAll } from "../../host/secrets/shapes.ts";
import { Bounded } from "../../ports/bounded.ts";
import { withoutSecrets } from "../../ports/secrets.ts";
import { killPoint } from "../../settings/kill-at.ts";
import { inHome } from "../../settings/paths.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { guestsHere } from "./guests-here.ts";
import { HearFiles } from "../../floor/hear/hear-files.ts";
import { unwatchedEveryMs } from "../intake/hook-touches.ts";
import { HookNewsReader } from "./hook-news.ts";
import { AgentPlaces } from "./lay-places.ts";

/** The sender of messages that are notices: nobody's agent. */
const sender = "agentnotices";
/** Without any event: hours end, and what was missed is caught up with. */
const fullEveryMs = 15_000;
/** Agents at work change their state all the time; who works where may be a second old. */
const betweenMs = 1_000;
const urgent = /^(finding|claim|decision|event|workspace)\./;
/** Characters: those of some thousand texts. */
const mostMasked = 4 * 1024 * 1024;

export function noticesLoop(parts: Pick<LoopParts, "settings" | "store" | "clock" | "random">): Round {
  const { settings, store, clock, random } = parts;
  const { home, config } = settings;
  const context = { store, clock, random, constellation: store.constellation, actor: "daemon", blobOf: blobsOfFiles() };
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  const desk = new HearFiles(sealedHome(home));
  const places = new AgentPlaces(settings);
  const hooks = new HookNewsReader(home, (agent) => desk.marks(agent).size > 0);
  // The same words go to many agents, and into every join packet anew.
  const masked = new Bounded<string>(mostMasked, (text) => text.length);
  const conversations = new Conversations((runtime) => runtimeNamed(runtime)?.abilities.resume === true);
  const machine: NoticeMachine = {
    desk,
    root: settings.root,
    guests: () => guestsHere(home),
    hasHooks: (runtime, agent) =>
      runtime === undefined
        ? existsSync(join(home, inHome.hooks, `${agent}.jsonl`))
        : runtimeNamed(runtime)?.abilities.hears === true,
    async mask(text) {
      const known = masked.get(text) ?? withoutSecrets(text, await scanForAll(text));
      masked.set(text, known);
      return known;
    },
    send({ id, agent, text }) {
      send(bus, { id, from: sender, to: agent, kind: "notice", text, idempotency_key: id });
    },
    conversations,
    isQuiet: (nowMs) => isQuietAt(config["notices.quiet_hours"], new Date(nowMs)),
    budgetPerHour: config["notices.budget_per_hour"],
    step: killPoint,
  };
  let guests = "";
  let lastMs = -Infinity;
  /** The time when the next round is due, by the clock that never jumps. */
  let dueMs = -Infinity;
  /** The time when the hook files were last read, and what they said was taken. */
  let readMs = -Infinity;
  let forget = (): void => {};
  const isCalled = calledBy(reactions.notices);

  return {
    directories: () => [join(home, inHome.hooks)],
    begin() {
      forget = store.onCommit((_, types) => {
        for (const type of types) {
          if (!isCalled(type)) continue;
          dueMs = Math.min(dueMs, urgent.test(type) ? -Infinity : lastMs + betweenMs);
        }
      });
    },
    async round(_, isQuiet = false) {
      const startedMs = clock.monotonicMs();
      const isUnread = !isQuiet || startedMs - readMs >= unwatchedEveryMs;
      if (isUnread) readMs = -Infinity;
      const news = isUnread ? hooks.read() : [];
      for (const { agent, told, event, atMs, session } of news) {
        if (session !== undefined && conversations.heard(agent, session)) dueMs = -Infinity;
        if (told.length === 0) continue;
        const to = conversations.lastHeard(agent);
        if ((await takeTold(context, { agent, ids: told, by: `hook ${event}`, atMs, to })) > 0) dueMs = -Infinity;
      }
      const names = listTrusted(home, inHome.guests).join();
      if ((await noteEdits(context, news)) || names !== guests) dueMs = -Infinity;
      guests = names;
      // A rule holds from the moment it is saved, for agents too that cannot read where it stands.
      if (places.rulesChanged()) await places.lay(store);
      if (clock.monotonicMs() >= dueMs) {
        lastMs = clock.monotonicMs();
        // Before the round: what happens during it has another one come.
        dueMs = lastMs + fullEveryMs;
        await places.lay(store);
        const againMs = await noticesRound(context, machine);
        if (againMs !== undefined) dueMs = Math.min(dueMs, lastMs + againMs);
      }
      if (isUnread) readMs = startedMs;
      const untilDueMs = dueMs - clock.monotonicMs();
      return untilDueMs < reactions.notices.everyMs ? Math.max(1, untilDueMs) : undefined;
    },
    async end() {
      forget();
    },
  };
}
