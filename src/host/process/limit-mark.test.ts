import { expect, test } from "bun:test";
import { isMarked, markDescendants } from "./limit-mark.ts";
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
