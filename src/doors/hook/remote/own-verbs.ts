// The verbs of constel that a clone uses which stands for an agent of somebody else's, asked as any clone asks them: by the command line.

import type { Processes } from "../../../ports/machine.ts";

export interface ShownTask {
  readonly task: {
    readonly title: string;
    readonly directive: string;
    readonly state: string;
    readonly agent: string | null;
    readonly reason: string | null;
    readonly brief: string | null;
  };
  readonly workspaces: readonly {
    readonly name: string;
    readonly state: string;
    readonly path: string;
    readonly branch: string;
    readonly origin: string;
    readonly target: string;
    readonly base_sha: string;
  }[];
  readonly criteria: readonly { readonly text: string }[];
}

export interface OwnVerbsParts {
  readonly self: readonly string[];
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export class OwnVerbs {
  readonly #parts: OwnVerbsParts;

  constructor(parts: OwnVerbsParts) {
    this.#parts = parts;
  }

  async show(task: number): Promise<ShownTask> {
    return JSON.parse(await this.#run("task", "show", String(task), "--json")) as ShownTask;
  }

  /** Answers why not. */
  async ready(task: number, evidence: string): Promise<string | undefined> {
    try {
      await this.#run("task", "ready", String(task), "--evidence", evidence);
      return undefined;
    } catch (cause) {
      return (cause as Error).message;
    }
  }

  /** To the root agent, which the owner hears. */
  async tell(task: number, text: string): Promise<void> {
    await this.#run("channel", "send", "agent0", text.slice(0, 12_000), "--task", String(task));
  }

  async #run(...words: string[]): Promise<string> {
    const { self, processes, env, cwd } = this.#parts;
    const { code, stdout, stderr } = await processes.run([...self, ...words], { cwd, env, deadlineMs: 60_000 });
    if (code !== 0) throw new Error(`constel ${words.slice(0, 2).join(" ")}: ${stderr.trim().slice(-500)}`);
    return new TextDecoder().decode(stdout);
  }
}
