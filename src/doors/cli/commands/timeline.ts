// The timeline on the command line: announce, look, follow.

import { join } from "node:path";
import { followEvents } from "../../../client/follow-events.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { inHome } from "../../../settings/paths.ts";
import type { RunCommand } from "../input/command.ts";
import { type CliContext, refuseServer } from "../context.ts";
import { jsonLine } from "../present/json-answer.ts";
import { sayingCut } from "../present/cut.ts";
import { oneLine, table } from "../present/table.ts";
import { shortUtc, utc } from "../present/time.ts";
import { startDaemon } from "../reach/start-daemon.ts";

/** The width from which there is room for whole times beside everything else. */
const wideFrom = 120;

const eventColumns = ["seq", "at_ms", "type", "subject", "actor", "data"] as const;

export const announce: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("timeline.announce", input.asked("timeline.announce"));
  return { json: receipt, text: `Announced as event ${receipt.seq}.` };
};

export const events: RunCommand = async (context, input) => {
  const wanted = input.asked("timeline.list");
  const { type, after_seq: after } = wanted;
  if (input.has("follow")) return follow(context, type, after);
  const caller = await context.caller();
  const columns = context.output.json ? undefined : eventColumns;
  const answer = await caller.list("timeline.list", wanted, columns);
  const result = {
    json: answer,
    text: () =>
      answer.events.length === 0
        ? 'Nothing has happened yet. Something does with: constel announce "hello"'
        : table(
            ["seq", "at", "type", "subject", "actor", "data"],
            answer.events.map((event) => [
              String(event.seq),
              context.output.columns < wideFrom ? shortUtc(event.at_ms, Date.now()) : utc(event.at_ms),
              event.type,
              event.subject ?? "",
              event.actor,
              JSON.stringify(event.data),
            ]),
            { ...context.output, right: new Set([0]), whole: new Set([0, 1, 2, 4]), middle: new Set([3]) },
          ),
  };
  const shown = answer.events.length;
  const last = answer.events.at(-1)?.seq ?? 0;
  const rest = after === undefined ? `constel events --limit ${Math.min(1_000, shown * 10)}` : `--after ${last}`;
  return sayingCut(result, { shown, total: answer.more ? undefined : shown, rest }, context.output);
};

async function follow(context: CliContext, type: string | undefined, after: number | undefined): Promise<undefined> {
  refuseServer(context, "constel events --follow");
  await startDaemon(context);
  const { output, signal } = context;
  const { home } = context.places;
  for await (const event of followEvents(join(home, inHome.socket), after, signal, daemonProof(home))) {
    if (type !== undefined && event.type !== type) continue;
    output.data(
      output.json
        ? `${jsonLine(event)}\n`
        : `${output.paint.dim(utc(event.at_ms))}  ${oneLine(`${event.type}  ${event.subject ?? ""}  ${event.actor}  ${JSON.stringify(event.data)}`)}\n`,
    );
  }
  return undefined;
}
