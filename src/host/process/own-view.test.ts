import { expect, test } from "bun:test";
import { join } from "node:path";
import type { KnownAgent } from "../../ports/household.ts";
import { whyViewIsPartial } from "./own-view.ts";

const own = { isTrueProc: true, namespace: "111", isLimited: false };
const agent1: KnownAgent = { agent: "agent1", isOwners: false, leader: { pid: 7, token: "111-5" } };
const elsewhere: KnownAgent = { ...agent1, leader: { pid: 7, token: "222-5" } };
const check = (agents: readonly KnownAgent[], view: Partial<typeof own>, isDaemonThere = true): boolean =>
  whyViewIsPartial({ agents }, () => isDaemonThere, { ...own, ...view }) === undefined;

test("a process among the agents, or in a home without any, sees enough", () => {
  expect(check([agent1], {})).toBe(true);
  expect(check([agent1], { isLimited: true })).toBe(true);
  expect(check([], { isLimited: true })).toBe(true);
  expect(check([{ agent: "agent2", isOwners: false }], {})).toBe(true);
});

test("one in a namespace of its own does not, while the daemon is there or an agent's limit stands on it", () => {
  expect(check([elsewhere], {})).toBe(false);
  expect(check([agent1, elsewhere], { isLimited: true }, false)).toBe(false);
  // A container that has ended left this behind.
  expect(check([elsewhere], {}, false)).toBe(true);
});

test("files that anybody can write take nothing away", () => {
  expect(check([{ ...elsewhere, isUnproven: true }], {})).toBe(true);
  expect(check([{ ...elsewhere, isGuest: true }], {})).toBe(true);
});

test("a /proc that is not the kernel's says nothing", () => {
  expect(check([], { isTrueProc: false })).toBe(false);
  expect(whyViewIsPartial({ agents: [] }, () => false)).toBeUndefined();
});

// Namespaces are Linux's, and some machines let nobody make one.
const canMount =
  process.platform === "linux" && Bun.spawnSync(["unshare", "-Urm", "true"], { stderr: "ignore" }).exitCode === 0;

test.skipIf(!canMount)("files of its own put over its own entry in /proc are seen through", () => {
  const look = (before: string): string => {
    const script = `const { whyViewIsPartial } = await import(${JSON.stringify(join(import.meta.dir, "own-view.ts"))});
      ${before}
      console.log(whyViewIsPartial({ agents: [] }, () => true) ?? "sees enough");`;
    return Bun.spawnSync(["unshare", "-Urm", process.execPath, "-e", script]).stdout.toString().trim();
  };
  expect(look("")).toBe("sees enough");
  const mount = 'Bun.spawnSync(["mount", "-t", "tmpfs", "none", "/proc/" + process.pid]);';
  expect(look(mount)).toBe("what stands at /proc is not the kernel's");
});
