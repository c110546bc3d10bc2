// Looking after the database: status, backups, restore, undo.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRingOf } from "../../../host/keys/key-files.ts";
import { signAsOwner } from "../../../host/keys/owner-signer.ts";
import { tryLock } from "../../../host/process/file-lock.ts";
import { ownerHolder } from "../../../ports/keys.ts";
import { counted } from "../../../protocol/counted.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { StoreKeeping } from "../../../protocol/store-keeping.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CommandInput, RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { ownerWays } from "../owner-ways.ts";
import { table } from "../present/table.ts";
import { size, utc } from "../present/time.ts";

export const status: RunCommand = async (context) => {
  const keeping = await keep(context);
  const health = await keeping.health({ full: true });
  const backups = await keeping.backups().catch((cause: unknown) => {
    if (cause instanceof Refusal && cause.code === "store.no-client") return undefined;
    throw cause;
  });
  const [newest] = backups ?? [];
  return {
    json: { ...health, backups: backups?.length ?? null },
    text: () =>
      [
        `Where    ${health.where} (${health.kind})`,
        `State    ${health.problem ?? (health.exists ? `sound, schema ${health.schema}` : "none yet; it is made with the first change")}`,
        ...(health.problem !== null && health.hint !== null ? [`         ${health.hint}`] : []),
        `Size     ${health.bytes === null ? "unknown" : size(health.bytes)}`,
        `Backups  ${backups === undefined ? "unknown: pg_restore is not on the PATH" : newest === undefined ? "none" : `${backups.length}, newest ${newest.file}`}`,
      ].join("\n"),
    ...(health.problem === null ? {} : { exit: exitCodes.negative }),
  };
};

export const backup: RunCommand = async (context) => {
  const made = await (await keep(context)).backUp();
  return { json: made, text: `Made and verified ${made.file} (${size(made.bytes)}).` };
};

export const backups: RunCommand = async (context) => {
  const found = await (await keep(context)).backups();
  return {
    json: { backups: found },
    text: () =>
      found.length === 0
        ? "There are no backups yet: `constel db backup` makes one."
        : table(
            ["backup", "made", "schema", "size", "state"],
            found.map((one) => [
              one.file,
              utc(one.made_ms),
              String(one.schema),
              size(one.bytes),
              one.good ? "good" : "damaged",
            ]),
            context.output,
          ),
  };
};

export const restore: RunCommand = async (context, input) => {
  const { home } = context.places;
  const isOwned = readRingOf(home).keys.some(({ holder }) => holder === ownerHolder);
  const asOwner = (bytes: Uint8Array): Promise<string> => signAsOwner(home, ownerWays(context), bytes);
  const answer = await withoutDaemon(context, (keeping) =>
    keeping.restore(input.optional("backup"), isOwned ? asOwner : undefined),
  );
  const kept = answer.kept.length === 0 ? "" : `\nWhat stood there is kept as ${answer.kept.join(", ")}.`;
  const missing = answer.missing === null ? "" : `\nCompared with what this home last acknowledged, ${answer.missing}.`;
  const untold = answer.notPublished === null ? "" : `\nThe record of it was not published: ${answer.notPublished}.`;
  return { json: answer, text: `Restored ${answer.restored}.${missing}${kept}${untold}` };
};

export const sizes: RunCommand = async (context) => {
  const found = await (await keep(context)).size();
  const filled = found.tables.filter((one) => one.rows > 0);
  const { day, week, month } = found.growth;
  return {
    json: found,
    text: () =>
      [
        `Size     ${size(found.bytes)} (${found.kind}), ${counted(found.tables.length, "table")}, ${filled.length} of them with rows`,
        `Growth   ${counted(day, "event")} in a day, ${week} in 7 days, ${month} in 30 days`,
        "",
        table(
          ["table", "rows", "size"],
          filled.map((one) => [one.table, String(one.rows), one.bytes === null ? "unknown" : size(one.bytes)]),
          context.output,
        ),
        "",
        table(
          ["events", "count", "text"],
          found.events.map((one) => [one.type, String(one.count), size(one.bytes)]),
          context.output,
        ),
      ].join("\n"),
  };
};

export const begin: RunCommand = async (context) => {
  await withoutDaemon(context, (keeping) => keeping.begin());
  return { json: { begun: true }, text: "An empty database was begun. Backups are left as they are." };
};

export const undo: RunCommand = async (context) => {
  const answer = await withoutDaemon(context, (keeping) => keeping.undo());
  return {
    json: answer,
    text: `The schema is back at ${answer.to} (was ${answer.from}); backup ${answer.backup ?? "none"}.`,
  };
};

export const roles: RunCommand = async (context) => {
  const logins = await (await keep(context)).logins();
  const text = (): string =>
    logins.length === 0
      ? "There are no logins for queries yet: `constel db roles add <constellation>` makes one."
      : table(
          ["login", "sees"],
          logins.map(({ role, constellation }) => [role, constellation ?? "every constellation"]),
          context.output,
        );
  return { json: { roles: logins }, text };
};

export const addRole: RunCommand = async (context, input) => {
  const made = await (await keep(context)).makeLogin(whoseRole(input));
  const sees = made.constellation === null ? "every constellation" : made.constellation;
  return {
    json: made,
    text: [
      `The login ${made.role} sees ${sees}. Its address is shown this once:`,
      `  ${made.url}`,
      "Whoever is to use it runs `constel config set store.query_url <address>`.",
    ].join("\n"),
  };
};

export const removeRole: RunCommand = async (context, input) => {
  const constellation = whoseRole(input);
  const removed = await (await keep(context)).dropLogin(constellation);
  if (!removed) throw new Refusal("store.role-unfit", `there is no login for ${constellation ?? "the team"}`);
  return { json: { removed, constellation }, text: "The login is gone." };
};

function whoseRole(input: CommandInput): string | null {
  const constellation = input.optional("constellation");
  if (input.has("team") === (constellation !== undefined))
    throw new Refusal("usage.bad-value", "name one constellation, or say --team for all of them");
  return constellation ?? null;
}

async function keep(context: CliContext): Promise<StoreKeeping> {
  return context.backstage.keepStore(await context.settings());
}

/** Holds the daemon's lock meanwhile, so that none starts in the middle. */
export async function withoutDaemon<T>(context: CliContext, use: (keeping: StoreKeeping) => Promise<T>): Promise<T> {
  const { home } = context.places;
  if (!existsSync(join(home, inHome.state)))
    throw new Refusal("store.backup-missing", `there is nothing in ${home} yet`);
  const lock = tryLock(home, inHome.daemonLock);
  if (lock === undefined) throw new Refusal("daemon.running", "the daemon has the database open");
  try {
    return await use(await keep(context));
  } finally {
    lock.release();
  }
}
