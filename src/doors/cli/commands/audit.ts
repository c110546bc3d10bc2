// The audit on the command line: verify what is here or what was exported, and export it.

import { createReadStream, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { counted } from "../../../protocol/counted.ts";
import { Outage, Refusal, systemCode } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { RunCommand } from "../command.ts";

export const verify: RunCommand = async (context, input) => {
  const headsFile = input.flag("heads");
  const heads = headsFile === undefined ? undefined : readText(resolve(context.cwd, headsFile));
  const bundle = input.flag("bundle");
  const answer =
    bundle === undefined
      ? await (await context.caller()).call("audit.verify", heads === undefined ? {} : { heads })
      : await context.backstage.verifyBundle(linesOf(resolve(context.cwd, bundle)), heads);
  const where = answer.broken_at === null ? "" : ` at event ${answer.broken_at}`;
  return {
    json: answer,
    text: answer.ok
      ? `The chain holds: ${counted(answer.count, "event")}, ${signed(answer)}, ${anchored(answer)}.`
      : `The chain is broken${where}: ${answer.problem}.`,
    ...(answer.ok ? {} : { exit: exitCodes.negative }),
  };
};

export const exportAll: RunCommand = async (context) => {
  const settings = await context.settings();
  const events = await context.backstage.exportAudit(settings, (line) => context.output.data(`${line}\n`));
  context.output.say(`constel: ${counted(events, "event")} written`);
  return undefined;
};

function signed({ signed: count, unsigned }: { readonly signed: number; readonly unsigned: number }): string {
  if (count === 0) return "not signed";
  return unsigned === 0 ? "all signed" : `${count} of them signed (${unsigned} are from before events were signed)`;
}

function anchored({ anchors, anchored_seq: seq }: { readonly anchors: number; readonly anchored_seq: number }): string {
  return anchors === 0 ? "no signed heads to compare with" : `${counted(anchors, "signed head")} up to event ${seq}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): Error {
  if (systemCode(cause) === "ENOENT") return new Refusal("usage.bad-value", `there is no file ${path}`, { path });
  return new Outage("read", path, cause);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}
