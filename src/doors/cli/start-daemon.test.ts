import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../settings/settings.ts";
import type { CliContext } from "./context.ts";
import { startDaemon } from "./start-daemon.ts";

test("a daemon that ends without a word is an outage that names how it ended", async () => {
  const home = mkdtempSync(join(tmpdir(), "constel-start-"));
  try {
    // This very program is the test here, and is no daemon: what is started ends at once.
    const env = { PATH: process.env["PATH"], HOME: home };
    const context = { env, cwd: home, flags: { home }, settings: () => loadSettings(env, home, { home }) };
    const met = await startDaemon(context as unknown as CliContext).catch((cause: unknown) => cause);
    expect(met).toMatchObject({ code: "daemon.unreachable", message: expect.stringContaining("ended with code 1") });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
