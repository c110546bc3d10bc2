// Declares what the floor asks of the machine about an agent's processes: who leads them, and that they all end.

import type { ProcessMark } from "./machine.ts";

/** An agent's processes, by everything that may lead to them. */
export interface AgentTree {
  readonly leader?: ProcessMark;
  /** The process in its terminal now, which may be a later one. */
  readonly terminalPid?: number;
  /** Variables only its own processes carry. */
  readonly mark?: Readonly<Record<string, string>>;
  readonly cgroup?: string;
  /** Processes in terminals, whose parent (the terminals' server) must live on. */
  readonly terminalPids: readonly number[];
}

export interface ProcessTrees {
  /** undefined when it has ended. */
  markOf(pid: number): ProcessMark | undefined;
  /** Ends it all; answers how many there were and who is still there. */
  end(tree: AgentTree): Promise<{ readonly found: number; readonly left: readonly number[] }>;
  /**
   * One look at all processes, for questions about many agents: whether anything of this one is there. Who is answered false had
   * nothing then, and what was not there cannot have started anything since.
   */
  look(): (tree: AgentTree) => boolean;
  /** The processes that started these: the terminals' server, for processes in terminals. */
  parentsOf(pids: readonly number[]): readonly ProcessMark[];
  /** Waits until they have ended by themselves; answers those that have not in time. */
  untilEnded(processes: readonly ProcessMark[]): Promise<readonly number[]>;
  /** The agents of a home that some process carries the mark of. */
  agentsAmong(home: string): readonly string[];
  /** Marks all that this process will start as an agent's, or as the terminals' server's, for good; false where the machine has no way to. */
  markDescendants(pid: number, mark?: "agent" | "server"): boolean;
  /** Returns the words with which a shell marks itself so before it becomes an agent's program; empty if the machine has no way to. */
  markingWords(): string;
  /** The command line that runs a command so that it keeps its orphans, and in a control group of its own where there are any. */
  enclose(name: string, command: Command): { readonly command: Command; readonly cgroup?: string };
}

type Command = readonly [string, ...string[]];
