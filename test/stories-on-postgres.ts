// Runs stories over a Postgres server of their own: `bun test/stories-on-postgres.ts test/tasks.test.ts …`. Those that are about the SQLite file itself
// (damage, lost-database, full-disk) have nothing to say there.

import { startPostgres } from "./kit/postgres.ts";

const server = await startPostgres();
const tests = Bun.spawn([process.execPath, "test", "--timeout", "300000", ...process.argv.slice(2)], {
  env: { ...process.env, CONSTEL_TEST_STORE: await server.database() },
  stdio: ["ignore", "inherit", "inherit"],
});
const code = await tests.exited;
await server.stop();
process.exit(code);
