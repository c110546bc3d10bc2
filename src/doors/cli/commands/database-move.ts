// Moves the database, and changes the settings at the end.

import { join, resolve } from "node:path";
import { maskText } from "../../../floor/mask-argv.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { variableOf } from "../../../settings/declarations.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import type { RunCommand } from "../input/command.ts";
import { changeSetting } from "./config.ts";
import { withoutDaemon } from "./database.ts";

export const move: RunCommand = async (context, input) => {
  const to = input.flag("to");
  if (to === undefined) throw new Refusal("usage.missing-argument", "give the other database with --to", {});
  const url = addressOf(context, to);
  if (input.has("cancel")) {
    const given = await withoutDaemon(context, (keeping) => keeping.cancelMove(url));
    return {
      json: given,
      text: `The move to ${given.to} was given up: what was copied is removed, and the daemon writes here again.`,
    };
  }
  const moved = await withoutDaemon(context, (keeping) =>
    keeping.move(url, (words) => context.output.say(`constel: ${words}`)),
  );
  const settings = await nameIt(context, url);
  const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    json: { ...moved, settings },
    text: [
      `${moved.resumed ? "Went on, and moved" : "Moved"} "${moved.constellation}" from ${moved.from} to ${moved.to}: ${counted(rows, "row")} in ${counted(moved.tables.filter((table) => table.rows > 0).length, "table")}, equal by count and digest.`,
      `The chain of ${counted(moved.events, "event")} verifies there, with its signatures and the anchored heads.`,
      `${moved.from} keeps its rows and is marked: no daemon writes to it for "${moved.constellation}" any more.`,
      settings.says,
    ].join("\n"),
  };
};

/** A file is named as a path, as everywhere. */
function addressOf({ cwd }: CliContext, to: string): string {
  if (/^postgres(ql)?:\/\//.test(to)) return to;
  const path = to.startsWith("sqlite:") ? to.slice("sqlite:".length) : to;
  return `sqlite:${resolve(cwd, path)}`;
}

interface NamedIt {
  readonly key: "store.url";
  readonly changed: boolean;
  readonly says: string;
}

/** Last of all: until here whoever starts a daemon is told of the move. */
async function nameIt(context: CliContext, url: string): Promise<NamedIt> {
  const key = "store.url";
  const value = url === `sqlite:${join(context.places.home, inHome.database)}` ? "" : url;
  const origin = (await context.settings()).origins[key];
  await changeSetting(context, key, value);
  const shown = maskText(value === "" ? "(empty: meta.db in the home)" : value);
  if (origin !== "flag" && origin !== "environment") return { key, changed: true, says: `${key} = ${shown}` };
  const by = origin === "flag" ? "--set" : variableOf(key);
  return {
    key,
    changed: false,
    says: `${key} = ${shown} stands in config.toml, but ${by} still names the old database and outranks it: change it too.`,
  };
}
