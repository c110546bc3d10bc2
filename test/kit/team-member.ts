// A member of a team or of a mesh: a home of its own with a clone of the origin, and a daemon over the team's database or its own file. Two of them
// are two machines.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { socketCaller } from "../../src/client/socket.ts";
import type { Hear, HearItem } from "../../src/protocol/hear.ts";
import { type Ran, type RunOptions, until } from "./home.ts";
import { MeshHome } from "./mesh-home.ts";

export class TeamMember extends MeshHome {
  readonly constellation: string;
  readonly clone: string;
  /** What stands before each command that is run on its machine. */
  readonly within: readonly string[];
  readonly #store: string | undefined;

  /** `store`: the team's database; undefined for a file of its own. */
  constructor(constellation: string, store: string | undefined, origin: string, within: readonly string[] = []) {
    super(constellation);
    this.within = within;
    this.constellation = constellation;
    this.#store = store;
    this.clone = join(this.top, "app");
    writeFileSync(
      join(this.top, ".gitconfig"),
      `[user]\n\tname = ${constellation}\n\temail = ${constellation}@example.org\n[protocol "file"]\n\tallow = always\n`,
    );
    this.git(this.top, "clone", "-q", origin, this.clone);
  }

  override get env(): Record<string, string> {
    return {
      ...super.env,
      ...(this.#store === undefined ? {} : { CONSTEL_STORE_URL: this.#store }),
      CONSTEL_CONSTELLATION_NAME: this.constellation,
      CONSTEL_REPO_FETCH_SECONDS: "5",
    };
  }

  override constel(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    return this.within.length === 0 ? super.constel(words, options) : super.constel(words, this.#placed(options));
  }

  #placed(options: RunOptions): RunOptions {
    const program = options.program ?? [join(import.meta.dir, "../../bin/constel")];
    return { ...options, program: [...this.within, ...program] };
  }

  git(cwd: string, ...words: string[]): string {
    const run = Bun.spawnSync([...this.within, "git", ...words], { cwd, env: super.env });
    if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr.toString()}`);
    return run.stdout.toString().trim();
  }

  /** A worktree on a branch of its own, in which an agent's session runs. */
  worktree(branch: string): string {
    const path = join(this.top, branch);
    this.git(this.clone, "worktree", "add", "-q", "-b", branch, path, "origin/main");
    return path;
  }

  write(top: string, files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), content);
    }
  }

  session(agent: string, cwd: string): void {
    mkdirSync(join(this.home, "state/hooks"), { recursive: true });
    const record = { at: Date.now(), session: `s-${agent}`, event: "session-started", cwd };
    appendFileSync(join(this.home, "state/hooks", `${agent}.jsonl`), `${JSON.stringify(record)}\n`);
  }

  hears(agent: string): readonly HearItem[] {
    const file = join(this.home, "state/hear", agent, "next.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Hear).items : [];
  }

  heard(agent: string, holds: (text: string) => boolean): Promise<string> {
    const said = (): string =>
      this.hears(agent)
        .map(({ text }) => text)
        .join("\n");
    return until(`what lies ready for ${agent} of ${this.constellation}`, said, holds);
  }

  get caller() {
    return socketCaller(join(this.home, "state/daemon.sock"), "owner");
  }

  async titles(): Promise<string[]> {
    return (await this.caller.call("finding.list", {})).findings.map(({ title }) => title);
  }

  async shared() {
    return (await this.caller.call("repository.shared", {})).repositories[0];
  }
}

/** A bare repository with a first commit on main. */
export function makeOrigin(place: string, files: Readonly<Record<string, string>>): string {
  const origin = join(place, "origin.git");
  const first = join(place, "first");
  const git = (cwd: string, ...words: string[]): void => {
    const who = ["-c", "user.name=A", "-c", "user.email=a@b"];
    const run = Bun.spawnSync(["git", ...who, ...words], {
      cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: place },
    });
    if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr.toString()}`);
  };
  git(place, "init", "-q", "--bare", "-b", "main", origin);
  git(place, "clone", "-q", origin, first);
  git(first, "checkout", "-q", "-B", "main");
  for (const [path, content] of Object.entries(files)) writeFileSync(join(first, path), content);
  git(first, "add", "-A");
  git(first, "commit", "-qm", "base");
  git(first, "push", "-q", "origin", "main");
  return origin;
}

/** The refs under which work is shared at an origin. */
export function sharedRefs(origin: string): string[] {
  const run = Bun.spawnSync(["git", "--git-dir", origin, "for-each-ref", "--format=%(refname)", "refs/constel"]);
  return run.stdout.toString().split("\n").filter(Boolean);
}
