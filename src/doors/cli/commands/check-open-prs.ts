// `constel check --open-prs`: one pull request against all the others that are open, for people and for CI.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { OpenPullsReport } from "../../../protocol/open-pulls.ts";
import { budgetWish } from "../../../settings/budget.ts";
import type { RunCommand } from "../input/command.ts";
import { withProgress } from "../present/progress.ts";
import { oneLine } from "../present/table.ts";

export const checkOpenPrs: RunCommand = async (context, input) => {
  const pull = wholeNumber("pr", input.flag("pr"));
  if (pull === undefined)
    throw new Refusal("usage.missing-argument", "--open-prs needs --pr and the number of a pull request");
  const rule = input.flag("red-on") ?? "never";
  if (!/^[a-z][a-z-]*$/.test(rule))
    throw new Refusal("usage.bad-value", `--red-on ${rule} is no rule`, { flag: "red-on" });
  const variable = input.flag("token-env");
  const token = variable === undefined ? undefined : (context.env[variable] ?? "");
  const settings = await context.settings();
  const report = await withProgress(context.output, "comparing with the open pull requests", (progress) =>
    context.backstage.checkOpenPulls({
      cwd: context.cwd,
      pull,
      most: wholeNumber("most", input.flag("most")) ?? 50,
      hosts: settings.config["forge.hosts"] as readonly unknown[],
      token,
      comment: input.has("comment"),
      told: (done, total) => progress.tell("comparing with the open pull requests", { done, total }),
      environment: context.env,
      budget: budgetWish(settings),
      signal: context.signal,
    }),
  );
  return { json: report, text: () => words(report), exit: isRed(report, rule) ? exitCodes.negative : exitCodes.ok };
};

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal("usage.bad-value", `--${flag} ${text} is no number`, { flag });
  return Number(text);
}

/** Red is the owner's word: without a rule, a collision is told and nothing is stopped. */
function isRed({ collisions }: OpenPullsReport, rule: string): boolean {
  if (rule === "never") return false;
  if (rule === "any") return collisions.length > 0;
  return collisions.some(({ findings }) => findings.some(({ kind, severity }) => kind === rule || severity === rule));
}

function words({ pull, compared, collisions, open, commented }: OpenPullsReport): string {
  const others = counted(compared, "other open pull request");
  const head =
    collisions.length === 0
      ? `Pull request ${pull.number} collides with none of ${others}.`
      : `Pull request ${pull.number} collides with ${collisions.length} of ${others}:`;
  return [
    head,
    ...collisions.flatMap(({ number, title, findings }) => [
      `  #${number} ${oneLine(title)}`,
      ...findings.map((one) => `    ${one.severity}  ${oneLine(one.title)}`),
    ]),
    ...open.map(({ number, why }) => `Not compared, or not wholly: #${number} (${oneLine(why)})`),
    ...(commented ? ["The comment on it says so."] : []),
  ].join("\n");
}
