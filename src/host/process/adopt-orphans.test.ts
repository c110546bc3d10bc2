import { expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "../../../test/kit/home.ts";
import { procTable } from "./process-table.ts";

const onLinux = process.platform === "linux";

// Only Linux has it.
test.skipIf(!onLinux)(
  "an orphan below an adopting program goes on below it, and finds its pipes as they were",
  async () => {
    const program = join(import.meta.dir, "adopt-orphans.ts");
    // The orphan tells its number and waits to be told to end; nothing below it is left when its input closes. By a number of its
    // own: a shell gives what it starts in the background an input that is at its end.
    const script = `exec 3<&0; (setsid sh -c 'echo $$; cat <&3 >/dev/null' &); cat >/dev/null`;
    const become = `(await import(${JSON.stringify(program)})).becomeAdopting(["sh", "-c", ${JSON.stringify(script)}])`;
    const child = Bun.spawn([process.execPath, "--no-env-file", "--config=/dev/null", "-e", become], {
      stdin: "pipe",
      stdout: "pipe",
    });
    try {
      const { value } = await child.stdout.getReader().read();
      const orphan = Number(new TextDecoder().decode(value));
      // The subshell between them may take a moment to end; only then does somebody adopt.
      const row = await until(
        "it has another parent than the subshell",
        () => procTable.row(orphan),
        (one) => one?.parent === child.pid || one?.parent === 1,
      );
      expect({ parent: row?.parent, session: row?.session }).toEqual({ parent: child.pid, session: orphan });
    } finally {
      child.stdin.end();
      await child.exited;
    }
  },
);
