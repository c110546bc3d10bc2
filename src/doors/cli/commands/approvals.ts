// Permission requests on the command line.

import { resolve } from "node:path";
import { z } from "zod";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { listApprovals } from "../../../protocol/operations/approvals.ts";
import type { AskedPermission } from "../../../protocol/permission.ts";
import { agentNamed } from "../../../floor/agents/agent-names.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import type { Output } from "../present/output.ts";
import { shortOf } from "../present/finding-lines.ts";
import { folded } from "../present/fold.ts";
import { oneLine, table } from "../present/table.ts";
import { ago, utc } from "../present/time.ts";

export const list: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("approval.list", input.asked("approval.list"));
  const text = (): string => {
    const { approvals } = answer;
    if (approvals.length === 0) return "No agent waits for your permission.";
    const nowMs = Date.now();
    const waiting = approvals.filter(({ state }) => state === "waiting");
    const over = approvals.filter(({ state }) => state !== "waiting");
    const parts = waiting.map((one) => blockOf(one, nowMs, context.output));
    if (waiting.length > 0) parts.push("Answer with: constel approvals allow <request>, or deny <request>");
    if (over.length > 0) parts.push(tableOf(over, context.output));
    return parts.join("\n\n");
  };
  return { json: answer, text };
};

type Approval = OutputOf<typeof listApprovals>["approvals"][number];

/** Shows a request that waits for an answer whole, on as many lines as that takes: nobody allows what was cut off. */
function blockOf(one: Approval, nowMs: number, { columns, paint }: Output): string {
  const task = one.task === null ? "" : `, task ${oneLine(one.task)}`;
  const head = `${paint.bold(shortOf(one.id))}  ${one.agent}${task}, asked ${utc(one.asked_ms)}, denied ${until(one.due_ms - nowMs)}`;
  const place = one.cwd === "" ? [] : [`in     ${oneLine(one.cwd)}`];
  const lines = [`wants  ${oneLine(one.asked)}`, ...place, `why    ${oneLine(one.why)}`];
  return [head, ...lines.flatMap((line) => folded(`  ${line}`, columns, " ".repeat(9)))].join("\n");
}

function tableOf(approvals: readonly Approval[], output: Output): string {
  const rows = approvals.map((one) => [
    shortOf(one.id),
    one.agent,
    one.task ?? "",
    one.state.replace("_", " "),
    utc(one.asked_ms),
    oneLine(one.asked),
    oneLine(one.why),
  ]);
  return table(["request", "agent", "task", "state", "asked", "wanted", "why it asked"], rows, output);
}

const until = (ms: number): string => (ms <= 0 ? "now" : `in ${ago(ms)}`);

export const answer: RunCommand = async (context, input) => {
  const asked = input.asked("approval.answer");
  const receipt = await (await context.caller()).call("approval.answer", asked);
  const may = asked.allow ? "may" : "may not";
  return { json: receipt, text: `${receipt.agent} ${may} run: ${oneLine(receipt.asked)}` };
};

export const check: RunCommand = async (context, input) => {
  const judged = await context.backstage.judgePermission(await context.settings(), () => requestOf(context, input));
  return {
    json: judged,
    text: `${judged.decision}: ${oneLine(judged.part)}\n  ${oneLine(judged.why)} (${judged.rule})`,
    ...(judged.decision === "allow" ? {} : { exit: exitCodes.negative }),
  };
};

const shape = z.object({ tool: z.string(), input: z.unknown(), cwd: z.string() });

async function requestOf(context: CliContext, input: CommandInput): Promise<AskedPermission> {
  const named = input.flag("agent") ?? context.places.agent ?? "agent1";
  const agent = agentNamed(named);
  if (context.places.agent !== undefined && agent !== context.places.agent)
    throw new Refusal("permission.not-yours", `${context.places.agent} cannot ask for ${agent}`, { agent });
  if (input.has("request")) {
    const given = shape.safeParse(JSON.parse(await Bun.stdin.text()));
    if (!given.success) throw new Refusal("input.invalid", "the request has no tool, input and cwd");
    return { agent, tool: given.data.tool, input: given.data.input, cwd: given.data.cwd };
  }
  const command = input.optional("command");
  if (command === undefined)
    throw new Refusal("usage.missing-argument", "name the command, in quotes", { argument: "command" });
  return { agent, tool: "Bash", input: { command }, cwd: resolve(context.cwd, input.flag("in") ?? ".") };
}
