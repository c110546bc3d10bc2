// The command line as people meet it.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allCommands } from "../src/doors/cli/manifest/all.ts";
import { exitCodes } from "../src/protocol/exit-codes.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";

/** In KB, by the kernel's own account; 0 when the process has ended. (A child's `maxRSS` begins with its parent's.) */
function residentPeak(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

const commands = (await allCommands()).filter((command) => command.hidden !== true);

describe("help", () => {
  test("names every command once, and each has a summary, an example that calls it, and no full stop", async () => {
    await using at = new TestHome();
    const { stdout, code } = await at.constel(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) {
      // A word with many commands behind it has one line that names them all.
      const [word = "", ...rest] = command.name.split(" ");
      const line = new RegExp(`^  ${word} …[^]*?[ ,]${rest.join("\\s+")}[,\\n]`, "m");
      expect(stdout.includes(`  ${command.name} `) || line.test(stdout) ? "named" : command.name).toBe("named");
      expect(command.summary).not.toEndWith(".");
      expect(command.examples[0]).toContain(`constel ${command.name}`);
    }
    expect(new Set(commands.map((command) => command.name)).size).toBe(commands.length);
  });

  test("of a command shows usage, flags and an example; of a group, its commands", async () => {
    await using at = new TestHome();
    const one = await at.constel(["daemon", "logs", "--help"]);
    expect(one.stdout).toContain("Usage  constel daemon logs [flags]");
    expect(one.stdout).toContain("--lines N");
    expect(one.stdout).toContain("constel daemon logs -n 20");
    const group = await at.constel(["daemon"]);
    expect(group.code).toBe(0);
    expect(group.stdout).toContain("constel daemon stop");
    expect(existsSync(at.home)).toBe(false);
  });
});

describe("mistakes", () => {
  const check = (words: string[], code: number, stderr: string) =>
    test(`constel ${words.join(" ")}`, async () => {
      await using at = new TestHome();
      const ran = await at.constel(words);
      expect(ran).toMatchObject({ code, stdout: "" });
      expect(ran.stderr).toContain(stderr);
    });

  check(["qurey"], 2, "Did you mean `constel query`?");
  check(["daemon", "strat"], 2, "Did you mean `constel daemon start`?");
  check(["query"], 2, "[usage.missing-argument]");
  check(["eval", "replay", "/nowhere/at/all"], 3, "[git.not-a-repository]");
  check(["eval", "replay", ".", "--limit", "few"], 2, "--limit takes a whole number");
  check(["eval", "--seed", "x"], 2, "--seed takes a whole number");
  check(["query", "select 1", "select 2"], 2, "[usage.extra-argument]");
  check(["query", "select 1", "--jsn"], 2, "Did you mean --json?");
  check(["query", "drop table events"], 3, "DROP writes");
  check(["query", "select 1; select 2"], 3, "only one statement is taken");
  check(["query", "pragma user_version"], 3, "PRAGMA is not a query");
  check(["query", "selct 1"], 3, "SELCT is not a query");
  check(["query", "select nope"], 2, "[query.invalid]");
  check(["query", "--saved", "none"], 2, "[query.unknown-saved]");
  check(["config", "set", "http.prot", "1"], 2, "Did you mean http.port?");
  check(["config", "set", "http.port", "x"], 2, "http.port must be a whole number");
  check(["config", "show", "--set", "http.port=x"], 2, "[usage.bad-value]");
  check(["db", "restore"], 2, "[store.backup-missing]");
  check(["completion", "tcsh"], 2, "must be one of bash, zsh, fish");
  check(["channel", "send", "Agent 1", "x"], 2, "[agent.bad-id]");

  test("with --json the error is JSON on stderr and stdout stays empty", async () => {
    await using at = new TestHome();
    const ran = await at.constel(["qurey", "--json"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: "usage.unknown-command", hint: "Did you mean `constel query`?" },
    });
  });
});

describe("query", () => {
  test("prints a table, JSON and CSV of the same rows", async () => {
    await using at = new TestHome();
    const sql = "select 1 as one, 'a,b' as two, null as three";
    expect((await at.constel(["query", sql])).stdout).toBe("one  two  three\n  1  a,b      ∅\n");
    expect((await at.constel(["query", sql, "--json"])).stdout).toBe(
      '{"format_version":1,"rows":[\n{"one":1,"two":"a,b","three":null}\n]}\n',
    );
    expect((await at.constel(["query", sql, "--csv"])).stdout).toBe('one,two,three\r\n1,"a,b",\r\n');
    expect((await at.constel(["query", "select 1 as one where 1 = 0", "--json"])).stdout).toBe(
      '{"format_version":1,"rows":[]}\n',
    );
  });

  test("streams a large result in little memory", async () => {
    await using at = new TestHome();
    const rows = 300_000;
    const sql = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select i, 'some text to carry ' || i as text from n`;
    const child = Bun.spawn([join(projectTop, "bin/constel"), "query", sql, "--csv"], {
      env: at.env,
      stdout: "pipe",
      stderr: "ignore",
    });
    let lines = 0;
    let most = 0;
    for await (const chunk of child.stdout) {
      for (const byte of chunk) if (byte === 10) lines += 1;
      most = Math.max(most, residentPeak(child.pid));
    }
    await child.exited;
    expect(lines).toBe(rows + 1);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(150 * 1024);
  });

  test("a reader that goes away ends it quietly", async () => {
    await using at = new TestHome();
    const sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select i from n";
    const piped = Bun.spawn(["sh", "-c", `"$0" query "$1" --csv | head -2`, join(projectTop, "bin/constel"), sql], {
      env: at.env,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(piped.stdout).text()).toBe("i\r\n1\r\n");
    expect(await new Response(piped.stderr).text()).toBe("");
  });

  test("a saved query is run by its name", async () => {
    await using at = new TestHome();
    expect((await at.constel(["query", "select 41 + 1 as answer", "--save", "answer"])).code).toBe(0);
    expect(await at.json<unknown>(["query", "--saved", "answer"])).toEqual([{ answer: 42 }]);
    expect((await at.constel(["query", "--list-saved"])).stdout).toContain("select 41 + 1 as answer");
  });
});

describe("completion", () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    await using at = new TestHome();
    const { stdout } = await at.constel(["complete", "--", ...words]);
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0] ?? "");
  };

  test("offers commands, then their flags and values", async () => {
    expect(await complete("da")).toEqual(["daemon", "dashboard"]);
    expect(await complete("daemon", "st")).toEqual(["start", "status", "stop"]);
    expect(await complete("daemon", "logs", "--li")).toEqual(["--lines"]);
    expect(await complete("completion", "")).toEqual(["bash", "fish", "zsh"]);
    expect(await complete("query", "x", "--engine", "")).toEqual(["duckdb", "store"]);
  });

  /** Typed into a real shell, with a Tab at the end: what the line becomes. */
  const shells: Readonly<Record<string, { start: string[]; load: string }>> = {
    bash: { start: ["bash", "--norc", "-i"], load: 'eval "$(constel completion bash)"' },
    zsh: {
      start: ["zsh", "-f", "-i"],
      load: 'unsetopt zle_bracketed_paste; autoload -U compinit && compinit -D -u && eval "$(constel completion zsh)"',
    },
    fish: { start: ["fish", "--no-config", "-i"], load: "constel completion fish | source" },
  };
  for (const [shell, { start, load }] of Object.entries(shells)) {
    // A shell that is not on this machine cannot be tried.
    test.skipIf(Bun.which(shell) === null)(`works in a real ${shell}`, async () => {
      await using at = new TestHome();
      mkdirSync(join(at.top, "bin"));
      symlinkSync(join(projectTop, "bin/constel"), join(at.top, "bin/constel"));
      let shown = "";
      const child = Bun.spawn(start, {
        cwd: at.top,
        env: { ...at.env, PATH: `${join(at.top, "bin")}:${at.env["PATH"]}`, TERM: "xterm" },
        terminal: { cols: 100, rows: 24, data: (_terminal, data) => void (shown += new TextDecoder().decode(data)) },
      });
      const says = (what: RegExp): Promise<string> =>
        until(
          `${shell} says ${what}`,
          () => Bun.stripANSI(shown),
          (text) => what.test(text),
        );
      // The words are put together by the shell, so that their echo is not taken for the answer.
      try {
        child.terminal?.write(`${load}; echo load''ed\r`);
        await says(/loaded/);
        shown = "";
        child.terminal?.write("constel daemon sto\t--he\t");
        await says(/constel daemon stop.*--help/s);
      } finally {
        child.kill("SIGKILL");
        await child.exited;
      }
    });
  }
});

test("colour only on a terminal, and not there either with NO_COLOR", async () => {
  await using at = new TestHome();
  const inTerminal = async (env: Record<string, string>): Promise<string> => {
    let text = "";
    const child = Bun.spawn([join(projectTop, "bin/constel"), "--help"], {
      env: { ...at.env, TERM: "xterm-256color", ...env },
      terminal: { cols: 100, rows: 40, data: (_terminal, data) => void (text += new TextDecoder().decode(data)) },
    });
    await child.exited;
    return text;
  };
  expect(await inTerminal({})).toContain("\u001b[1mUsage");
  expect(await inTerminal({ NO_COLOR: "1" })).not.toContain("\u001b[1m");
  expect((await at.constel(["--help"])).stdout).not.toContain("\u001b");
});

test("the current directory may have been deleted", async () => {
  await using at = new TestHome();
  const gone = join(at.top, "gone");
  mkdirSync(gone);
  const child = Bun.spawn(["sh", "-c", `rmdir ${gone}; exec ${join(projectTop, "bin/constel")} config path`], {
    cwd: gone,
    env: at.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await child.exited).toBe(0);
});

describe("around the command", () => {
  test("flags of every command may stand in front of it", async () => {
    await using at = new TestHome();
    const elsewhere = join(at.top, "elsewhere");
    const ran = await at.constel(["--json", "--home", elsewhere, "config", "path"]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ home: elsewhere });
    expect((await at.constel(["--jsn", "config", "path"])).code).toBe(2);
  });

  test("a failure stays one when nobody hears of it, and a full disk behind stdout is no bug", async () => {
    await using at = new TestHome();
    const inShell = (line: string) =>
      Bun.spawnSync(["bash", "-c", line, join(projectTop, "bin/constel")], { env: at.env });
    expect(inShell(`"$0" query nonsense 2> >(exec true)`).exitCode).toBe(3);
    expect(inShell(`"$0" query nonsense 2>&-`).exitCode).toBe(3);
    expect(inShell(`"$0" query "select 1" >/dev/full`).exitCode).toBe(4);
  });

  test("the password in a database's address is not shown", async () => {
    await using at = new TestHome();
    const set = await at.constel(["config", "set", "store.url", "postgres://me:hunt@er2@h/d"]);
    const shown = await at.constel(["config", "show", "store.url", "--json"]);
    for (const ran of [set, shown]) expect(ran).toMatchObject({ code: 0, stdout: expect.not.stringContaining("er2") });
    expect(readFileSync(join(at.home, "config.toml"), "utf8")).toContain("me:hunt@er2@h");
  });

  test("DuckDB is handed nothing but one query that reads", async () => {
    await using at = new TestHome();
    mkdirSync(join(at.top, "bin"));
    writeFileSync(join(at.top, "bin/duckdb"), `#!/bin/sh\ntouch '${at.top}/ran'\n`, { mode: 0o755 });
    const env = { PATH: `${join(at.top, "bin")}:${at.env["PATH"]}` };
    for (const sql of ["copy events to '/x'", "select 1; install httpfs", "attach 'x.db'"]) {
      const ran = await at.constel(["query", sql, "--engine", "duckdb"], { env });
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain("[query.not-read-only]");
    }
    expect(existsSync(join(at.top, "ran"))).toBe(false);
    await at.constel(["query", "select 1", "--engine", "duckdb"], { env });
    expect(existsSync(join(at.top, "ran"))).toBe(true);
  });
});

test("help names every exit code, and what a word does by itself beside the commands behind it", async () => {
  await using at = new TestHome();
  const { stdout } = await at.constel(["--help"]);
  const codes = /Exit codes: ([^]*)\.\n$/.exec(stdout)?.[1] ?? "";
  expect(codes.split(", ").map((one) => Number.parseInt(one, 10))).toEqual(Object.values(exitCodes));
  expect(stdout).not.toMatch(/^ .* {2},/m);
  expect(stdout).toMatch(/^ {2}conflicts {3,}\w.*\n {2}conflicts … +dismiss, block, tell$/m);
});
