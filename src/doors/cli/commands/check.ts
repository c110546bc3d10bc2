// `constel check`: asks backstage, prints the verdict.

import { counted } from "../../../protocol/counted.ts";
import { listed } from "../../../protocol/listed.ts";
import { exitFor } from "../../../protocol/exit-codes.ts";
import { budgetWish } from "../../../settings/budget.ts";
import { compilerWish } from "../../../settings/compilers.ts";
import { enclosureWish } from "../../../settings/enclosure.ts";
import type { RunCommand } from "../input/command.ts";
import { heldClaims } from "../held-claims.ts";
import { findingBlocks } from "../present/findings.ts";
import { pathText } from "../present/hunks.ts";
import { namesOf, renamed } from "../present/names.ts";
import { openLines, unaskedLines } from "../present/open-parts.ts";
import { withProgress } from "../present/progress.ts";

export const check: RunCommand = async (context, input) => {
  if (input.has("open-prs")) return await (await import("./check-open-prs.ts")).checkOpenPrs(context, input);
  const gate = input.has("gate") || input.has("gate-command");
  const { signal } = context;
  const settings = await context.settings();
  const facts = { home: context.places.home, maxBytes: settings.config["sense.facts_mb"] * 1024 * 1024 };
  const report = await withProgress(context.output, gate ? "comparing, and running the gate" : "comparing", () =>
    context.backstage.checkPair({
      cwd: context.cwd,
      ours: input.optional("ours"),
      theirs: input.optional("theirs"),
      gate,
      gateCommand: input.flag("gate-command"),
      facts,
      fetch: settings.config["repo.fetch_seconds"] > 0,
      compilers: compilerWish(settings),
      budget: budgetWish(settings),
      environment: context.env,
      enclosure: enclosureWish(settings),
      claims: heldClaims(context),
      signal,
    }),
  );
  const { verdict, hints } = report;
  const alarms = verdict.findings.filter(({ severity }) => severity !== "context");
  const shown = input.has("all") ? verdict.findings : alarms;
  const text = (): string => {
    const { paint, columns } = context.output;
    const labels = [verdict.ours.label, verdict.theirs.label];
    const name = namesOf(labels);
    const said = (text: string): string => renamed(text, labels, name);
    const names = listed(labels.map(name));
    // A user who asked for all of it gets the whole names once; the text after that uses the short ones.
    const meant = labels.filter((label) => name(label) !== label).map((label) => paint.dim(`${name(label)}  ${label}`));
    const left = verdict.findings.length - shown.length;
    const headline =
      alarms.length === 0
        ? verdict.complete
          ? paint.green(`${names}: nothing collides.`)
          : paint.yellow(`${names}: no collision seen.`)
        : paint.bold(`${names}: ${counted(alarms.length, "finding")}.`);
    return [
      headline,
      ...(input.has("explain") ? meant : []),
      ...findingBlocks(shown, verdict, { columns, paint, explain: input.has("explain") }),
      ...(left > 0 ? [paint.dim(`${left} more as context: --all shows ${left === 1 ? "it" : "them"}.`)] : []),
      ...openLines(
        verdict.open.map(({ why, isComing }) => ({ why: said(why), coming: isComing === true })),
        context.output,
      ),
      ...(verdict.complete
        ? verdict.notes.map((note) => paint.dim(`note: ${pathText(said(note))}`))
        : unaskedLines(
            verdict.notes.map((note) => ({ why: said(note) })),
            context.output,
          )),
      ...hints.map((hint) => paint.dim(`hint: ${said(hint)}`)),
    ].join("\n");
  };
  const findings = input.has("all") ? verdict.findings : alarms;
  return {
    json: { ...report, verdict: { ...verdict, findings } },
    text,
    exit: exitFor(alarms.length, verdict.open.length),
  };
};
