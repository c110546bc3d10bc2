// The audit on the command line: verify what is here or what was exported, and export it.

import { createReadStream, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Restore, restoreWords } from "../../../protocol/restored.ts";
import { childEnvironment } from "../../../host/process/child-environment.ts";
import { ringToJudgeBy } from "../../../host/keys/key-files.ts";
import { processesOfNobody } from "../../../host/process/run-as-nobody.ts";
import { counted } from "../../../protocol/counted.ts";
import { Outage, Refusal, systemCode } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { complaintAboutProgram } from "../../../settings/commands.ts";
import { readEnv } from "../../../settings/env.ts";
import type { RunCommand } from "../input/command.ts";

export const verify: RunCommand = async (context, input) => {
  const headsFile = input.flag("heads");
  const bundle = input.flag("bundle");
  const heads =
    headsFile !== undefined
      ? readText(resolve(context.cwd, headsFile))
      : bundle === undefined
        ? await keptElsewhere((await context.settings()).config["audit.kept_command"])
        : undefined;
  // Without the ring each signature would be called false.
  if (bundle === undefined) ringToJudgeBy(context.places.home);
  const answer =
    bundle === undefined
      ? await (await context.caller()).call("audit.verify", heads === undefined ? {} : { heads })
      : await context.backstage.verifyBundle(linesOf(resolve(context.cwd, bundle)), heads);
  const where = answer.broken_at === null ? "" : ` at event ${answer.broken_at}`;
  return {
    json: answer,
    text: answer.ok
      ? `The chain holds: ${counted(answer.count, "event")}, ${signed(answer)}, ${anchored(answer)}.${"missing_at" in answer ? lost(answer.missing_at) + restored(answer) : ""}`
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
  if (count + unsigned === 0) return "nothing has happened here yet";
  if (count === 0) return "not signed";
  return unsigned === 0 ? "all signed" : `${count} of them signed (${unsigned} from before there was a key)`;
}

function anchored({ anchors, anchored_seq: seq }: { readonly anchors: number; readonly anchored_seq: number }): string {
  if (anchors === 0) return "no signed heads to compare with yet";
  // The first one is laid down before anything happened.
  if (seq === 0) return "none of them covered by a signed head yet (that takes some ten seconds)";
  return `${counted(anchors, "signed head")} up to event ${seq}`;
}

/** The chain of an older database is whole: only what was told when the daemon opened it says that there was a newer one. */
function lost(missingAt: number | null): string {
  if (missingAt === null) return "";
  return `\nEvent ${missingAt} says that acknowledged writes were missing when the daemon opened the database: unless you restored a backup, somebody cut it or put an older one in its place.`;
}

function restored({
  restored: restore,
  restores,
}: {
  readonly restored: Restore | null;
  readonly restores: number;
}): string {
  if (restore === null) return "";
  const [first = "", ...rest] = restoreWords(restore, restores);
  return `\n${first.toUpperCase()}${rest.join("")}.`;
}

const keptDeadlineMs = 30_000;

/** Returns what the owner's command prints of the heads that were kept where no agent reaches. Undefined if there is no command. */
async function keptElsewhere(command: readonly string[]): Promise<string | undefined> {
  const [program, ...words] = command;
  if (program === undefined) return undefined;
  const env = childEnvironment(readEnv());
  const complaint = complaintAboutProgram(program, env["PATH"]);
  if (complaint !== undefined) throw new Outage("run", "audit.kept_command", complaint);
  const { code, stdout, stderr } = await processesOfNobody.run([program, ...words], {
    env,
    deadlineMs: keptDeadlineMs,
  });
  if (code !== 0) throw new Outage("run", program, stderr.slice(0, 300) || `it ended with ${code}`);
  const heads = Buffer.from(stdout).toString("utf8");
  if (heads.trim() === "") throw new Outage("run", program, "it printed no heads (audit.kept_command)");
  return heads;
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
