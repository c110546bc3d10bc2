// The newest messages and whether each arrived.

import { systemClock } from "../../../host/clock/system-clock.ts";
import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { ago } from "../present/time.ts";

export const list: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("message.list", input.asked("message.list"));
  const { messages, total } = answer;
  const nowMs = systemClock.nowMs();
  const text = (): string =>
    messages.length === 0
      ? "No message was sent."
      : table(
          ["sent", "from", "to", "state", "id", "text"],
          messages.map(({ sent_ms: sentMs, sender, receiver, state, id, text: said }) => [
            sentMs === null ? "" : `${ago(nowMs - sentMs)} ago`,
            sender,
            receiver,
            state,
            id?.slice(-6) ?? "",
            oneLine(said ?? "").slice(0, 200),
          ]),
          context.output,
        );
  const rest = `constel channel messages --limit ${total}`;
  return sayingCut({ json: answer, text }, { shown: messages.length, total, rest }, context.output);
};
