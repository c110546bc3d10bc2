// Fetches the owner's replies from Telegram, where a channel is set up and somebody is on the list. How far was read is noted after
// each reply was acted on, so one that is fetched twice is done once.

import { busTrust } from "../../host/keys/bus-trust.ts";
import { constellationHolder } from "../../ports/keys.ts";
import { noteReadUpTo, readUpTo } from "../../core/owner/owner.sql.ts";
import { type ReplyPorts, isAllowed, takeReply } from "../../core/owner/take-reply.ts";
import { telegramUpdates } from "../../core/owner/telegram-updates.ts";
import type { Context } from "../../core/context.ts";
import type { ChannelOf } from "../../floor/escalate/channel.ts";
import { channelsFromConfig } from "../../floor/escalate/channels-from-config.ts";
import { send } from "../../floor/bus/send.ts";
import { systemHttp } from "../../host/notify/http-sender.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import type { HttpAsker } from "../../ports/notify.ts";
import { rootAgent } from "../../protocol/agent-id.ts";
import { Outage } from "../../protocol/errors.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";

const deadlineMs = 10_000;

type Parts = Pick<LoopParts, "store" | "clock" | "random" | "settings">;

/** Undefined when nobody could reply. */
export function repliesLoop(parts: Parts, http: HttpAsker = systemHttp): Round | undefined {
  const { store, clock, random, settings } = parts;
  const ports = replyPorts(parts);
  const bots = channelsFromConfig(settings.config["escalate.channels"]).filter(
    (channel) => channel.type === "telegram",
  );
  if (bots.length === 0 || !ports.senders.some((one) => one.startsWith("telegram:"))) return undefined;
  const context = { store, clock, random, constellation: store.constellation, actor: "owner" };
  return {
    async round() {
      for (const bot of bots) await readBot(context, bot, ports, http);
      return undefined;
    },
  };
}

async function readBot(
  context: Context,
  { token, server = "https://api.telegram.org" }: ChannelOf<"telegram">,
  ports: ReplyPorts,
  http: HttpAsker,
): Promise<void> {
  const { store, constellation } = context;
  // The number before the colon names the bot; the rest of the token is its secret.
  const name = `telegram:${constellation}:${token.split(":")[0] ?? ""}`;
  const offset = (await readUpTo(store.db, name)) + 1;
  const { status, body } = await http.ask({
    url: `${server}/bot${token}/getUpdates`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ offset, timeout: 0, allowed_updates: ["message"] }),
    deadlineMs,
  });
  if (status !== 200)
    throw new Outage("read replies from", new URL(server).host, `it answered ${status}`, { mayRetry: true });
  const { replies, last } = telegramUpdates(body);
  for (const { update, sender, text } of replies) {
    const reply = { channel: "telegram", sender, text, sourceKey: `${name}:${update}` } as const;
    // Anybody can write to a bot; strangers are not even noted.
    if (isAllowed(reply, ports.senders)) await takeReply(context, reply, ports);
  }
  if (last !== undefined && last >= offset) await store.write((tx) => noteReadUpTo(tx.db, name, last));
}

export function replyPorts({ clock, random, settings }: Parts): ReplyPorts {
  const { home } = settings;
  const bus = { home, clock, random, liveness: systemLiveness, ...busTrust(home, clock, () => constellationHolder) };
  return {
    senders: settings.config["replies.senders"],
    tellRoot({ key, text }) {
      send(bus, { from: "agentowner", to: rootAgent, kind: "directive", text, idempotency_key: key });
    },
  };
}
