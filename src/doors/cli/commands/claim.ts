// Claims on the command line.

import { listed } from "../../../protocol/listed.ts";
import type { RunCommand } from "../input/command.ts";
import { shortOf } from "../present/finding-lines.ts";
import { pathText } from "../present/hunks.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("claim.add", input.asked("claim.add", { path: context.cwd }));
  const { also_claimed_by: others } = receipt;
  const also = others.length === 0 ? "" : `\n${listed(others)} claimed some of it too: talk first.`;
  const what = receipt.paths.map(pathText).join(", ");
  return {
    json: receipt,
    text: `${receipt.holder} claims ${what} until ${utc(receipt.expires_ms)} (${shortOf(receipt.id)}).${also}`,
  };
};

const claimColumns = ["id", "holder", "severity", "expires_ms", "repository_name", "paths", "reason"] as const;

export const list: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const wanted = input.asked("claim.list");
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
  const receipt = await caller.call("claim.drop", input.asked("claim.drop"));
  return { json: receipt, text: `${receipt.holder} no longer claims it.` };
};
