// Claims on the command line.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseDuration } from "../../../floor/quiet.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import { shortOf } from "../present/finding-lines.ts";
import { pathText } from "../present/hunks.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

export const add: RunCommand = async (context, input) => {
  const paths = input.rest("paths");
  if (paths.length === 0) throw new Refusal("usage.missing-argument", "name what is claimed", { argument: "paths" });
  const agent = input.flag("agent");
  const time = input.flag("for");
  const severity = input.flag("severity") as "high" | "medium" | "low" | undefined;
  const reason = input.flag("reason");
  const caller = await context.caller();
  const receipt = await caller.call("claim.add", {
    path: context.cwd,
    paths: [...paths],
    ...(agent === undefined ? {} : { agent }),
    ...(time === undefined ? {} : { for_ms: parseDuration(time) }),
    ...(severity === undefined ? {} : { severity }),
    ...(reason === undefined ? {} : { reason }),
    ...(input.has("exclusive") ? { exclusive: true } : {}),
  });
  const { also_claimed_by: others } = receipt;
  const also = others.length === 0 ? "" : `\n${others.join(" and ")} claimed some of it too: talk first.`;
  const what = receipt.paths.map(pathText).join(", ");
  return {
    json: receipt,
    text: `${receipt.holder} claims ${what} until ${utc(receipt.expires_ms)} (${shortOf(receipt.id)}).${also}`,
  };
};

const claimColumns = ["id", "holder", "severity", "expires_ms", "repository_name", "paths", "reason"] as const;

export const list: RunCommand = async (context, input) => {
  const word = input.flag("repo");
  const path = word === undefined ? undefined : resolve(context.cwd, word);
  const repository = path !== undefined && existsSync(path) ? path : word;
  const caller = await context.caller();
  const wanted = repository === undefined ? {} : { repository };
  const answer = await caller.list("claim.list", wanted, context.output.json ? undefined : claimColumns);
  const text = (): string => {
    if (answer.claims.length === 0) return "Nothing is claimed.";
    const rows = answer.claims.map((one) => [
      shortOf(one.id),
      one.holder,
      one.severity,
      utc(one.expires_ms),
      one.repository_name,
      one.paths.map(pathText).join(", "),
      one.reason,
    ]);
    return table(["claim", "holder", "severity", "until", "repository", "paths", "why"], rows, context.output);
  };
  return { json: answer, text };
};

export const drop: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("claim.drop", { id: input.argument("id") });
  return { json: receipt, text: `${receipt.holder} no longer claims it.` };
};
