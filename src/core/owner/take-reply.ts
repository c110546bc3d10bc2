// Takes what the owner sends from elsewhere, by webhook or Telegram. Only senders on the owner's list are heard; an empty list means nobody
// is.
// `allow <request>` and `deny <request>` answer a permission request; anything else is a directive, brought to the root.

import { makeId } from "../../protocol/ids.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import type { OwnerDirectivesTable } from "../../store/tables/night.ts";
import { answerApproval } from "../approvals/approve.ts";
import type { Context } from "../context.ts";
import { directiveRow, updateDirective } from "./owner.sql.ts";

export interface Reply {
  readonly channel: "webhook" | "telegram";
  readonly sender: string;
  readonly text: string;
  /** The same key again is the same reply. */
  readonly sourceKey: string;
}

export interface ReplyPorts {
  /** As in `replies.senders`: `telegram:12345678`, `webhook:phone`. */
  readonly senders: readonly string[];
  /** Brings words to the root; the same key twice is one message. */
  tellRoot(message: { readonly key: string; readonly text: string }): void;
}

const longest = 4_000;

export function isAllowed({ channel, sender }: Pick<Reply, "channel" | "sender">, senders: readonly string[]): boolean {
  return sender !== "" && senders.includes(`${channel}:${sender}`);
}

/** Carries out a reply and returns what came of it. If it is taken again after a crash in the middle, it is still done only once. */
export async function takeReply(context: Context, reply: Reply, ports: ReplyPorts): Promise<string> {
  if (!isAllowed(reply, ports.senders)) {
    const facts = { channel: reply.channel, sender: reply.sender.slice(0, 100) };
    throw new Refusal(
      "reply.unknown-sender",
      `${reply.channel} ${JSON.stringify(facts.sender)} is not on the list`,
      facts,
    );
  }
  const { store, constellation } = context;
  const row = await store.write(async (tx) => {
    const known = await directiveRow(tx.db, constellation, reply.sourceKey);
    if (known !== undefined) return known;
    const { channel, sender, sourceKey } = reply;
    const text = reply.text.replaceAll("\0", "").toWellFormed().slice(0, longest).trim();
    const id = makeId("dir", tx.nowMs, context.random.bytes(10));
    const fresh: OwnerDirectivesTable = {
      id,
      constellation,
      at_ms: tx.nowMs,
      channel,
      sender,
      text,
      source_key: sourceKey,
      became: received,
    };
    await tx.insert("owner_directives", fresh);
    await tx.record({ type: "owner.replied", subject: `directive:${id}`, actor: "owner", data: { channel, text } });
    return fresh;
  });
  if (row.became !== received) return row.became;
  const became = await act(context, row, ports);
  await store.write((tx) => updateDirective(tx.db, row.id, became));
  return became;
}

const received = "received";

async function act(context: Context, { id, text }: OwnerDirectivesTable, ports: ReplyPorts): Promise<string> {
  if (text === "") return "nothing: it was empty";
  const answer = /^\/?(allow|deny)\s+([0-9a-z_]{4,40})\b\s*(.*)$/is.exec(text);
  if (answer === null) {
    ports.tellRoot({ key: id, text });
    return "a message to the root";
  }
  const [, word = "", request = "", note = ""] = answer;
  const allow = word.toLowerCase() === "allow";
  try {
    const told = { id: request.toLowerCase(), allow, ...(note === "" ? {} : { note: note.slice(0, 500) }) };
    const row = await answerApproval({ ...context, actor: "owner" }, told);
    return `${row.state}: ${row.agent} ${row.asked}`.slice(0, 500);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return `nothing: ${messageOf(cause)}`;
  }
}
