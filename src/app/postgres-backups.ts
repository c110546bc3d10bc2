// Backups of a Postgres database: dumps by the server's own client (pg_dump, pg_restore, psql). A dump holds the whole schema, every constellation in it;
// what is put back are the rows of ours. How a dump becomes tables beside those in use: pg_restore writes it as SQL, and psql runs that in one
// transaction in which a new schema has the name of the one in use for a moment.

import { basename, dirname, join } from "node:path";
import { readdirSync, statSync } from "node:fs";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { childEnvironment } from "../host/process/child-environment.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { RunOutcome } from "../ports/machine.ts";
import { Outage, Refusal } from "../protocol/errors.ts";
import { readEnv } from "../settings/env.ts";
import { compactUtc } from "../store/backup.ts";
import { allMigrations } from "../store/migrations/all.ts";
import { partsOfSchema } from "../store/moving/parts.ts";
import { currentSchema, dropSchema } from "../store/restore-rows.ts";

export interface Dump {
  readonly file: string;
  readonly path: string;
  readonly version: number;
  readonly madeMs: number;
  readonly bytes: number;
}

const namePattern = /^postgres-v(\d+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{3})Z\.dump$/;

/** A large database takes its time; a server that hangs is not waited for until somebody notices. */
const dumpWithinMs = 6 * 3_600_000;

export async function makeDump(url: string, directory: string, nowMs: number): Promise<Dump> {
  const version = allMigrations.length;
  const name = `postgres-v${version}-${compactUtc(nowMs)}.dump`;
  const path = join(directory, name);
  const schema = await currentSchema(url);
  using place = TrustedDirectory.open(dirname(directory), basename(directory), { create: true });
  // Ours from the first byte, and open to nobody else.
  place.writeNew(name, "", { sync: false });
  try {
    await client(url, [
      "pg_dump",
      "--format=custom",
      "--no-owner",
      "--no-privileges",
      `--schema=${schema}`,
      `--file=${path}`,
    ]);
    await wholeDump(path);
    place.syncFile(name);
    place.sync();
  } catch (cause) {
    place.remove(name);
    throw cause;
  }
  return { file: name, path, version, madeMs: nowMs, bytes: statSync(path).size };
}

/** Newest first. */
export function listDumps(directory: string): Dump[] {
  const found: Dump[] = [];
  for (const file of readdirSync(directory)) {
    const match = namePattern.exec(file);
    if (match === null) continue;
    const [version = 0, year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = match
      .slice(1)
      .map(Number);
    const path = join(directory, file);
    found.push({
      file,
      path,
      version,
      madeMs: Date.UTC(year, month - 1, day, hour, minute, second, ms),
      bytes: statSync(path).size,
    });
  }
  return found.sort((a, b) => b.madeMs - a.madeMs);
}

/** Reads every byte of it; an outage says why it cannot be used. */
export async function wholeDump(path: string): Promise<void> {
  await run(["pg_restore", "--file=/dev/null", path], {});
}

export async function isWholeDump(path: string): Promise<boolean> {
  try {
    await wholeDump(path);
    return true;
  } catch {
    return false;
  }
}

/** Fills a schema of its own with the tables of a dump, and nothing else of it. */
export async function loadDump(
  url: string,
  { path, directory, schema }: { readonly path: string; readonly directory: string; readonly schema: string },
): Promise<void> {
  const live = await currentSchema(url);
  const tables = new Set([...(await partsOfSchema()).map(({ table }) => table), "schema_migrations"]);
  const listed = await run(["pg_restore", "--list", path], {});
  const wanted = listed.split("\n").filter((line) => {
    const [, kind = "", name = ""] = /^\d+; \d+ \d+ (TABLE DATA|TABLE) \S+ (\S+)/.exec(line) ?? [];
    return kind !== "" && tables.has(name);
  });
  if (wanted.length < 2 * tables.size)
    throw new Refusal("store.corrupt", `the dump ${path} does not hold every table of constel's`, { path });
  using place = TrustedDirectory.open(dirname(directory), basename(directory));
  const [list, script] = [`${schema}.list`, `${schema}.sql`];
  try {
    place.write(list, `${wanted.join("\n")}\n`);
    place.write(script, "");
    await run(
      ["pg_restore", "--no-owner", `--use-list=${join(directory, list)}`, `--file=${join(directory, script)}`, path],
      {},
    );
    await dropSchema(url, schema);
    const aside = `${schema}_live`;
    const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
    await client(url, [
      "psql",
      "--no-psqlrc",
      "--quiet",
      "--single-transaction",
      "--set=ON_ERROR_STOP=1",
      `--command=alter schema ${quoted(live)} rename to ${quoted(aside)}`,
      `--command=create schema ${quoted(live)}`,
      `--file=${join(directory, script)}`,
      `--command=alter schema ${quoted(live)} rename to ${quoted(schema)}`,
      `--command=alter schema ${quoted(aside)} rename to ${quoted(live)}`,
    ]);
  } finally {
    place.remove(list);
    place.remove(script);
  }
}

/** The password goes by the environment: words of a command are seen by everybody on the machine. */
async function client(url: string, [program = "", ...words]: readonly string[]): Promise<string> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  return run([program, `--dbname=${address.toString()}`, ...words], password === "" ? {} : { PGPASSWORD: password });
}

async function run(command: readonly string[], more: Readonly<Record<string, string>>): Promise<string> {
  const [program = ""] = command;
  const env = { ...childEnvironment(readEnv()), ...more };
  if (Bun.which(program, { PATH: env["PATH"] ?? "" }) === null)
    throw new Refusal("store.no-client", `${program} is not there`, { program });
  const outcome = await systemProcesses.run(command, { env, deadlineMs: dumpWithinMs });
  if (outcome.code !== 0) throw new Outage("run", program, new Error(saidBy(outcome)));
  return new TextDecoder().decode(outcome.stdout);
}

const saidBy = ({ stderr, code, signal }: RunOutcome): string =>
  stderr.trim().slice(0, 500) || `it ended with ${code ?? signal}`;
