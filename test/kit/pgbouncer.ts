// A pooler in front of a test's Postgres: pgbouncer, which lends the server's connections for one transaction each.

import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { join } from "node:path";

export interface TestPooler {
  /** The address by the pooler of a database of the server. */
  behind(url: string): string;
  stop(): Promise<void>;
}

const found = Bun.spawnSync(["bash", join(import.meta.dir, "../../scripts/pgbouncer.sh")]);
const program = found.stdout.toString().trim();

/** The reason why no pooler can be had here; undefined where one can. */
export const withoutPgbouncer: string | undefined =
  found.exitCode === 0 ? undefined : found.stderr.toString().trim().split("\n").at(-1);

/** `settings`: more lines of its configuration. */
export async function startPgbouncer(server: string, settings: readonly string[] = []): Promise<TestPooler> {
  const { hostname, port: serverPort } = new URL(server);
  const directory = mkdtempSync(join(process.env["CONSTEL_CHECK_PLACE"] ?? "/tmp", "constel-pgbouncer-"));
  const port = await freePort();
  const users = join(directory, "users.txt");
  writeFileSync(users, '"app" ""\n');
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(
    file,
    [
      "[databases]",
      `* = host=${hostname} port=${serverPort}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      // Few: whoever leaves something on a connection leaves it to others.
      "default_pool_size = 2",
      "max_client_conn = 100",
      ...settings,
      "",
    ].join("\n"),
  );
  const user = process.getuid?.() === 0 ? ["-u", "postgres"] : [];
  if (user.length > 0) {
    const id = Number(Bun.spawnSync(["id", "-u", "postgres"]).stdout.toString());
    for (const path of [directory, users, file]) chownSync(path, id, id);
    chmodSync(directory, 0o700);
  }
  const child = Bun.spawn([program, ...user, file], { stdio: ["ignore", "ignore", "ignore"] });
  await answers(port);
  return {
    behind(url) {
      const address = new URL(url);
      address.port = String(port);
      return address.toString();
    },
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1");
      socket.once("connect", () => (socket.destroy(), resolve(true))).once("error", () => resolve(false));
    });
    if (isThere) return;
    if (performance.now() > deadline) throw new Error("pgbouncer did not come up");
    await Bun.sleep(20);
  }
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
