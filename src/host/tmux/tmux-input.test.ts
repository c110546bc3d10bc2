// Checks what goes into a pane, byte by byte, on a real tmux.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TmuxStage } from "./tmux-stage.suite.ts";
import { until } from "../../ports/terminals.suite.ts";
import { throwing } from "../../../test/kit/rejection.ts";

let stage: TmuxStage;
beforeEach(() => {
  stage = new TmuxStage();
});
afterEach(() => stage.end());

/** A program that asks for bracketed paste and writes the raw bytes it reads into a file. */
async function rawReader(name: string, byteCount: number): Promise<string> {
  const file = join(stage.directory, `${crypto.randomUUID()}.bytes`);
  const script = `stty raw -echo; printf '\\033[?2004h ready'; head -c "$2" >"$1.part"; mv "$1.part" "$1"; cat`;
  const command = ["sh", "-c", script, "reader", file, String(byteCount)] as const;
  await stage.terminals.create({ name, cwd: stage.directory, command });
  await until(async () => (await stage.terminals.captureMany([name])).get(name)?.text.includes("ready") ?? false);
  return file;
}

async function arrives(text: string, as = text): Promise<void> {
  const pasted = (words: string): string => `\u001b[200~${words.replaceAll("\n", "\r")}\u001b[201~`;
  // What follows is told apart, so that nothing more than this can have come.
  const wanted = `${pasted(as)}${pasted("the end")}`;
  const file = await rawReader("agent1", Buffer.byteLength(wanted));
  await stage.terminals.paste("agent1", text);
  await stage.terminals.paste("agent1", "the end");
  await until(() => existsSync(file));
  expect(readFileSync(file).equals(Buffer.from(wanted))).toBe(true);
}

describe("pasting into tmux", () => {
  test("20 KB of lines, quotes, formats and scripts of many kinds arrive whole, as one bracketed paste", async () => {
    const line = `it's "quoted" $HOME ~ #{pid} #(id) \\n \\101 ; { } %end 1 1 1 é ✻ 世界 👩🏽‍🚀 \t|`;
    const lines: string[] = [];
    for (let size = 0; size < 20_000; size += Buffer.byteLength(line) + 6) lines.push(`${lines.length} ${line}`);
    await arrives(lines.join("\n"));
  });

  test("text cannot end its own paste, press a key, act on the terminal, or hide behind a NUL", async () => {
    const hostile =
      "look\u001b[201~\rrm -rf ~\r\n\u001b\u001b[201~yes\u0003\u0004\u0015\0\u007f\u001b]2;title\u0007\u009b201~\u0090q\u009c end";
    await arrives(hostile, "look[201~\nrm -rf ~\n[201~yes]2;title201~q end");
  });

  test("a mebibyte arrives whole", async () => {
    await arrives("0123456789abcde\n".repeat(65_536));
  });

  test("text that begins like an option or a command is text", async () => {
    await arrives("~/x");
    await stage.terminals.kill("agent1");
    await arrives("-b other; kill-server\nkill-server");
  });

  test("no buffer is left behind, whether the text arrived or the pane was dead", async () => {
    const file = await rawReader("agent1", 14);
    await stage.terminals.paste("agent1", "hi");
    await until(() => existsSync(file));
    await stage.terminals.create({ name: "agent2", cwd: "/", command: ["true"] });
    await until(async () => (await stage.terminals.list()).some(({ name, dead }) => name === "agent2" && dead));
    expect(await throwing(stage.terminals.paste("agent2", "secret"))).toThrow("has ended");
    await stage.terminals.list();
    expect(stage.tmux("list-buffers").out).toBe("");
  });

  test("when a person has split an agent's window, text still goes to the agent's own pane", async () => {
    await stage.terminals.create({ name: "agent1", cwd: "/", command: ["cat", "-"] });
    stage.tmux("split-window", "-t", "=agent1:", "cat - -");
    stage.tmux("new-window", "-t", "=agent1:", "cat - - -");
    await stage.terminals.paste("agent1", "for the agent");
    await until(async () => {
      const screens = await stage.terminals.captureMany(["agent1"]);
      return screens.get("agent1")?.text.includes("for the agent") ?? false;
    });
    expect(stage.tmux("capture-pane", "-p", "-t", "=agent1:").out).not.toContain("agent");
    expect(await stage.terminals.list()).toHaveLength(1);
  });
});

describe("starting in tmux", () => {
  test("arguments, environment and directory arrive exactly", async () => {
    const awkward = [
      `it's`,
      `"q"`,
      "$HOME `id` $(id)",
      "a\nb\tc",
      "\\101 \\",
      "é 世界",
      "#{pid} ##",
      "~",
      ";",
      "{ x }",
      "",
      "-t",
      "%1",
    ];
    for (const [index, folder] of ["plain", "a#b", "##", "#[x]", "##[x", "#{pid}", "it's é $HOME", "#(id)"].entries()) {
      const cwd = join(stage.directory, folder);
      mkdirSync(cwd, { recursive: true });
      const file = join(stage.directory, `seen-${index}`);
      const script = `{ pwd; printf '%s\\0' "$AWKWARD" "$TMUX_TMPDIR" "[$CONSTEL_AGENT]" "$@"; } >"${file}.part"; mv "${file}.part" "${file}"; cat`;
      await stage.terminals.create({
        name: `agent${index}`,
        cwd,
        command: ["sh", "-c", script, "sh", ...awkward],
        env: { AWKWARD: awkward.join("|"), ...(index === 1 ? { CONSTEL_AGENT: "agent1" } : {}) },
      });
      await until(() => existsSync(file));
      const agent = index === 1 ? "[agent1]" : "[]";
      const wanted = `${cwd}\n${[awkward.join("|"), stage.directory, agent, ...awkward].map((part) => `${part}\0`).join("")}`;
      expect(readFileSync(file, "utf8")).toBe(wanted);
    }
  });

  test("a command of one word is run by no shell", async () => {
    const program = join(stage.directory, "a program; exit 3");
    writeFileSync(program, "#!/bin/sh\nexit 5\n", { mode: 0o755 });
    await stage.terminals.create({ name: "agent1", cwd: "/", command: [program] });
    await until(async () => (await stage.terminals.list())[0]?.exitStatus !== undefined);
    expect((await stage.terminals.list())[0]?.exitStatus).toBe(5);
  });

  test("a program ended by a signal has no exit status but a signal", async () => {
    const { pid } = await stage.terminals.create({ name: "agent1", cwd: "/", command: ["cat", "-"] });
    process.kill(pid, "SIGKILL");
    await until(async () => (await stage.terminals.list())[0]?.exitSignal !== undefined);
    expect((await stage.terminals.list())[0]).toMatchObject({ dead: true, exitStatus: undefined, exitSignal: 9 });
  });

  test("a title set by the program is told, and cannot forge a record", async () => {
    const script = `printf '\\033]2;é\\tagent9\\007'; exec cat`;
    await stage.terminals.create({ name: "agent1", cwd: "/", command: ["sh", "-c", script] });
    await until(async () => (await stage.terminals.list())[0]?.title.startsWith("é") === true);
    const listed = await stage.terminals.list();
    expect(listed.map(({ name }) => name)).toEqual(["agent1"]);
  });
});

test("a command of many long words arrives whole, as what bubblewrap is told of a confined agent in a deep home", async () => {
  const file = join(stage.directory, "words");
  const words = Array.from(
    { length: 90 },
    (_, index) => `/${String(index).padStart(4, "0").repeat(240)}/it's "#{pid}"`,
  );
  const script = `printf '%s\\n' "$@" >"$0.part"; mv "$0.part" "$0"; cat`;
  await stage.terminals.create({ name: "agent1", cwd: stage.directory, command: ["sh", "-c", script, file, ...words] });
  await until(() => existsSync(file));
  expect(readFileSync(file, "utf8").split("\n").slice(0, -1)).toEqual(words);
});
