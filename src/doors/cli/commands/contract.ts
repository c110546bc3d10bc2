// `constel contract …`: asks backstage, prints changes and one verdict.

import { systemClock } from "../../../host/clock/system-clock.ts";
import type { Budgeted } from "../../../protocol/check.ts";
import type { ContractRequest, ContractVerdict, DiffReport } from "../../../protocol/contract-report.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitFor } from "../../../protocol/exit-codes.ts";
import { shellLine } from "../../../protocol/shell-line.ts";
import { budgetWish } from "../../../settings/budget.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import type { Paint } from "../present/output.ts";
import { sayingCut } from "../present/cut.ts";
import { withProgress } from "../present/progress.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";

/** More says nothing new on a screen; `--json` has them all. */
const mostShown = 200;

export const diff: RunCommand = async (context, input) => {
  const { diff: compare } = await context.backstage.contracts();
  const sides = { before: input.argument("old"), after: input.argument("new") };
  const report = await withProgress(context.output, "comparing", async () =>
    compare({ ...(await requestOf(context)), ...sides, today: today() }),
  );
  const fails = report.verdict === "breaking" || (report.verdict === "dangerous" && input.has("dangerous"));
  return {
    json: report,
    text: () => diffText(report, input.has("all"), context),
    exit: exitFor(fails ? 1 : 0, report.complete ? 0 : 1),
  };
};

export const list: RunCommand = async (context) => {
  const found = await withProgress(context.output, "reading", async () =>
    (await context.backstage.contracts()).list(await requestOf(context)),
  );
  const rows = found.contracts.map(({ path, format }) => [path, format]);
  const cut = found.complete ? [] : ["The repository has more files than were opened; the list is not complete."];
  return {
    json: found,
    text: () =>
      [rows.length === 0 ? "No specifications." : table(["path", "format"], rows, context.output), ...cut].join("\n"),
  };
};

export const history: RunCommand = async (context, input) => {
  const text = input.flag("limit") ?? "20";
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Refusal("usage.bad-value", `--limit takes a number above 0, not ${text}`);
  const path = input.argument("path");
  const limit = Number(text);
  // One more than is shown tells whether there are more.
  const found = await withProgress(context.output, "comparing", async () =>
    (await context.backstage.contracts()).history({
      ...(await requestOf(context)),
      path,
      limit: limit + 1,
      today: today(),
    }),
  );
  const versions = found.slice(0, limit);
  const rows = versions.map((one) => [
    one.commit.slice(0, 12),
    utc(one.at_ms),
    one.problem ?? one.verdict ?? "first version",
    one.subject,
  ]);
  const result = {
    json: { versions },
    text: () => table(["commit", "when", "verdict", "subject"], rows, context.output),
  };
  const rest = shellLine(["constel", "contract", "history", path, "--limit", String(limit * 10)]);
  const total = found.length > limit ? undefined : versions.length;
  return sayingCut(result, { shown: versions.length, total, rest }, context.output);
};

async function requestOf(context: CliContext): Promise<ContractRequest & Budgeted> {
  const { cwd, env, signal } = context;
  return { cwd, environment: env, signal, budget: budgetWish(await context.settings()) };
}

const today = (): string => new Date(systemClock.nowMs()).toISOString().slice(0, 10);

function diffText(
  { format, verdict, changes, complete, notes }: DiffReport,
  isAll: boolean,
  context: CliContext,
): string {
  const { paint } = context.output;
  const worth = isAll ? changes : changes.filter((one) => one.verdict !== "compatible");
  const shown = worth.slice(0, mostShown);
  const left = changes.length - worth.length;
  const headline = paintOf(paint, verdict)(`${format}: ${changes.length === 0 ? "no changes" : verdict}`);
  return [
    `${headline}${changes.length === 0 ? "" : ` (${counted(changes.length, "change")})`}`,
    ...shown.flatMap((one) => [
      `${paintOf(paint, one.verdict)(one.verdict.padEnd(10))} ${oneLine(one.path)}`,
      `           ${oneLine(one.text)}  ${paint.dim(one.rule)}`,
    ]),
    ...(worth.length > shown.length ? [`… and ${worth.length - shown.length} more: --json has them all`] : []),
    ...(left > 0 ? [paint.dim(`${counted(left, "compatible change")} not shown: --all shows them`)] : []),
    ...notes.map((note) => `note: ${oneLine(note)}`),
    ...(complete ? [] : ["Not everything could be read, so there may be more."]),
  ].join("\n");
}

function paintOf(paint: Paint, verdict: ContractVerdict): (text: string) => string {
  return { breaking: paint.red, dangerous: paint.yellow, compatible: paint.green }[verdict];
}
