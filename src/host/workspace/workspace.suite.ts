// For tests of workspaces: a source with an origin, workspaces in random states, and a print of everything in one that a
// restore must bring back.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RemoveWish, Restored, RestoreWish, Workspaces } from "../../ports/workspace.ts";
import { Scratch } from "../git/scratch.suite.ts";
import { systemProcesses } from "../process/run.ts";
import { systemWorkspaces } from "./workspaces.ts";

export class Stage extends Scratch {
  readonly workspaces: Workspaces = systemWorkspaces({ processes: systemProcesses, environment: this.environment });
  readonly origin = this.path("origin.git");
  readonly source = this.path("source");
  readonly top = this.path("top");

  constructor(files: Readonly<Record<string, string>> = { "a.txt": "one\n", "b/c.txt": "two\n" }) {
    super();
    mkdirSync(this.top);
    this.git(this.root, "init", "-q", "--bare", this.origin);
    this.repository("source", files);
    this.git(this.source, "remote", "add", "origin", this.origin);
    this.git(this.source, "push", "-q", "-u", "origin", "main");
  }

  async make(place = "workspaces/1/repo", more: { source?: string; fetch?: boolean } = {}): Promise<string> {
    const made = await this.workspaces.make({
      source: more.source ?? this.source,
      root: this.top,
      place,
      branch: "constel/constel0/1-work",
      fetch: more.fetch ?? false,
      ports: undefined,
      environment: {},
    });
    return made.path;
  }

  removal(place = "workspaces/1/repo", more: Partial<RemoveWish> = {}): RemoveWish {
    return {
      root: this.top,
      place,
      source: join(this.source, ".git"),
      name: "1-repo",
      nowMs: 1_800_000_000_000,
      bundles: this.path("bundles"),
      withIgnored: true,
      ...more,
    };
  }

  async bringBack(where: string, place = "workspaces/1/repo"): Promise<Restored> {
    return await this.workspaces.restore(this.restoring(where, place));
  }

  restoring(where: string, place = "workspaces/1/repo"): RestoreWish {
    return { root: this.top, place, source: join(this.source, ".git"), where, scratch: this.path("bundles") };
  }
}

/** Everything in a workspace that must come back: each file's bytes and mode, and what git itself says of it. */
export function printOf(
  stage: Scratch,
  workspace: string,
  more: { leave?: readonly string[] } = {},
): Record<string, string> {
  const print: Record<string, string> = {};
  const visit = (directory: Buffer, prefix: string): void => {
    for (const name of readdirSync(directory, { encoding: "buffer" }) as unknown as Buffer[]) {
      const path = prefix + name.toString("latin1");
      if (path === ".git/objects" || more.leave?.includes(path)) continue;
      const full = Buffer.concat([directory, Buffer.from("/"), name]);
      const stat = lstatSync(full);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        print[path] = `directory ${mode}`;
        visit(full, `${path}/`);
      } else if (stat.isSymbolicLink())
        print[path] = `link ${readlinkSync(full, { encoding: "buffer" }).toString("hex")}`;
      else print[path] = `file ${mode} ${createHash("sha256").update(readFileSync(full)).digest("hex")}`;
    }
  };
  visit(Buffer.from(workspace), "");
  const ask = (...args: string[]): string => {
    const { code, stdout } = stage.tryGit(workspace, "--no-optional-locks", ...args);
    return `${code} ${stdout}`;
  };
  print["?refs"] = ask("for-each-ref");
  print["?head"] = ask("rev-parse", "HEAD");
  print["?index"] = ask("ls-files", "-s", "-z");
  print["?stash"] = ask("stash", "list", "--format=%H %P %gs");
  print["?stashed"] = ask("stash", "show", "-p", "--include-untracked");
  print["?log"] = ask("log", "--all", "--reflog", "--format=%H");
  print["?status"] = ask("status", "--porcelain=v2", "-z", "--branch");
  print["?whole"] = ask("fsck", "--connectivity-only", "--no-dangling");
  return print;
}

/** Does this and that to a workspace. Whatever git answers is fine: the state is what matters. */
export function stirUp(stage: Stage, path: string, pick: (below: number) => number): string[] {
  const done: string[] = [];
  const times = 3 + pick(8);
  for (let turn = 0; turn < times; turn++) {
    const [name, act] = acts[pick(acts.length)] ?? acts[0];
    act(stage, path, `${turn}-${pick(1000)}`);
    done.push(name);
  }
  return done;
}

type Act = readonly [string, (stage: Stage, path: string, tag: string) => void];

const git = (stage: Stage, path: string, ...args: string[]): void => void stage.tryGit(path, ...args);

const acts: readonly [Act, ...Act[]] = [
  ["edit", (_, path, tag) => writeFileSync(join(path, "a.txt"), `edited ${tag}\n`)],
  [
    "stage",
    (stage, path, tag) => {
      stage.write(path, { "staged.txt": tag });
      git(stage, path, "add", "-A");
      stage.write(path, { "staged.txt": `${tag} and more` });
    },
  ],
  [
    "commit",
    (stage, path, tag) => {
      stage.write(path, { [`new-${tag}.txt`]: tag });
      git(stage, path, "add", "-A");
      git(stage, path, "commit", "-qm", tag);
    },
  ],
  ["untracked", (stage, path, tag) => stage.write(path, { [`dir ${tag}/with space\nand newline "q" \\ ü`]: tag })],
  ["odd bytes", (_, path) => writeFileSync(Buffer.concat([Buffer.from(`${path}/odd-`), Buffer.of(0xff, 0x80)]), "odd")],
  [
    "stash",
    (stage, path, tag) => {
      stage.write(path, { "a.txt": `stashed ${tag}\n`, [`u-${tag}`]: "untracked in a stash" });
      git(stage, path, "stash", "push", "-q", "--include-untracked", "-m", tag);
    },
  ],
  ["detach", (stage, path) => git(stage, path, "checkout", "-q", "--detach")],
  ["branch", (stage, path, tag) => git(stage, path, "checkout", "-q", "-b", `branch-${tag}`)],
  ["tag", (stage, path, tag) => git(stage, path, "tag", "-a", "-m", "a tag", `tag-${tag}`)],
  ["executable", (_, path) => existsSync(join(path, "a.txt")) && chmodSync(join(path, "a.txt"), 0o755)],
  [
    "narrow mode",
    (stage, path, tag) => {
      stage.write(path, { [`secret-${tag}`]: "s" });
      chmodSync(join(path, `secret-${tag}`), 0o600);
    },
  ],
  ["link", (_, path, tag) => symlinkSync(`/nowhere/${tag}`, join(path, `link-${tag}`))],
  ["empty directory", (_, path, tag) => mkdirSync(join(path, `empty-${tag}`, "inner"), { recursive: true })],
  ["delete", (stage, path) => git(stage, path, "rm", "-q", "--cached", "b/c.txt")],
  ["amend", (stage, path, tag) => git(stage, path, "commit", "-q", "--amend", "--allow-empty", "-m", `amended ${tag}`)],
  [
    "dangling",
    (stage, path, tag) => {
      stage.write(path, { "dangling.txt": `once staged ${tag}` });
      git(stage, path, "add", "dangling.txt");
      stage.write(path, { "dangling.txt": `then staged ${tag}` });
      git(stage, path, "add", "dangling.txt");
    },
  ],
  ["ignored", (stage, path, tag) => stage.write(path, { ".gitignore": "ignored/\n", [`ignored/${tag}`]: tag })],
  [
    "nested repository",
    (stage, path, tag) => {
      const nested = join(path, `nested-${tag}`);
      mkdirSync(nested);
      git(stage, nested, "init", "-q");
      stage.write(nested, { "n.txt": tag });
      git(stage, nested, "add", "-A");
      git(stage, nested, "commit", "-qm", "nested");
    },
  ],
  ["conflicting rebase", (stage, path, tag) => conflict(stage, path, tag, "rebase")],
  ["conflicting merge", (stage, path, tag) => conflict(stage, path, tag, "merge")],
  ["conflicting pick", (stage, path, tag) => conflict(stage, path, tag, "cherry-pick")],
  [
    "submodule",
    (stage, path, tag) => {
      git(stage, path, "submodule", "add", "-q", stage.source, `module-${tag}`);
      stage.write(join(path, `module-${tag}`), { "inside.txt": "work inside a submodule" });
    },
  ],
  ["gc", (stage, path) => git(stage, path, "gc", "-q")],
];

function conflict(stage: Stage, path: string, tag: string, how: "rebase" | "merge" | "cherry-pick"): void {
  git(stage, path, "stash", "push", "-q", "--include-untracked");
  git(stage, path, "checkout", "-q", "-b", `one-${tag}`);
  stage.write(path, { "clash.txt": `one ${tag}\n` });
  git(stage, path, "add", "-A");
  git(stage, path, "commit", "-qm", "one");
  git(stage, path, "checkout", "-q", "-b", `two-${tag}`, "HEAD~1");
  stage.write(path, { "clash.txt": `two ${tag}\n` });
  git(stage, path, "add", "-A");
  git(stage, path, "commit", "-qm", "two");
  git(stage, path, how, `one-${tag}`);
}
