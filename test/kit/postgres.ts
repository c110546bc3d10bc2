// One private Postgres server for a test file: on a free port, in a temporary directory, as an unprivileged user when we are
// root (Postgres refuses to run as root). Each test gets a database of its own. A guard process outlives a killed test run
// and stops the server, so that nothing is left behind.

import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import postgres from "postgres";

export interface TestPostgres {
  /** A new, empty database. */
  database(): Promise<string>;
  /** A new database with what `make` made of an empty one; it makes it once for each name. */
  copyOf(name: string, make: (url: string) => Promise<void>): Promise<string>;
  stop(): Promise<void>;
}

/** The reason why the Postgres half is left out. Undefined when it must run. */
export const withoutPostgres: string | undefined =
  process.env["CONSTEL_CHECK_NO_POSTGRES"] === "1" ? "CONSTEL_CHECK_NO_POSTGRES=1" : undefined;

const top = join(import.meta.dir, "../..");

export async function startPostgres(): Promise<TestPostgres> {
  const programs = output(["bash", join(top, "scripts/postgres.sh")]).trim();
  // Not TMPDIR: the server's user must be able to reach it, and a socket's path has a short limit. bin/check names a better one.
  const directory = mkdtempSync(join(process.env["CONSTEL_CHECK_PLACE"] ?? "/tmp", "constel-postgres-"));
  const asUser = unprivileged(directory);
  const data = join(directory, "data");
  const run = (program: string, ...rest: string[]): string => output([...asUser, join(programs, program), ...rest]);
  try {
    run("initdb", "-D", data, "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C");
    const port = await freePort();
    const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${directory} -c fsync=off -c synchronous_commit=off`;
    run("pg_ctl", "-D", data, "-w", "-l", join(directory, "log"), "-o", settings, "start");
    const stopServer = [...asUser, join(programs, "pg_ctl"), "-D", data, "-m", "immediate", "stop"];
    const guard = startGuard(stopServer, { directory, data });
    const admin = postgres(`postgres://app@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} });
    const address = (name: string): string => `postgres://app@127.0.0.1:${port}/${name}`;
    const originals = new Map<string, Promise<void>>();
    let made = 0;
    const create = async (name = `test${++made}`, more = ""): Promise<string> => {
      await admin.unsafe(`create database ${name} ${more}`);
      return address(name);
    };
    return {
      database: () => create(),
      async copyOf(name, make) {
        if (!originals.has(name)) originals.set(name, create(name).then(make));
        await originals.get(name);
        return create(undefined, `template ${name}`);
      },
      async stop() {
        await admin.end({ timeout: 1 });
        // The guard does the stopping, so that there is one way for it to end.
        guard.stdin.end();
        await guard.exited;
      },
    };
  } catch (cause) {
    rmSync(directory, { recursive: true, force: true });
    throw cause;
  }
}

/** Stops the server and removes its directory when our end of its pipe closes: by `stop`, by exit, or by a kill. */
function startGuard(
  stopServer: readonly string[],
  { directory, data }: { readonly directory: string; readonly data: string },
): Bun.Subprocess<"pipe", "ignore", "ignore"> {
  const quoted = stopServer.map((part) => `'${part}'`).join(" ");
  // A test that froze the server and failed has left it so.
  const thaw = `first=$(head -1 '${data}/postmaster.pid') && kill -CONT $first $(ps -o pid= --ppid $first)`;
  return Bun.spawn(["sh", "-c", `trap '' INT TERM HUP; cat >/dev/null; ${thaw}; ${quoted}; rm -rf '${directory}'`], {
    stdin: "pipe",
    detached: true,
    stdout: "ignore",
    stderr: "ignore",
  });
}

function unprivileged(directory: string): string[] {
  if (process.getuid?.() !== 0) return [];
  const [user, group] = output(["sh", "-c", "id -u postgres; id -g postgres"]).trim().split("\n").map(Number);
  if (user === undefined || group === undefined) throw new Error("there is no user postgres");
  chownSync(directory, user, group);
  chmodSync(directory, 0o700);
  return ["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups"];
}

function output(command: readonly string[]): string {
  const done = Bun.spawnSync([...command], { cwd: "/", stdout: "pipe", stderr: "pipe" });
  if (done.exitCode !== 0) throw new Error(`${command.join(" ")}: ${done.stderr.toString()}`);
  return done.stdout.toString();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === "object" ? resolve(address.port) : reject(address)));
    });
  });
}
