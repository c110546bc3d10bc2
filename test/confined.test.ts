// A confined clone that was turned tries to act as the owner, as the root and as another clone, in every way that it can reach from its
// own terminal. All fail. It still does its task: edits, commits, says that it is ready, and is messaged.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { readlinkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { apart, machine } from "../src/host/confine/bubblewrap-arguments.ts";
import { writeHear } from "./kit/hear.ts";
import { projectTop, TestHome, until } from "./kit/home.ts";
import { TaskHome } from "./kit/task-home.ts";
import { isNotInside, refusedInside, ways } from "./kit/ways-to-act.ts";

const tried = Bun.spawnSync(["sh", join(projectTop, "scripts/bubblewrap.sh")]);
if (tried.exitCode !== 0) process.stderr.write(`\n*** confined agents are NOT TESTED: ${tried.stderr.toString()}\n`);

// The gate runs what the work brings along.
const at = new TaskHome("if [ -e tried.sh ]; then sh tried.sh; fi");
/** The one place that both sides can write: the orders for the agent, and what it said. */
const orders = join(at.root, "workspaces/agent1/orders");
let count = 0;

/** Has agent1 run a script in its own terminal; answers what it said. */
async function ordered(script: string): Promise<string> {
  count += 1;
  const order = join(orders, "agent1", `${count}.sh`);
  writeFileSync(
    `${order}.written`,
    `export HOME=${at.top}\nsocket=${tmuxSocket}\nsaid=${orders}/said-${count}\n${script}\n`,
  );
  renameSync(`${order}.written`, order);
  await until(`the order ${script}`, () => existsSync(`${order}.done`), Boolean);
  return readFileSync(`${order}.done`, "utf8");
}

let tmuxSocket = "";
let leaderOfOther = 0;
let daemon = 0;
/** Somebody who listens in a place that agents may read, named by a variable, as key agents and editors do. */
const listener = join(at.root, "listener.sock");
const shared = ["/dev/shm", "/tmp", "/var/tmp"].map((place) => join(place, `${basename(at.top)}-shared`));
let heard: { stop(): void } | undefined;
/** Somebody who listens where no sandbox can hide a place. */
const abstract = `display-${crypto.randomUUID()}`;
const knowsScopes = Number(Bun.spawnSync(["perl", "-e", "print syscall(444, 0, 0, 1)"]).stdout.toString()) >= 6;
let display: Bun.Subprocess<"pipe", "pipe", "inherit"> | undefined;

describe.skipIf(tried.exitCode !== 0)("a confined clone", () => {
  beforeAll(async () => {
    mkdirSync(orders, { recursive: true });
    mkdirSync(join(at.root, "workspaces/77/repo"), { recursive: true });
    // The obedient agent looks for its orders below HOME, which is hidden: it is told of another place.
    const agent = join(projectTop, "test/kit/obedient-agent.sh");
    const start = `HOME='${at.root}'/workspaces/$CONSTEL_AGENT exec '${agent}'`;
    await at.run("config", "set", "agents.script_command", JSON.stringify(["sh", "-c", start]));
    await at.run("config", "set", "http.enabled", "true");
    appendFileSync(join(at.home, "config.toml"), '\n[[permissions.rules]]\ndecision = "deny"\ncommand = "rm"\n');
    mkdirSync(join(at.top, ".config/git"), { recursive: true });
    for (const name of [".config/git/credentials", ".git-credentials"])
      writeFileSync(join(at.top, name), "https://ada:password@example.org\n");
    for (const path of shared) writeFileSync(path, "");
    const listen = ["perl", join(projectTop, "test/kit/abstract-socket.pl"), "listen", abstract];
    display = Bun.spawn(listen, { stdin: "pipe", stdout: "pipe" });
    await display.stdout.getReader().read();
    heard = Bun.listen({ unix: listener, socket: { open: (socket) => void socket.end(), data() {} } });
    const up = await at.constel(["up", "2", "--type", "script", "--confined", "--no-attach"], {
      cwd: at.root,
      env: { SSH_AUTH_SOCK: listener, EDITOR_AT: `unix:${listener}`, TERMINAL_AT: "unix:@terminal", PGPASSWORD: "x" },
    });
    expect(up).toMatchObject({ code: 0 });
    await at.run("task", "create", "the owner's task");
    await until("agent1 listens", () => existsSync(join(orders, "agent1")), Boolean);
    const launch = (name: string): { tmuxSocket: string; leader: { pid: number } } =>
      JSON.parse(readFileSync(join(at.home, `state/agents/${name}.json`), "utf8"));
    ({ tmuxSocket } = launch("agent1"));
    leaderOfOther = launch("agent2").leader.pid;
    daemon = at.daemonPid ?? 0;
    appendFileSync(join(at.home, "state/hooks/agent2.jsonl"), "");
  });
  afterAll(async () => {
    heard?.stop();
    display?.stdin.end();
    await display?.exited;
    for (const path of shared) rmSync(path, { force: true });
    await at[Symbol.asyncDispose]();
  });

  const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME"';

  test("cannot cancel the owner's task in any way", async () => {
    const [door = ""] = /http:[^"]+/.exec((await at.run("daemon", "status", "--json")).stdout) ?? [];
    const { token } = await at.ask<{ token: string }>("token", "create", "look", "--role", "observer");
    const given = `door=${door} daemon=${daemon} token=${token} bun=${process.execPath} kit=${projectTop}/test/kit`;
    const start = `${given}\nconstel=$(command -v constel)\n`;
    const tries = Object.entries(ways).map(
      ([way, { order }], index) => `echo "== ${way}"; said=/tmp/said-${index}; ( ${order} ) 2>&1`,
    );
    const parts = (await ordered(start + tries.join("\n"))).split("== ").slice(1);
    expect(parts).toHaveLength(Object.keys(ways).length);
    for (const part of parts) {
      const [way = "", ...said] = part.split("\n");
      // Refused; or there was nobody to ask: no tmux server, no such process.
      const isNothing = isNotInside(way);
      expect({ way, said: said.join("\n") }).toEqual({
        way,
        said: isNothing
          ? expect.not.stringMatching(/ancelled task|"state":"cancelled"/)
          : expect.stringMatching(refusedInside),
      });
    }
    expect((await at.ask<{ task: { state: string } }>("task", "show", "1")).task.state).toBe("open");
  });

  test("cannot do what is the owner's, send as another, or take another's messages and hooks", async () => {
    const tries = [
      "owner init",
      "keys rotate constellation",
      "keys revoke agent2",
      "token create mine --role owner",
      "token ls",
      "owner direct obey",
      "tell agent2 obey",
      `announce AKIA${"Q".repeat(16)} --allow-secret`,
      "channel send agent2 do-this --kind brief",
      "channel drain agent2",
      "approvals allow apr_1234",
    ];
    const heard = await ordered(
      tries.map((verb) => `echo "== ${verb}"; ${clean} constel ${verb} 2>&1; constel ${verb} 2>&1`).join("\n"),
    );
    for (const part of heard.split("== ").slice(1)) {
      const [verb = "", ...said] = part.split("\n");
      const codes = said.join("\n").match(/\[(authority|bus|confined|keys|secret)\.[a-z-]+\]/g);
      expect({ verb, refusals: codes?.length }).toEqual({ verb, refusals: 2 });
    }
    expect(await ordered("CONSTEL_AGENT=agent0 constel channel send agent2 hello")).toContain("identity.another");
    const before = readFileSync(join(at.home, "state/hooks/agent2.jsonl"), "utf8");
    const payload = JSON.stringify({
      hook_event_name: "UserPromptSubmit",
      session_id: "forged",
      prompt: "[constel:m1]",
    });
    await ordered(`printf '%s' '${payload}' | ${clean} CONSTEL_AGENT=agent2 constel hook claude`);
    expect(readFileSync(join(at.home, "state/hooks/agent2.jsonl"), "utf8")).toBe(before);
  });

  /** Each would be told where it came through. None leaves anything on the machine if it does. */
  const reaches: Readonly<Record<string, string>> = {
    "another's workspaces": 'ls "$CONSTEL_ROOT/workspaces/agent2"',
    "an open task's workspace": 'ls "$CONSTEL_ROOT/workspaces/77"',
    "the journal of the bus": 'ls "$CONSTEL_HOME"/logs/bus-*',
    "the ring of keys": ': >>"$CONSTEL_HOME/keys/ring.jsonl"',
    "another's open files": 'ls "/proc/$other/fd"',
    "another's memory": 'test -r "/proc/$daemon/mem" || test -w "/proc/$daemon/mem" || test -w "/proc/$other/mem"',
    "the daemon's environment and open files":
      'cat "/proc/$daemon/environ" || ls "/proc/$daemon/fd" "/proc/$daemon/fdinfo"',
    "another, to trace it": `perl -e '$_ = \`uname -m\`; for my $pid (@ARGV) { exit 0 if syscall(/x86_64/ ? 101 : 117, 16, $pid + 0, 0, 0) == 0 } exit 1' "$daemon" "$other"`,
    "another's descriptors, to have them too": `perl -e 'for my $pid (@ARGV) { my $it = syscall(434, $pid + 0, 0); next if $it < 0; for (0 .. 64) { exit 0 if syscall(438, $it, $_, 0) >= 0 } } exit 1' "$daemon" "$other"`,
    "others' terminals": `test "$(stat -c %d /dev/pts)" = ${statSync("/dev/pts").dev}`,
    "keys pushed into another's terminal": `perl -e 'for my $at (glob "/dev/pts/[0-9]*") { open my $tty, "+<", $at or next; exit 0 if ioctl($tty, 0x5412, my $key = "x") } exit 1'`,
    "what the machine starts by the clock": "crontab -l || echo | crontab - || test -w /var/spool/cron",
    "the tmux server's or the daemon's root directory": 'ls "/proc/$daemon/root/" || ls "/proc/$daemon/cwd/"',
    "a service of the account": "systemd-run --user true || at -f /dev/null now",
    "an agent that holds ssh keys": 'test -n "$SSH_AUTH_SOCK"',
    "other variables that name sockets, or hold the database's password":
      'test -n "$EDITOR_AT$TERMINAL_AT$PGPASSWORD$TMUX$TMUX_TMPDIR"',
    "a socket in a place that it may read": `test -S ${listener}`,
    // Landlock keeps it away, from Linux 6.12 on.
    ...(knowsScopes
      ? { "an abstract socket of another's": `perl ${projectTop}/test/kit/abstract-socket.pl reach ${abstract}` }
      : {}),
    "an abstract socket of constel's": "grep -a '@.*constel' /proc/net/unix",
    "passwords that git keeps": `cat ${at.top}/.config/git/credentials || cat ${at.top}/.git-credentials`,
    "memory and temporary files that others share": shared.map((path) => `ls ${path}`).join(" || "),
    "devices of the machine": "ls /dev | grep -E '^(mem|kmsg|kvm|fuse|[sv]d.*|loop.*|nvme.*)$'",
    "others' namespaces": ["user", "pid", "ipc", "uts", "mnt"]
      .map((one) => `test "$(readlink /proc/self/ns/${one})" = "${readlinkSync(`/proc/self/ns/${one}`)}"`)
      .join(" || "),
    "rights over the machine": "grep -q '^CapEff:.*[1-9a-f]' /proc/self/status",
    "more rights by a program that has them": "! grep -q '^NoNewPrivs:.*1' /proc/self/status",
    "the kernel's settings": "test -w /proc/sys/kernel/core_pattern || test -w /proc/sysrq-trigger",
    "the machine made writable again": "unshare -Urm sh -c 'mount -o remount,rw,bind / && test -w /usr/bin'",
    "a descriptor that was left open to it":
      'ls -l /proc/$$/fd | grep -v -e "$CONSTEL_ROOT/workspaces/agent1/" | grep -e "$CONSTEL_HOME" -e socket: -e "\\.db" -e "\\.lock" -e inotify',
    "a second name of a file in the home": `ln "$CONSTEL_HOME/state/bin/constel" ${orders}/linked`,
    "a place on its PATH": 'IFS=:; for place in $PATH; do test -w "$place" && exit 0; done; exit 1',
    "others' keys": 'ls "$CONSTEL_HOME/keys" | grep -v "^agent1.key$"',
    "its own key, to write": ': >>"$CONSTEL_HOME/keys/agent1.key"',
    "the http token": 'cat "$CONSTEL_HOME/keys/http-token"',
    "the settings": 'cat "$CONSTEL_HOME/config.toml"',
    "the database": 'cat "$CONSTEL_HOME/meta.db"',
    "another's prompt": 'cat "$CONSTEL_HOME/state/prompts/agent2.md"',
    "another's hook file": 'cat "$CONSTEL_HOME/state/hooks/agent2.jsonl"',
    "a line in another's hook file": ': >>"$CONSTEL_HOME/state/hooks/agent2.jsonl"',
    "another's runtime files": 'ls "$CONSTEL_HOME/state/runtime/agent2"',
    "another's launch file": 'cat "$CONSTEL_HOME/state/agents/agent2.json"',
    "its own launch file": ': >>"$CONSTEL_HOME/state/agents/agent1.json"',
    "another's inbox": 'mkdir -p "$CONSTEL_HOME/channels/agent/agent2/inbox"',
    "its own inbox": 'mkdir -p "$CONSTEL_HOME/channels/agent/agent1/inbox"',
    "its own notices": ': >>"$CONSTEL_HOME/state/hear/agent1/next.json"',
    "its own prompt": ': >>"$CONSTEL_HOME/state/prompts/agent1.md"',
    "the program in front of every PATH": ': >>"$CONSTEL_HOME/state/bin/constel"',
    "a file in the home": 'echo x >"$CONSTEL_HOME/planted"',
    "a file in the state": 'echo x >"$CONSTEL_HOME/state/planted"',
    "the socket's place":
      'for s in "$CONSTEL_HOME"/state/daemon.sock "$CONSTEL_HOME"/state/doors/daemon.sock; do mv "$s" "$s.away" && mv "$s.away" "$s" && exit 0; done; exit 1',
    "the home moved away": 'mv "$CONSTEL_HOME" "$CONSTEL_HOME.away" && mv "$CONSTEL_HOME.away" "$CONSTEL_HOME"',
    "the home uncovered": 'umount "$CONSTEL_HOME"',
    "the home uncovered from another namespace": 'unshare -Urm umount "$CONSTEL_HOME"',
    "the root directory's settings": ': >>"$CONSTEL_ROOT/constel.toml"',
    "the owner's own files": `ls ${at.top}/origin.git`,
    "the owner's git settings": `: >>${at.top}/.gitconfig`,
    "the agents' tmux server": 'tmux -L "$socket" ls',
    "its socket by its path": `tmux -S ${at.top}/tmux-$(id -u)/$socket ls`,
    "a window there": 'tmux -L "$socket" new-window -d "constel task cancel 1"',
    "keys typed into another's terminal": 'tmux -L "$socket" send-keys -t agent2 x',
    "the daemon's process": 'kill -0 "$daemon"',
    "another agent's process": 'kill -0 "$other"',
    "any process but its own": 'ps -e -o args= | grep -v grep | grep -e "daemon run" -e "tmux"',
    "another's environment": 'cat "/proc/$other/environ"',
    "another's control group":
      'for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do test -w "$f" && exit 0; done; exit 1',
    "a line for cron": "test -w /etc/cron.d",
    "the machine's programs": "test -w /usr/bin",
    "constel's sources": `test -w ${projectTop}/package.json`,
  };

  test("cannot reach what is not its own", async () => {
    const script = Object.entries(reaches)
      .map(([what, order]) => `if ( ${order} ) >/dev/null 2>&1; then echo 'REACHED ${what.replaceAll("'", "")}'; fi`)
      .join("\n");
    const heard = await ordered(`daemon=${daemon} other=${leaderOfOther}\n${script}\necho tried`);
    expect(heard.trim().split("\n")).toEqual(["tried"]);
    expect(existsSync(join(at.home, "planted"))).toBe(false);
    expect(at.daemonPid).toBe(daemon);
  });

  test("sees of the home what is its own and nothing else", async () => {
    const heard = await ordered('cd "$CONSTEL_HOME"; find . -mindepth 1 | sort');
    const others = heard
      .trim()
      .split("\n")
      .filter((path) => /agent(0|2|infinity|ticker)/.test(path));
    expect(others).toEqual([]);
    expect(heard).toContain("./state/hooks/agent1.jsonl");
    expect(heard.replaceAll(/^\.\/keys(\/agent1\.key)?$/gm, "")).not.toMatch(
      /keys|meta\.db|config\.toml|channels|logs/,
    );
  });

  test("what needs the home is refused with a word of what to do instead", async () => {
    for (const verb of ["up 3", "down --all", "daemon stop", "config show", "agents", "doctor", "channel drain agent2"])
      expect([verb, await ordered(`constel ${verb}`)]).toEqual([
        verb,
        expect.stringContaining("confined.out-of-reach"),
      ]);
    expect(at.daemonPid).toBe(daemon);
  });

  test("a daemon that it starts itself is seen by nobody else", async () => {
    await ordered("env -u CONSTEL_CONFINED constel daemon start; env -u CONSTEL_CONFINED constel up 5 --no-attach");
    expect(at.daemonPid).toBe(daemon);
    expect(readdirSync(join(at.home, "state/agents"))).not.toContain("agent5.json");
  });

  /** Says that it is idle, takes one message from its terminal, in parts if need be, and acknowledges it in its own hook file. */
  const listening = `
note() { printf '{"event":"%s","session":"s","messages":[%s]}' "$1" "$2" | constel hook script; }
note session-started; note turn-ended
while IFS= read -r line; do
  printf '%s\\n' "$line"
  id=$(printf '%s' "$line" | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p')
  [ -n "$id" ] || continue
  set -- $(printf '%s' "$line" | sed -n 's/.*"part":\\([0-9]*\\),"of":\\([0-9]*\\).*/\\1 \\2/p')
  [ "\${1:-}" = "\${2:-}" ] && break
done
note prompt-submitted "\\"$id\\""; note turn-ended`;

  /** The script that it has the gate run: it tries to reach what the agent cannot reach itself. Green only when nothing is reached. */
  const fromTheGate = [
    `for place in ${at.home}/keys ${at.home}/meta.db ${at.home}/config.toml ${at.home}/state/*.sock ${at.top}/origin.git ${at.root}/workspaces/agent* ${at.top}/tmux-* ${listener}; do`,
    '  if [ -d "$place" ] || [ -f "$place" ] || [ -S "$place" ]; then echo "REACHED $place"; fi',
    "done",
    'ps -e -o args= | grep -v grep | grep -q -e tmux -e "daemon run" && echo REACHED a process',
    "(: >>/usr/bin/planted) && echo REACHED a program",
    ...(knowsScopes
      ? [`perl ${projectTop}/test/kit/abstract-socket.pl reach ${abstract} && echo REACHED a display`]
      : []),
    'echo "tried by $CONSTEL_AGENT"',
  ].join("\n");

  test("is messaged, and does its task: edits, commits, sends a word and says that it is ready", async () => {
    const { number } = await at.ask<{ number: number }>("task", "create", "Add b");
    const heard = ordered(listening);
    await until(
      "agent1 is idle",
      () => at.ask<{ agent: string; now: { state: string } | null }[]>("agents"),
      (agents) => agents.find(({ agent }) => agent === "agent1")?.now?.state === "idle",
    );
    const given = await at.ask<{ workspace: string; agent: string }>(
      "task",
      "dispatch",
      String(number),
      "--agent",
      "1",
    );
    expect(given.agent).toBe("agent1");
    expect(await heard).toContain(`Task ${number} is yours.`);
    const said = await ordered(
      `cd '${given.workspace}' && echo hello >b.txt && test -z "$(find .git -type f -links +1)" && printf '%s\n' '${fromTheGate}' >tried.sh && git add -A && git commit -qm 'Add b' && constel channel send agent0 'halfway' --task ${number} && constel task ready ${number} && constel status`,
    );
    expect(said).not.toMatch(/\[[a-z]+\.[a-z-]+\]|fatal|rror:/);
    const { task, events } = await at.ask<{ task: { state: string }; events: { type: string; actor: string }[] }>(
      "task",
      "show",
      String(number),
    );
    expect(task.state).toBe("ready");
    expect(events.find(({ type }) => type === "ready")?.actor).toBe("agent1");
    expect(await at.run("task", "harvest", String(number))).toMatchObject({ code: 0 });
    expect(at.log()).toContain("Add b");
    const shown = JSON.stringify(await at.ask("task", "show", String(number)));
    expect(shown).toContain("tried by nobody");
    expect(shown).not.toContain("REACHED");
    const inbox = readdirSync(join(at.home, "channels/agent/agent0"), { recursive: true }).map(String);
    expect(inbox.some((name) => name.includes("-from-agent1"))).toBe(true);
  });

  const hook = (payload: object): string =>
    `echo '${JSON.stringify({ session_id: "s1", cwd: at.root, ...payload })}' | constel hook claude`;

  test("hears what is laid ready for it, each thing once, also when the file was replaced meanwhile", async () => {
    const lay = (id: string): void =>
      writeHear(at.home, "agent1", "messages", [{ id, at: ["prompt"], files: [], text: `text of ${id}` }]);
    const prompt = hook({ hook_event_name: "UserPromptSubmit", prompt: "go on" });
    for (const id of ["m1", "m2"]) {
      lay(id);
      expect(await ordered(prompt)).toContain(`text of ${id}`);
      expect(await ordered(prompt)).toBe("");
    }
    expect(readFileSync(join(at.home, "state/hooks/agent1.jsonl"), "utf8")).toContain('"told":["m2"]');
  });

  test("is held to the owner's rules, though it cannot read them", async () => {
    const use = (command: string): string =>
      hook({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command } });
    expect(await ordered(use("rm -rf x"))).toContain("deny");
    expect(await ordered(use("ls"))).not.toContain("deny");
  });

  test("is gone with its sandbox: nothing outlives the process that holds it", async () => {
    const mark = join(orders, "outlived");
    const bwrap = ["bwrap", ...apart, ...machine, "--bind", orders, orders, "--", "sh", "-c"];
    const held = Bun.spawn([...bwrap, `echo begun; sleep 5; : >'${mark}'`], { stdout: "pipe" });
    const reader = held.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("begun\n");
    held.kill("SIGKILL");
    // Its output ends when the last one that could write to it has ended.
    while (!(await reader.read()).done);
    expect(existsSync(mark)).toBe(false);
  });

  test("finds the next daemon, too", async () => {
    await at.run("daemon", "stop");
    expect(await ordered("constel task list")).toContain("confined.out-of-reach");
    await at.run("daemon", "start");
    expect(await ordered("constel task list")).toContain("the owner's task");
    expect(await ordered("constel task cancel 1")).toContain("authority.clone");
  });

  test("answers when it is constel's own script agent: through the daemon, as there are no inboxes", async () => {
    await using home = new TestHome();
    await home.constel(["daemon", "start"]);
    await home.constel(["agent", "1", "--type", "script", "--confined"]);
    const words = ["channel", "send", "agent1", "--requires-ack", "--wait", "--timeout", "60s", "Are you there?"];
    expect(await home.constel(words)).toMatchObject({ code: 0, stdout: "agent1: agent1 has read it.\n" });
    await home.constel(["down", "--all"]);
  });
});
