// The text of the profile, held to the list that bubblewrap is given: it cannot be tried where there is no Mac.

import { expect, test } from "bun:test";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { systemProcesses } from "../process/run.ts";
import { bubblewrapArguments, type Shown } from "./bubblewrap-arguments.ts";
import { sandboxExec } from "./sandbox-exec.ts";
import { sandboxProfile } from "./sandbox-profile.ts";

const shown: Shown = {
  hides: ["/Users", "/private/tmp", "/Users/ann/work/workspaces"],
  reads: ["/Users/ann/tools/bin", "/Users/ann/work", "/Users/ann/.constel/state/doors"],
  writes: ["/Users/ann/.constel/state/hooks/agent1.jsonl", "/Users/ann/work/workspaces/agent1"],
  covers: [],
  links: [
    ["/Users/ann/.constel/state/daemon.sock", "doors/daemon.sock"],
    ["/Users/ann/.constel/state/who.sock", "doors/who.sock"],
  ],
  closed: "/Users/ann/.constel",
  cwd: "/Users/ann/work",
  unset: ["TMUX"],
  set: { CONSTEL_CONFINED: "1" },
};

/** Returns what the profile says of a path: the last rule for it, or for a place around it, counts. */
function said(path: string, action: "file-read*" | "file-write*"): "allow" | "deny" {
  let verdict: "allow" | "deny" = "allow";
  for (const line of sandboxProfile(shown).split("\n")) {
    const [, word, what = ""] = /^\((allow|deny) (.*)\)$/.exec(line) ?? [];
    const isMeant = what === action || what.startsWith(`${action} `) || what.includes(` ${action} `);
    if (word === undefined || (!isMeant && what !== "default")) continue;
    const places = [...what.matchAll(/\((subpath|literal) "([^"]*)"\)/g)];
    const fits = places.some(([, kind, place = ""]) =>
      kind === "literal" ? path === place : path === place || path.startsWith(`${place}/`),
    );
    if (places.length === 0 || fits) verdict = word as "allow" | "deny";
  }
  return verdict;
}

test("every place that bubblewrap lays is in the profile, and none else is written", () => {
  const words = bubblewrapArguments(shown);
  const laid = (word: string): string[] => words.flatMap((one, at) => (one === word ? (words[at + 1] ?? "") : []));
  expect(laid("--bind")).toHaveLength(2);
  for (const path of laid("--bind")) expect([path, said(path, "file-write*")]).toEqual([path, "allow"]);
  for (const path of laid("--ro-bind-try")) expect([path, said(path, "file-read*")]).toEqual([path, "allow"]);
  for (const path of [...laid("--tmpfs"), ...laid("--ro-bind-try"), "/", "/etc/hosts", "/usr/bin/git"])
    expect([path, said(path, "file-write*")]).toEqual([path, "deny"]);
  for (const path of laid("--tmpfs").map((one) => `${one}/secret`))
    expect([path, said(path, "file-read*")]).toEqual([path, "deny"]);
});

test("of the home only what is its own is there: no keys, database, settings, launch files or other agents' files", () => {
  for (const name of ["meta.db", "config.toml", "keys/constellation.key", "state/agents/agent1.json"].concat([
    "state/hooks/agent2.jsonl",
    "state/planted",
    "channels/agent/agent1/inbox/x.json",
  ]))
    for (const action of ["file-read*", "file-write*"] as const)
      expect([name, said(`/Users/ann/.constel/${name}`, action)]).toEqual([name, "deny"]);
  expect(said("/Users/ann/work/workspaces/agent2/x", "file-read*")).toBe("deny");
  expect(said("/Users/ann/work/workspaces/agent1/x", "file-write*")).toBe("allow");
});

test("of sockets the daemon's two are reached, and of processes its own", () => {
  const profile = sandboxProfile(shown);
  expect(profile.indexOf("(deny network-outbound (remote unix-socket))")).toBeGreaterThan(0);
  expect(profile.match(/allow network-outbound/g)).toHaveLength(2);
  for (const rule of ["process-info*", "signal"]) expect(profile).toContain(`(deny ${rule} (target others))`);
});

test("a name cannot end its string and add a rule of its own", () => {
  const evil = '/Users/ann/"))(allow default)(deny file-read* (literal "/x';
  const lines = sandboxProfile({ ...shown, reads: [evil] }).split("\n");
  expect(lines.filter((line) => line.includes("(allow default)"))).toEqual([
    "(allow default)",
    expect.stringContaining('\\"))(allow default)(deny file-read* (literal \\"/x'),
    expect.stringContaining("file-read-metadata"),
  ]);
});

test.skipIf(process.platform === "darwin")(
  "where there is no sandbox-exec the start is refused with the reason",
  async () => {
    using at = temporaryDirectory("sandbox-exec");
    const confinement = sandboxExec({ processes: systemProcesses, env: {}, self: [] });
    expect(await confinement.problem(at.path)).toContain("sandbox-exec could not be tried");
  },
);

test("it is used where the probe says that files are kept apart, and refused with what the probe said where not", async () => {
  using at = temporaryDirectory("sandbox-exec");
  const probing = (code: number, stderr = "") =>
    sandboxExec({
      processes: {
        run: async () => ({
          code,
          signal: null,
          stdout: new Uint8Array(),
          stderr,
          timedOut: false,
          truncated: false,
        }),
      },
      env: {},
      self: [],
    }).problem(at.path);
  expect(await probing(0)).toBeUndefined();
  expect(await probing(3, "a hidden file was read")).toMatch(/ended with 3: a hidden file was read/);
});

test("what is temporary goes among the agent's own files, or where it works", () => {
  const { command } = sandboxExec({ processes: systemProcesses, env: {}, self: ["constel"] });
  const plan = {
    home: "/Users/ann/.constel",
    root: "/Users/ann/work",
    program: "",
    env: {},
    homeReads: [],
    homeLinks: [],
    hides: [],
    writes: [],
    reads: [],
  };
  const temporary = (homeWrites: readonly string[]): string | undefined =>
    command({ ...plan, homeWrites }, ["agent"]).find((word) => word.startsWith("TMPDIR="));
  expect(temporary(["state/hooks/agent1.jsonl", "state/runtime/agent1"])).toBe(
    "TMPDIR=/Users/ann/.constel/state/runtime/agent1",
  );
  expect(temporary([])).toBe("TMPDIR=/Users/ann/work");
});
