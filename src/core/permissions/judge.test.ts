// Permission requests and what becomes of them: a table of commands, tools of the four programs, rules, and random compositions.

import { describe, expect, test } from "bun:test";
import { posix } from "node:path";
import { readShell } from "../../languages/shell/read-shell.ts";
import { randomFrom } from "../schedules/random.suite.ts";
import { judgeCases } from "./judge-cases.suite.ts";
import { judge } from "./judge.ts";
import type { JudgeContext, Judgement, Place } from "./rule.ts";
import { parseRules } from "./rules-text.ts";

const parse = readShell;

const workspace = "/w/12/repo";
const place: Place = { role: "clone", workspace, branch: "constel/constel0/12-fix", readable: ["/r/briefs/12.md"] };

const listing: Readonly<Record<string, readonly string[]>> = {
  [workspace]: [".claude", ".git", "bare", "constel.toml", "docs", "link", "opencode.json", "package.json", "src"],
  [`${workspace}/docs`]: ["guide.md", "out"],
  [`${workspace}/src`]: ["a.ts", "b.ts"],
};

/** Name by name, as the system does: what `..` leads above is known only where the names before it have led. */
function followed(path: string): string {
  const follow = (at: string, name: string): string =>
    posix.join(at, name).replace(/^\/w\/12\/repo\/(?:link|docs\/out)$/, "/etc");
  return path.split("/").reduce(follow, "/");
}

/** A workspace with links that lead out, and a directory that is a repository of its own. */
function context(rules = "", more: Partial<Place> = {}, trusted = true): JudgeContext {
  return {
    rules: parseRules(rules, { path: "config.toml", trusted }),
    place: { ...place, ...more },
    facts: {
      resolve: (path) => {
        if (path === "/w/12/repo/gone") return undefined;
        return followed(path);
      },
      names: (directory) => listing[directory] ?? [],
      repositoryOf: (directory) => {
        // As the machine's own facts do, it follows links.
        if (/^\/w\/12\/repo\/(?:link|docs\/out)(?:\/|$)/.test(directory)) return undefined;
        if (/^\/w\/12\/repo\/bare(?:\/|$)/.test(directory)) return "/w/12/repo/bare";
        return directory === workspace || directory.startsWith(`${workspace}/`) ? workspace : undefined;
      },
    },
    parse,
  };
}

const run = (command: string, rules = "", more: Partial<Place> = {}, trusted = true): Judgement =>
  judge({ tool: "Bash", input: { command }, cwd: workspace }, context(rules, more, trusted));

const rule = (...lines: readonly string[]): string => `[[permissions.rules]]\n${lines.join("\n")}\n`;
const allow = (command: string): string => rule('decision = "allow"', `command = "${command}"`);
const deny = (command: string): string => rule('decision = "deny"', `command = "${command}"`);
const ask = (command: string): string => rule('decision = "ask"', `command = "${command}"`);

describe("with the defaults alone", () => {
  for (const { command, decision, part } of judgeCases) {
    test(`${JSON.stringify(command)}: ${decision}`, () => {
      const judgement = run(command);
      expect([judgement.decision, judgement]).toEqual([decision, judgement]);
      if (part !== undefined) expect(judgement.part).toBe(part);
    });
  }

  test("from where agents are started, what begins with a way into the workspace is judged there, and the rest is asked", () => {
    const fromRoot = (command: string): string =>
      judge({ tool: "Bash", input: { command }, cwd: "/r" }, context()).decision;
    for (const command of [
      "cd /w/12/repo && git status",
      "cd /w/12/repo && echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'",
      "cd /w/12/repo && git add -A && git commit -m \"$(cat <<'EOF'\nFix; it works || not\nEOF\n)\" && git status",
      "cd /w/12/repo && git diff | head -20",
      "cd /w/12/repo && cd src && git add . && git commit -m done",
      "cd /w/12/repo && constel task ready 12",
      "cd ../w/12/repo && git status",
      // Wherever it stands in a plain sequence.
      "test -d /w/12/repo && cd /w/12/repo && git add -A && git commit -m x",
      "constel status; cd /w/12/repo && git status",
      "constel status\ncd /w/12/repo && git diff | head -5 && git add .;",
      "echo hi && cd /w/12/repo && echo x > y && git add y",
      "echo hi; cd /w/12/repo && cd src && git add .; constel status",
    ])
      expect([command, fromRoot(command)]).toEqual([command, "allow"]);
    for (const command of [
      "git status",
      "cd /w/12/repo; git add -A",
      "cd /w/12/repo || git add -A",
      "cd /w/12/repo && git status || git add -A",
      "cd /w/12/repo && git status; git add -A",
      "cd /w/12/repo && git status\ngit add -A",
      "cd /w/12/repo & git add -A",
      "cd /w/12/repo && git status & git add -A",
      "cd /w/12/repo | git add -A && git status",
      "(cd /w/12/repo) && git add -A",
      "cd /w/12/repo > log && git status",
      "cd /w/12/repo && echo x > y && git add y || git add z",
      "! cd /w/12/repo && git add -A",
      "cd /w/12/repo/gone && git status",
      "cd && cd /w/12/repo && git status",
      "cd /w/12/repo && cd /etc && git status",
      "cd /w/12/repo/link && cat passwd",
      "CDPATH=/etc cd /w/12/repo && git status",
      "if cd /w/12/repo; then git status; fi; git add -A",
      "test -d x && cd /w/12/repo; git add -A",
      "test -d x || cd /w/12/repo && git add -A",
      "echo hi; cd /w/12/repo; git add -A",
      "echo hi > y && cd /w/12/repo && git status",
      "echo hi && cd /w/12/repo && git status; echo x > y",
      "echo hi && (cd /w/12/repo) && git add -A",
      "echo hi && { cd /w/12/repo; } && git add -A",
      "echo hi && cd /w/12/repo | cat && git add -A",
      "echo hi && cd /w/12/repo & git add -A",
      "echo hi && cd /w/12/repo && cd docs && cat out/passwd",
      "echo hi && cd /w/12/repo && cd docs/out && cat passwd",
      "echo hi && cd /w/12/repo && cd docs/out/.. && cat passwd",
      "echo hi && cd /w/12/repo/gone && git status",
      "command cd /w/12/repo && git status",
      "echo hi && time cd /w/12/repo && git status",
    ])
      expect([command, fromRoot(command)]).toEqual([command, "ask"]);
  });

  test("there are enough cases", () => {
    expect(judgeCases.length).toBeGreaterThanOrEqual(150);
  });

  test("without a workspace nothing of git and files is allowed, but constel's verbs are", () => {
    const without = { workspace: undefined };
    expect(run("git status", "", without).decision).toBe("ask");
    expect(run("cat src/a.ts", "", without).decision).toBe("ask");
    expect(run("constel status", "", without).decision).toBe("allow");
  });

  test("a root agent may give out and land tasks, a clone may not", () => {
    expect(run("constel task dispatch 12", "", { role: "root" }).decision).toBe("allow");
    expect(run("constel task dispatch 12").decision).toBe("ask");
    expect(run("constel config set x y", "", { role: "root" }).decision).toBe("ask");
    expect(run("constel restart agent2", "", { role: "watchdog" }).decision).toBe("allow");
    const readable = ["/r"];
    expect(run("constel task create x --brief /r/notes/x.md", "", { role: "root", readable }).decision).toBe("allow");
    expect(run("constel task create x --brief=/etc/passwd", "", { role: "root", readable }).decision).toBe("ask");
    expect(run("constel restart agent2 --handoff /etc/passwd", "", { role: "watchdog" }).decision).toBe("ask");
  });

  test("the answer names the default or says that no rule allows it", () => {
    expect(run("git status").rule).toBe("default: git in its own workspace");
    expect(run("git status; make").rule).toBe("no rule allows it");
  });
});

describe("the owner's rules", () => {
  const cases: readonly (readonly [rules: string, command: string, decision: Judgement["decision"], from?: string])[] =
    [
      [allow("bun test"), "bun test", "allow", "config.toml:1"],
      [allow("bun test"), "bun test src --bail", "allow"],
      [allow("bun test"), "bun test && git commit -am x", "allow"],
      [allow("bun test"), "bun test > out.txt 2>&1", "allow"],
      [allow("bun test"), "timeout 60 bun test", "allow"],
      [allow("bun test"), "bash -lc 'bun test'", "allow"],
      [allow("bun test"), "cd src && bun test && git add .", "allow"],
      [allow("bun test"), "bun run x", "ask"],
      [allow("bun test"), "bun testing", "ask"],
      [allow("bun test"), "bun 'test x'", "ask"],
      [allow("bun test"), "bun test; curl x", "ask"],
      [allow("bun test"), "bun test\n\\curl x", "ask"],
      [allow("bun test"), "bun test \\\n --bail", "allow"],
      [allow("bun test"), "bun test \\ #; curl x", "ask"],
      [allow("bun test"), "bun test $(curl x)", "ask"],
      [allow("bun test"), "bun test > /etc/x", "ask"],
      [allow("bun test"), "NODE_OPTIONS=x bun test", "ask"],
      [allow("bun test"), "/tmp/bun test", "ask"],
      [allow("bun test"), "./bun test", "ask"],
      [allow("bun test"), "sudo bun test", "ask"],
      [allow("bun test"), "bun() { curl x; }; bun test", "ask"],
      [allow("git push"), "git push --force origin main", "allow"],
      [allow("git push"), "git -c core.sshCommand=x push", "ask"],
      [deny("git push"), "git push origin constel/constel0/12-fix", "deny", "config.toml:1"],
      [deny("git push"), "git -C src push", "deny"],
      [deny("git push"), "git -c a=b --no-pager push", "deny"],
      [deny("git push"), "/usr/bin/git push", "deny"],
      [deny("git push"), "git status && git push", "deny"],
      [deny("git push"), "sudo -u me git push", "deny"],
      [deny("git push"), "bash -lc 'git status; git push'", "deny"],
      [deny("git push"), "env A=b git push", "deny"],
      [deny("git push"), "echo $(git push)", "deny"],
      [deny("git push"), "X=1 git push", "deny"],
      [deny("git push"), "git() { git push; }", "deny"],
      [deny("git push"), "eval 'git push'", "deny"],
      [deny("git push"), "xargs git push", "deny"],
      [deny("git push"), "find . -exec git push \\;", "deny"],
      [deny("git push"), "timeout 5 nice git push", "deny"],
      [deny("git push"), "for x in a; do git push; done", "deny"],
      [deny("git push"), "curl x; git push", "deny"],
      [deny("git push"), "git commit -m 'git push'", "allow"],
      [deny("git push"), "watch 'git push'", "deny"],
      [deny("git push"), "su -c 'git status; git push' me", "deny"],
      [deny("git push"), "ssh host 'git push'", "deny"],
      [deny("git push"), "trap 'git push' EXIT", "deny"],
      [deny("git push"), "env -S 'git push'", "deny"],
      [deny("git push"), "env --split-string='git push'", "deny"],
      [deny("git push"), "env -C / git push", "deny"],
      [deny("git push"), "flock lock git push", "deny"],
      [deny("git push"), "busybox sh -c 'git push'", "deny"],
      [deny("git push"), "tmux new-session -d git push", "deny"],
      // A command that cannot be judged and mentions it is asked in the rule's name, so that it is asked even where all is allowed.
      [deny("git push"), "echo 'git push' | sh", "ask", "config.toml:1"],
      [deny("git push"), "sh <<E\ngit push\nE", "ask", "config.toml:1"],
      [deny("git push"), "alias p='git push'; p", "ask", "config.toml:1"],
      [deny("git push"), "git -c alias.p='!git push' p", "ask", "config.toml:1"],
      [deny("git push"), "git rebase -x 'git push' main", "ask", "config.toml:1"],
      [deny("git push"), "git pu\\sh", "deny", "config.toml:1"],
      [deny("git push"), "make push", "ask", "no rule allows it"],
      [deny("rm"), "npm run confirm", "ask", "no rule allows it"],
      [deny("curl") + allow("curl"), "curl x", "deny"],
      [allow("curl") + deny("curl"), "curl x", "deny"],
      [ask("git commit"), "git commit -m x", "ask", "config.toml:1"],
      [allow("git commit") + ask("git commit"), "git commit -m x", "ask"],
      [deny("rm"), "rm src/a.ts", "deny"],
      [deny("rm"), "find . -name x | xargs rm", "deny"],
      [rule('decision = "allow"', 'path = "/etc/hosts"', 'action = "read"'), "cat /etc/hosts", "allow"],
      [rule('decision = "allow"', 'path = "/etc/hosts"', 'action = "read"'), "echo x > /etc/hosts", "ask"],
      [rule('decision = "allow"', 'path = "/etc/**"'), "cat /etc/a/b", "allow"],
      [rule('decision = "allow"', 'path = "/etc/*"'), "cat /etc/a/b", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat src/../secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat secret?/a", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat s*/a", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat [s]ecrets/a", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat secret[s]/a", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat src/*.ts", "allow"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "grep -r key .", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "grep -r key src", "allow"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "rg key", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cp -r . copy", "ask"],
      [rule('decision = "deny"', 'path = "src/prices.json"'), "cp docs/prices.json src", "deny"],
      [rule('decision = "deny"', 'path = "src/prices.json"'), "cp docs/*.json src", "ask"],
      [rule('decision = "deny"', 'path = "src/prices.json"'), "cp docs/prices.json docs/other.json", "allow"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "mv secrets src/open", "deny"],
      [rule('decision = "deny"', 'path = "deep/secrets/**"'), "mv deep src/open", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "git show HEAD:secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "git grep key", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "git blame secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "git log -p -- secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cd src && git log -p -- :/secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "git add secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "constel contract diff HEAD:secrets/a src/b", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cat Secrets/a", "deny"],
      [rule('decision = "allow"', 'path = "/ETC/**"'), "cat /etc/hosts", "ask"],
      [rule('decision = "deny"', 'path = "secrets/**"'), "cd src && git show HEAD:secrets/a", "deny"],
      [rule('decision = "deny"', 'path = "secrets/**"', 'action = "edit"'), "grep -r key .", "allow"],
      [rule('decision = "deny"', 'path = "secrets/**"', 'action = "edit"'), "rm -rf s*", "ask"],
      [rule('decision = "deny"', 'path = "**/.env"'), "grep -r key src", "ask"],
      [rule('decision = "deny"', 'path = "**/.env"'), "cat src/.env", "deny"],
      [rule('decision = "deny"', 'path = "**/.env"'), "cat .env", "deny"],
      [rule('decision = "deny"', 'path = "/etc/**"'), "cat link/passwd", "deny"],
      [rule('decision = "allow"', 'path = "link/**"'), "cat link/passwd", "ask"],
      [rule('decision = "ask"', 'path = "src/**"', 'action = "edit"'), "echo x > src/a.ts", "ask", "config.toml:1"],
      [rule('decision = "ask"', 'path = "src/**"', 'action = "edit"'), "cat src/a.ts", "allow"],
      [rule('decision = "deny"', 'tool = "Bash"'), "git status", "deny"],
      [rule('decision = "ask"', 'tool = "B*"'), "git status", "ask"],
    ];
  for (const [rules, command, decision, from] of cases) {
    test(`${JSON.stringify(rules.replaceAll("[[permissions.rules]]\n", ""))}: ${command}: ${decision}`, () => {
      const judgement = run(command, rules);
      expect([judgement.decision, judgement]).toEqual([decision, judgement]);
      if (from !== undefined) expect(judgement.rule).toBe(from);
    });
  }

  test("that an agent could have written forbid and ask, and never allow", () => {
    expect(run("curl x", allow("curl"), {}, false).decision).toBe("ask");
    expect(run("git status", deny("git status"), {}, false).decision).toBe("deny");
  });
});

describe("the tools of the programs", () => {
  const inside = `${workspace}/src/a.ts`;
  const patch = (...headers: string[]): string => `*** Begin Patch\n${headers.join("\n@@\n-a\n+b\n")}\n*** End Patch`;
  test.each<[tool: string, input: unknown, decision: string]>([
    ["Read", { file_path: inside }, "allow"],
    ["Read", { file_path: "/etc/passwd" }, "ask"],
    ["Read", { file_path: `${workspace}/../x` }, "ask"],
    ["Read", { file_path: `${workspace}/link/passwd` }, "ask"],
    ["Read", { file_path: `${workspace}/gone` }, "ask"],
    ["Read", { file_path: "/w/12/repository/x" }, "ask"],
    ["Read", {}, "allow"],
    ["Grep", { pattern: "x" }, "allow"],
    ["Grep", { pattern: "x", path: "/etc" }, "ask"],
    ["Glob", { pattern: "**/*.ts" }, "allow"],
    ["Glob", { pattern: "/etc/*" }, "ask"],
    ["Glob", { pattern: "../**" }, "ask"],
    ["Edit", { file_path: inside, old_string: "a", new_string: "b" }, "allow"],
    ["Write", { file_path: inside, content: "x" }, "allow"],
    ["Write", { file_path: "src/new.ts", content: "x" }, "allow"],
    ["Write", { file_path: "/etc/x", content: "x" }, "ask"],
    ["Write", { file_path: `${workspace}/.git/hooks/pre-commit` }, "ask"],
    ["Write", { file_path: `${workspace}/.Git/hooks/pre-commit` }, "ask"],
    ["Write", { file_path: `${workspace}/GIT~1/config` }, "ask"],
    ["Write", { file_path: `${workspace}/src/.git /config` }, "ask"],
    ["Write", { file_path: `${workspace}/.claude/settings.local.json` }, "ask"],
    ["Write", { file_path: `${workspace}/.mcp.json` }, "ask"],
    ["Write", { file_path: `${workspace}/constel.toml` }, "ask"],
    ["Write", { file_path: `${workspace}/link/x` }, "ask"],
    ["Write", { file_path: "~/x" }, "ask"],
    ["Write", { file_path: "src/a\nb" }, "ask"],
    ["Write", { file_path: 12 }, "ask"],
    ["Write", {}, "ask"],
    ["Write", null, "ask"],
    ["MultiEdit", { file_path: inside, edits: [] }, "allow"],
    ["NotebookEdit", { notebook_path: `${workspace}/a.ipynb` }, "allow"],
    ["Bash", { command: "git status" }, "allow"],
    ["Bash", { command: "git status", dangerouslyDisableSandbox: true }, "ask"],
    ["Bash", { command: "git status", dangerouslyDisableSandbox: false }, "allow"],
    ["Bash", { cmd: 3 }, "ask"],
    ["exec_command", { cmd: "git status" }, "allow"],
    ["exec_command", { cmd: "git status", workdir: "/tmp" }, "ask"],
    ["exec_command", { cmd: "git status", sandbox_permissions: "use_default" }, "allow"],
    ["exec_command", { cmd: "git status", workdir: workspace }, "allow"],
    ["exec_command", { cmd: "git status", workdir: "src" }, "ask"],
    ["exec_command", { cmd: "git status", sandbox_permissions: "require_escalated" }, "ask"],
    ["shell", { command: ["bash", "-lc", "git status"] }, "allow"],
    ["shell", { command: ["bash", "-lc", "git status; curl x"] }, "ask"],
    ["shell", { command: ["git", "commit", "-m", "a; $(curl x)"] }, "allow"],
    ["shell", { command: ["git", 1] }, "ask"],
    ["apply_patch", { input: patch("*** Update File: src/a.ts") }, "allow"],
    ["apply_patch", { command: patch("*** Add File: src/b.ts", "*** Delete File: src/a.ts") }, "allow"],
    ["apply_patch", { input: patch("*** Update File: src/a.ts", "*** Add File: ../x") }, "ask"],
    ["apply_patch", { input: patch("*** Update File: src/a.ts\n*** Move to: /etc/x") }, "ask"],
    ["apply_patch", { input: patch("*** Update File: .git/config") }, "ask"],
    ["apply_patch", { input: patch("*** Rename File: src/a.ts") }, "ask"],
    ["apply_patch", { input: "nothing" }, "ask"],
    ["run_shell_command", { command: "git status" }, "allow"],
    ["run_shell_command", { command: "git status", dir_path: "/tmp" }, "ask"],
    ["read_file", { file_path: inside }, "allow"],
    ["read_file", { absolute_path: "/etc/passwd" }, "ask"],
    ["write_file", { file_path: inside, content: "" }, "allow"],
    ["replace", { file_path: "/etc/x" }, "ask"],
    ["list_directory", { path: workspace }, "allow"],
    ["bash", { command: "constel task ready 12" }, "allow"],
    ["bash", { command: "constel task ready 12", workdir: "/" }, "allow"],
    ["edit", { filePath: inside }, "allow"],
    ["edit", { filePath: "/etc/x" }, "ask"],
    ["read", { filePath: inside }, "allow"],
    ["patch", { patchText: patch("*** Update File: src/a.ts") }, "allow"],
    ["TodoWrite", { todos: [] }, "allow"],
    ["WebFetch", { url: "http://x" }, "ask"],
    ["mcp__github__merge", {}, "ask"],
    ["Task", { prompt: "x" }, "ask"],
    ["Unheard", { command: "git status" }, "ask"],
  ])("%s %j: %s", (tool, input, decision) => {
    const judgement = judge({ tool, input, cwd: workspace }, context());
    expect([judgement.decision, judgement]).toEqual([decision as never, judgement]);
  });

  const written = (name: string): Judgement =>
    judge({ tool: "Write", input: { file_path: `${workspace}/src/${name}` }, cwd: workspace }, context());

  test("a name that decides what programs do is kept however a file system lets it be spelt", () => {
    const kept = [".git", ".husky", ".githooks", ".claude", ".codex", ".agents", ".mcp.json", "constel.toml", ".envrc"];
    const wide = (text: string): string =>
      text.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
    const spellings: readonly ((name: string) => string)[] = [
      (name) => name.toUpperCase(),
      (name) => name.slice(0, 1) + wide(name.slice(1)),
      wide,
      (name) => `${name}.`,
      (name) => `${name} . .`,
      (name) => `${name}\u00a0`,
      (name) => `${name.slice(0, 2)}\u200c${name.slice(2)}`,
      (name) => `\ufeff${name}\u2060`,
      (name) => `${name}::$INDEX_ALLOCATION`,
      (name) => `${name}:stream`,
      (name) => `${name.replace(/^\./, "").split(".")[0]?.slice(0, 6).toUpperCase() ?? ""}~1`,
    ];
    for (const name of kept)
      for (const spelling of [name, ...spellings.map((spell) => spell(name))])
        for (const path of [spelling, `${spelling}/hooks`])
          expect([path, written(path).decision, written(path).why]).toEqual([
            path,
            "ask",
            expect.stringMatching(/decides what git runs|is run by|sets up the agent's own|holds rules/),
          ]);
    // A long s, a Kelvin sign and a full-width f stand for letters too.
    for (const name of [".hu\u017fky", ".hus\u212ay", "le\uff46thook.yml"])
      expect([name, written(name).why]).toEqual([name, expect.stringContaining("is run by git")]);
  });

  test("a name that only resembles one that is kept is the agent's own", () => {
    for (const name of [
      ".gitignore",
      ".github/x.yml",
      "git",
      "agit.ts",
      "..git",
      "git~",
      "other~1",
      "claude.md",
      "...",
      "ﬁle.ts",
    ])
      expect([name, written(name).decision]).toEqual([name, "allow"]);
  });

  test("a rule by name speaks for tools that are not judged by what they do", () => {
    const rules =
      rule('decision = "allow"', 'tool = "mcp__github__*"') + rule('decision = "deny"', 'tool = "WebFetch"');
    const decide = (tool: string): string => judge({ tool, input: {}, cwd: workspace }, context(rules)).decision;
    expect(["mcp__github__list", "mcp__gitlab__list", "WebFetch"].map(decide)).toEqual(["allow", "ask", "deny"]);
  });

  test("a search finds what lies below, so a rule about that counts", () => {
    const rules = rule('decision = "deny"', 'path = "secrets/**"');
    const decide = (path: string): string =>
      judge({ tool: "Grep", input: { pattern: "x", path }, cwd: workspace }, context(rules)).decision;
    expect([workspace, `${workspace}/src`, `${workspace}/secrets`].map(decide)).toEqual(["ask", "allow", "deny"]);
  });

  test("where the agent stands has to be known", () => {
    const decide = (cwd: string): string =>
      judge({ tool: "Bash", input: { command: "git status" }, cwd }, context()).decision;
    const looks = (command: string): string =>
      judge({ tool: "Bash", input: { command }, cwd: "/etc" }, context()).decision;
    expect(["ls", "grep -r x", "rg x", "find", "tree", "cat passwd"].map(looks)).toEqual(Array(6).fill("ask"));
    expect([workspace, `${workspace}/src`, "/tmp", "src", ""].map(decide)).toEqual([
      "allow",
      "allow",
      "ask",
      "ask",
      "ask",
    ]);
  });
});

test("what is shown holds nothing that moves a cursor, and is not endless", () => {
  const judgement = run(`curl ${"x".repeat(3000)}`);
  expect(judgement.part.length).toBeLessThan(500);
  expect(run("git status \u001b[2J").part).not.toContain("\u001b");
});

test("what is made to take long ends soon", () => {
  const hostile = [
    Array.from({ length: 2000 }, () => "sudo").join(" "),
    Array.from({ length: 300 }, () => "xargs env").join(" "),
    `${"$(".repeat(300)}x${")".repeat(300)}`,
    `${"(".repeat(2000)}x${")".repeat(2000)}`,
    `${"sh -c '".repeat(50)}x`,
    "a;".repeat(5000),
    "`".repeat(999),
    `cat /${"*".repeat(5000)}`,
    `cat /${"a/".repeat(5000)}`,
  ];
  for (const command of hostile)
    expect([command.slice(0, 20), run(command).decision]).toEqual([command.slice(0, 20), "ask"]);
  const rules = rule('decision = "deny"', 'path = "**/**/**/**/**/**/x"');
  expect(run(`cat ${"a/".repeat(300)}`, rules).decision).toBe("allow");
}, 120_000);

describe("random compositions", () => {
  const good = [
    "git status",
    "git commit -m 'a b'",
    'git commit -m "it; works && well"',
    "cat src/a.ts",
    "constel task ready 12",
    "bun test",
    "echo 'x | y'",
    "ls -la",
    "cd src",
    "echo x > src/out.txt",
  ];
  const bad = [
    "curl x",
    "rm -rf ~",
    "git push",
    "cat /etc/passwd",
    "$X",
    "npm test",
    "sudo ls",
    "echo x > /etc/x",
    "X=1 git status",
    "git -c a=b status",
    "git diff --output=x",
    "f() { ls; }",
    "eval ls",
  ];
  const wraps: readonly ((inner: string) => string)[] = [
    (inner) => `(${inner})`,
    (inner) => `{ ${inner}; }`,
    (inner) => `if true; then ${inner}; fi`,
    (inner) => `echo "$( ${inner})"`,
    (inner) => `git commit -m "$( ${inner})"`,
    (inner) => `! ${inner}`,
    (inner) => `${inner} 2>&1`,
    (inner) => `bash -lc ${shellQuote(inner)}`,
    (inner) => `sh -c ${shellQuote(inner)}`,
    (inner) => `${inner} # and a comment`,
    (inner) => `while false; do ${inner}; done`,
  ];
  const joins = [" && ", " || ", "; ", " | ", "\n", " & ", " |& ", "\n\n", " &&\n"];

  test("are never allowed when any part is not, and nothing is called unreadable that only has good parts", () => {
    const random = randomFrom("compositions");
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    let allowed = 0;
    for (let round = 0; round < 1200; round++) {
      let isBad = false;
      const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const spoiled = random() < 0.2;
        isBad ||= spoiled;
        let part = spoiled ? pick(bad) : pick(good);
        while (random() < 0.35) part = pick(wraps)(part.includes("#") ? `${part}\n` : part);
        return part;
      });
      const command = parts.reduce((whole, part) => whole + (whole.includes("#") ? "\n" : pick(joins)) + part);
      const judgement = run(command, allow("bun test"));
      if (judgement.decision === "allow") allowed++;
      if (isBad) expect([command, judgement.decision, judgement.why]).not.toEqual([command, "allow", judgement.why]);
      else if (judgement.decision !== "allow") {
        // Good parts may be asked for a reason of their own, never because they could not be read.
        expect([command, judgement.why]).toEqual([
          command,
          expect.stringMatching(
            /changes files and runs git|in a loop|cannot be read|written out|no rule allows (?:while|if)/,
          ),
        ]);
      }
    }
    expect(allowed).toBeGreaterThan(200);
  }, 120_000);

  const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
});
