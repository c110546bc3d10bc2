import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { appendTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";
import { lastRestartWords, turnRestartLog } from "./restart-log.ts";

test("only the words of the last restart are shown, and a log that has grown is begun anew", () => {
  using home = temporaryDirectory("restart-log");
  expect(lastRestartWords(home.path)).toBe("");
  const append = (text: string): void => appendTrusted(home.path, inHome.restartLog, text);
  append("-- 2026-01-01T10:00:00.000Z restart-run agent1 --because crash\nit could not begin\n");
  expect(lastRestartWords(home.path)).toBe("it could not begin");
  append("-- 2026-01-01T10:05:00.000Z restart-run agent2 --because hang\n");
  expect(lastRestartWords(home.path)).toBe("");
  append("a line\nanother line\n");
  expect(lastRestartWords(home.path)).toBe("a line\nanother line");
  turnRestartLog(home.path);
  expect(existsSync(join(home.path, "logs/restarts.1.log"))).toBe(false);
  append("x".repeat(300_000));
  turnRestartLog(home.path);
  expect(existsSync(join(home.path, inHome.restartLog))).toBe(false);
  expect(readFileSync(join(home.path, "logs/restarts.1.log"), "utf8")).toContain("another line");
});
