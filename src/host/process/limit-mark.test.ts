import { expect, test } from "bun:test";
import { isAgentsMark, isMarked, limits, type Mark, markedFromTheStart, markingWords } from "./limit-mark.ts";
import { markDescendants } from "./mark-descendants.ts";
import { procTable } from "./process-table.ts";

// Only Linux has it.
test.skipIf(process.platform !== "linux")(
  "what a marked process starts is marked, also when it forgot its parent",
  async () => {
    // It waits to be marked; its orphan tells its number and waits for the end of its input.
    const script = `read -r go; (setsid env -i sh -c 'echo $$; cat >/dev/null' <&0 &) <&0; cat >/dev/null`;
    const child = Bun.spawn(["sh", "-c", script], { stdin: "pipe", stdout: "pipe" });
    try {
      expect(isMarked(child.pid)).toBe(false);
      expect(markDescendants(child.pid)).toBe(true);
      child.stdin.write("go\n");
      await child.stdin.flush();
      const { value } = await child.stdout.getReader().read();
      const orphan = Number(new TextDecoder().decode(value));
      expect({ isBelow: procTable.row(orphan)?.parent === child.pid, isMarked: isMarked(orphan) }).toEqual({
        isBelow: false,
        isMarked: true,
      });
      expect(isMarked(process.pid)).toBe(false);
    } finally {
      child.stdin.end();
      await child.exited;
    }
  },
);

test("a process that is not there cannot be marked, and is not", () => {
  expect([markDescendants(2 ** 30), isMarked(2 ** 30)]).toEqual([false, false]);
});

test.skipIf(process.platform !== "linux")(
  "a shell that marks itself first is marked before it is anything else, and the two marks are told apart",
  async () => {
    const child = Bun.spawn(["sh", "-c", `${markingWords()}exec cat`], { stdin: "pipe", stdout: "pipe" });
    const server = Bun.spawn(["cat"], { stdin: "pipe", stdout: "pipe" });
    try {
      child.stdin.write("x");
      await child.stdin.flush();
      await child.stdout.getReader().read(); // it is `cat` by now
      expect([isMarked(child.pid), isAgentsMark(child.pid)]).toEqual([true, true]);
      expect(markDescendants(server.pid, "server")).toBe(true);
      expect([isMarked(server.pid), isAgentsMark(server.pid)]).toEqual([true, false]);
      // An agent that was started by such a server is an agent's all the same, and stays so.
      expect([markDescendants(server.pid), isAgentsMark(server.pid)]).toEqual([true, true]);
      expect([markDescendants(server.pid, "server"), isAgentsMark(server.pid)]).toEqual([true, true]);
    } finally {
      child.stdin.end();
      server.stdin.end();
      await Promise.all([child.exited, server.exited]);
    }
  },
);

test.skipIf(process.platform !== "linux")(
  "a command that is marked from the start is so before it does anything",
  () => {
    const path = process.env["PATH"] ?? "";
    const first = (mark: Mark): string =>
      Bun.spawnSync([...markedFromTheStart(mark, path), "cat", "/proc/self/limits"]).stdout.toString();
    for (const mark of ["agent", "server"] as const)
      expect(first(mark)).toMatch(new RegExp(`^Max msgqueue size +${limits()[mark]} +${limits()[mark]} `, "m"));
    expect(markedFromTheStart("agent", "/nowhere")).toEqual([]);
  },
);
