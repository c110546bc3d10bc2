import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { TreeEntry } from "../../ports/git.ts";
import type { ToolOutcome } from "../../ports/toolchains.ts";
import { systemProcesses } from "../process/run.ts";
import { identify } from "../process/tree.ts";
import { findProgram, trustedPath } from "./find-program.ts";
import { runTool } from "./run-tool.ts";
import { ScratchTree } from "./scratch-tree.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "constel-tools-")));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const path = (process.env["PATH"] ?? "").split(":");

function run(command: readonly string[], memoryBytes = 1024 ** 3, cpuMs = 30_000): Promise<ToolOutcome> {
  const host = { processes: systemProcesses, path, nice: undefined, memoryBytes };
  return runTool(host, command, { home: root, cpuMs, variables: { EXTRA: "1" } });
}

test("a compiler knows nothing of the caller, and stands where no settings are", async () => {
  const outcome = await run(["sh", "-c", "pwd; env | cut -d= -f1 | sort | tr '\\n' ' '"]);
  if (outcome.kind !== "ended") throw new Error(outcome.kind);
  expect(outcome.stdout).toBe("/\nCONSTEL_COMPILER EXTRA HOME LC_ALL PATH PWD TMPDIR ");
});

test("past its processor time or its memory it is ended, with what left its group", async () => {
  const pidFile = join(root, "left");
  const late = await run(
    ["sh", "-c", `setsid sh -c 'echo $$ > ${pidFile}; exec sleep 1000' & while :; do :; done`],
    1024 ** 3,
    300,
  );
  expect(late).toMatchObject({ kind: "late" });
  expect(late.cpuMs).toBeGreaterThan(300);
  const left = Number(readFileSync(pidFile, "utf8"));
  expect(left).toBeGreaterThan(1);
  expect(identify(left)).toBeUndefined();
  const hungry =
    "const all = []; for (let n = 0; n < 40; n += 1) all.push(Buffer.alloc(8e6, 1)); await Bun.sleep(60_000)";
  const large = await run([process.execPath, "--no-env-file", "--config=/dev/null", "-e", hungry], 150 * 1024 ** 2);
  expect(large).toMatchObject({ kind: "large" });
});

test("programs come from absolute directories of the PATH, and from no checkout, by whatever name it is reached", () => {
  const checkout = join(root, "checkout");
  const own = join(root, "own");
  for (const directory of [join(checkout, "bin"), own]) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "tool"), "#!/bin/sh\n");
    chmodSync(join(directory, "tool"), 0o755);
  }
  symlinkSync(join(checkout, "bin"), join(root, "disguised"));
  symlinkSync(join(checkout, "bin/tool"), join(own, "linked"));
  writeFileSync(join(own, "plain"), "no program");
  const bad = ["", ".", "bin", join(checkout, "bin"), join(root, "disguised"), join(root, "nowhere")];
  const all = [...bad, own].join(":");
  expect(trustedPath(all, [checkout])).toEqual([own]);
  expect(findProgram("tool", all, [checkout])?.named).toBe(join(own, "tool"));
  expect(findProgram("linked", all, [checkout])).toBeUndefined();
  expect(findProgram("plain", all, [checkout])).toBeUndefined();
  expect(findProgram("linked", all, [])?.real).toBe(join(checkout, "bin/tool"));
});

test("from tree to tree only what differs is written, and no link is ever made", async () => {
  const at = join(root, "tree");
  const trees: Record<string, Record<string, TreeEntry>> = {
    one: {
      "a.go": { mode: "100644", blob: "A" },
      "dir/b.go": { mode: "100755", blob: "B" },
      "dir/link.go": { mode: "120000", blob: "../a.go" },
      "out.go": { mode: "120000", blob: "/etc/passwd" },
      "up.go": { mode: "120000", blob: "../../x" },
      ".git/config": { mode: "100644", blob: "C" },
      "left.md": { mode: "100644", blob: "D" },
      sub: { mode: "160000", blob: "E" },
      "gone.go": { mode: "100644", blob: "G" },
      "large.go": { mode: "100644", blob: "D" },
    },
    // A directory becomes a file.
    two: { "a.go": { mode: "100644", blob: "A" }, dir: { mode: "100644", blob: "F" } },
  };
  const asked: string[] = [];
  const observer = {
    tree: async (id: string) => new Map(Object.entries(trees[id.startsWith("1") ? "one" : "two"] ?? {})),
    read: async (blob: string) => {
      asked.push(blob);
      return ["D", "G"].includes(blob) ? undefined : Buffer.from(blob);
    },
    isThere: async (blob: string) => blob !== "G",
  };
  using top = TrustedDirectory.open(root, "tree", { create: true });
  const scratch = new ScratchTree(observer, top);
  const files = (): string[] =>
    readdirSync(at, { recursive: true, withFileTypes: true })
      .filter((one) => !one.isDirectory())
      .map((one) => `${join(one.parentPath, one.name).slice(at.length + 1)} ${one.isFile()}`)
      .sort();
  const wants = (path: string): boolean => !path.endsWith(".md");
  await scratch.become({ id: "1".repeat(40), blobs: new Map() }, wants, undefined);
  expect(files()).toEqual(["a.go true", "dir/b.go true", "dir/link.go true"]);
  expect(scratch.missing).toEqual(["gone.go"]);
  expect(readFileSync(join(at, "dir/link.go"), "utf8")).toBe("A");
  writeFileSync(join(at, "dir/made.lock"), "by a program");
  scratch.drop("dir/made.lock");
  scratch.drop("a.go");
  asked.length = 0;
  await scratch.become({ id: "2".repeat(40), blobs: new Map() }, wants, undefined);
  expect([files(), asked, scratch.missing]).toEqual([["a.go true", "dir true"], ["F"], []]);
  // Two sides put on each other: git has no such tree.
  await scratch.become({ id: `${"2".repeat(40)}+1`, blobs: new Map([["c.go", "C"]]) }, wants, undefined);
  expect(files()).toEqual(["c.go true"]);
});
