// Checks whether this machine can confine, and what is looked up on it. The sandbox itself is tried in test/confined.test.ts.

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { ConfinedPlan } from "../../ports/confinement.ts";
import { systemProcesses } from "../process/run.ts";
import { bubblewrap } from "./bubblewrap.ts";

function programIn(directory: string, text: string): Record<string, string> {
  writeFileSync(join(directory, "bwrap"), `#!/bin/sh\n${text}\n`);
  chmodSync(join(directory, "bwrap"), 0o755);
  return { PATH: directory };
}

const self = ["/opt/constel/node_modules/.constel/quick"];

test("a machine that cannot do it says why", async () => {
  using at = temporaryDirectory("confine");
  const home = at.path;
  const problem = (env: Record<string, string>, platform = "linux"): Promise<string | undefined> =>
    bubblewrap({ processes: systemProcesses, env, self, platform }).problem(home);
  expect(await problem({ PATH: at.path })).toContain("not on the PATH");
  expect(await problem({}, "freebsd")).toContain("not built yet for freebsd");
  expect(await problem(programIn(at.path, "echo No permissions to create new namespace >&2; exit 1"))).toContain(
    "No permissions to create new namespace",
  );
  expect(await problem(programIn(at.path, "exit 0"))).toBeUndefined();
});

test("a home that is reached through a link is not taken for hidden", async () => {
  using at = temporaryDirectory("confine");
  mkdirSync(join(at.path, "real"));
  symlinkSync(join(at.path, "real"), join(at.path, "link"));
  const confinement = bubblewrap({
    processes: systemProcesses,
    env: programIn(at.path, "exit 0"),
    self,
    platform: "linux",
  });
  expect(await confinement.problem(join(at.path, "link"))).toContain(join(at.path, "real"));
  expect(await confinement.problem(join(at.path, "real"))).toBeUndefined();
});

test("the owner's directory, tmux's and the shared ones are hidden; programs and git's settings are shown", () => {
  using at = temporaryDirectory("confine");
  const [home, root, user, tmux] = ["home", "root", "user", "tmux"].map((name) => join(at.path, name));
  for (const path of [home, root, user, tmux, `${root}/workspaces`]) mkdirSync(path ?? "");
  const plan: ConfinedPlan = {
    home: home ?? "",
    root: root ?? "",
    program: `${user}/tools/node_modules/agent/bin/agent.js`,
    // bubblewrap gives up at a place that it cannot look at, such as another's directory.
    env: {
      HOME: user ?? "",
      TMUX_TMPDIR: tmux ?? "",
      TMPDIR: at.path,
      PATH: `${user}/bin:/etc/passwd/bin:${at.path}/loop:/usr/bin`,
    },
    homeReads: ["state/bin"],
    homeWrites: ["state/hooks/agent1.jsonl"],
    homeLinks: [["state/daemon.sock", "doors/daemon.sock"]],
    hides: [`${root}/workspaces`],
    writes: [`${root}/workspaces/agent1`],
    reads: [`${user}/toolchain`],
  };
  const own = [`${user}/constel/node_modules/.constel/quick`];
  const confinement = bubblewrap({ processes: systemProcesses, env: {}, self: own, platform: "linux" });
  symlinkSync("loop", join(at.path, "loop"));
  const words = confinement.command(plan, ["agent", "--flag"]);
  for (const path of ["/etc/passwd/bin", `${at.path}/loop`]) expect(words).not.toContain(path);
  const has = (flag: string, path: string | undefined): boolean =>
    words.some((word, at) => word === flag && words[at + 1] === path);
  for (const path of ["/tmp", "/run", user, tmux, home, `${root}/workspaces`])
    expect([path, has("--tmpfs", path)]).toEqual([path, true]);
  for (const path of [
    `${user}/bin`,
    `${user}/tools/node_modules`,
    `${user}/.gitconfig`,
    root,
    `${user}/constel`,
    `${user}/toolchain`,
  ])
    expect([path, has("--ro-bind-try", path)]).toEqual([path, true]);
  for (const path of [`${root}/workspaces/agent1`, `${home}/state/hooks/agent1.jsonl`])
    expect(has("--bind", path)).toBe(true);
  expect(has("--remount-ro", home)).toBe(true);
  for (const name of ["TMUX", "TMUX_TMPDIR", "SSH_AUTH_SOCK"]) expect(has("--unsetenv", name)).toBe(true);
  expect([words[0], ...words.slice(-3)]).toEqual(["bwrap", "--", "agent", "--flag"]);
});

const bare = { program: "", homeReads: [], homeWrites: [], homeLinks: [], hides: [], writes: [], reads: [] };
const sandbox = bubblewrap({ processes: systemProcesses, env: {}, self, platform: "linux" });

test("a variable that names the socket of a program is taken away, and the socket with it", () => {
  using at = temporaryDirectory("confine");
  const socket = join(at.path, "listens.sock");
  const listener = Bun.listen({ unix: socket, socket: { data() {} } });
  try {
    symlinkSync(socket, join(at.path, "by-a-link"));
    const env = {
      SSH_AUTH_SOCK: socket,
      EDITOR_AT: `${socket},123,0`,
      SERVICE_HOST: `unix://${at.path}/by-a-link`,
      TERMINAL_AT: "unix:@terminal",
      BUS: "unix:abstract=/tmp/bus,guid=1",
      FILE: at.path,
      MISSING: join(at.path, "missing.sock"),
      WORDS: "a, b: c",
    };
    const words = sandbox.command({ ...bare, home: at.path, root: at.path, env }, ["agent"]);
    const unset = words.flatMap((word, index) => (word === "--unsetenv" ? (words[index + 1] ?? "") : []));
    for (const name of ["SSH_AUTH_SOCK", "EDITOR_AT", "SERVICE_HOST", "TERMINAL_AT", "BUS"])
      expect(unset).toContain(name);
    for (const name of ["FILE", "MISSING", "WORDS"]) expect(unset).not.toContain(name);
    expect(words.filter((word, index) => word === "/dev/null" && words[index + 1] === socket)).toHaveLength(1);
  } finally {
    listener.stop();
  }
});

test("of git's settings the files are shown, not the directory in which git keeps passwords", () => {
  using ann = temporaryDirectory("confine");
  const shownFor = (more: Record<string, string>): readonly string[] =>
    sandbox.command({ ...bare, home: "/h", root: "/r", env: { HOME: ann.path, ...more } }, ["agent"]);
  for (const name of ["config", "ignore", "attributes"])
    expect(shownFor({})).toContain(`${ann.path}/.config/git/${name}`);
  expect(shownFor({})).not.toContain(`${ann.path}/.config/git`);
  expect(shownFor({ XDG_CONFIG_HOME: `${ann.path}/settings` })).toContain(`${ann.path}/settings/git/config`);
});

test("what nothing covers is not laid again, so that a PATH of many directories makes no long command", () => {
  using at = temporaryDirectory("confine");
  const [home, tools] = [join(at.path, "home"), join(at.path, "tools")];
  mkdirSync(home);
  mkdirSync(tools);
  symlinkSync(tools, join(at.path, "by-a-link"));
  const many = Array.from({ length: 200 }, (_, index) => `/mnt/programs/number ${index}/bin`);
  const shownFor = (PATH: string[], more: Partial<ConfinedPlan> = {}): readonly string[] => {
    const env = { HOME: home, PATH: PATH.join(":") };
    return sandbox.command({ ...bare, home: "/h", root: "/h", env, ...more }, ["agent"]);
  };
  expect(shownFor([...many, "/usr/bin"])).toEqual(shownFor([]));
  const shows = (words: readonly string[], path: string): boolean =>
    words.some((word, index) => word === "--ro-bind-try" && words[index + 1] === path);
  // These are still shown: a directory where the sandbox has a place of its own, one that is hidden under its real name, and one inside what
  // may be written.
  for (const path of ["/dev/shm", `${home}/bin`]) expect([path, shows(shownFor([path]), path)]).toEqual([path, true]);
  const hidden = shownFor([`${at.path}/by-a-link`], { hides: [tools] });
  expect(shows(hidden, `${at.path}/by-a-link`)).toBe(true);
  expect(shows(shownFor(["/srv/work/bin"], { writes: ["/srv/work"] }), "/srv/work/bin")).toBe(true);
});

test("a command that is no agent stands where it is told, and does not take itself for a confined agent", () => {
  const plan = { ...bare, home: "/h", root: "/r", env: {} };
  const agent = sandbox.command(plan, ["agent"]).join(" ");
  const command = sandbox.command({ ...plan, cwd: "/r/gate" }, ["agent"]).join(" ");
  expect(agent).toMatch(/--setenv CONSTEL_CONFINED 1 .*--chdir \/r -- agent$/);
  expect(command).toMatch(/--chdir \/r\/gate -- agent$/);
  expect(command).not.toContain("CONSTEL_CONFINED");
});

test("what agents wrote is kept from others' abstract sockets, unless bubblewrap needs the rights of its own file", () => {
  using at = temporaryDirectory("confine");
  const env = programIn(at.path, "exit 0");
  const plan = { ...bare, home: at.path, root: at.path, env };
  const begins = (isApart: boolean): readonly string[] =>
    sandbox.command({ ...plan, isApart }, ["agent"]).slice(0, self.length + 4);
  expect(begins(true)).toEqual([...self, "adopt-orphans", "--apart", "--", "bwrap"]);
  expect(begins(false)[0]).toBe("bwrap");
  chmodSync(join(at.path, "bwrap"), 0o4755);
  expect(begins(true)[0]).toBe("bwrap");
});
