// Differences of trees: a few are worked out here where that can be (compare-trees.ts), the others through one long-lived
// `git diff-tree`, because a process per question costs more than the answer. git repeats a line that names no object, and flushes when it does: such a line after each question ends its answer.
// Answers are kept for a while; ids name content, so that none of them ever goes stale.

import type { ChangedFile } from "../../../ports/git.ts";
import { changedFiles, diffTree, readDifferences, type TreePair } from "./changed-files.ts";
import type { CompareTrees } from "./compare-trees.ts";
import type { Git } from "../git.ts";
import { Patience, unlessEnded } from "../patience.ts";
import { Bounded } from "../../../ports/bounded.ts";
import { keptForPairs, type Sides } from "../../../ports/kept-for-sides.ts";

/** In bytes. Every side is asked for again and again: there should be room for a few hundred with a hundred changed files each. */
const differencesBytes = 16_000_000;
/** The number of pairs that an edit asks for. Many at once are a first look, for which git reads each tree once, and in another process. */
const fewPairs = 8;

export class TreeDifferences {
  readonly #git: Git;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #compare: CompareTrees;
  readonly #found: (pair: TreePair, files: readonly ChangedFile[]) => void;
  readonly #known: Bounded<readonly ChangedFile[]>;
  #conversation: Conversation | undefined;
  #closed = false;

  /** `found`: told of each answer that was not known before. */
  constructor(
    git: Git,
    variables: Readonly<Record<string, string>>,
    compare: CompareTrees,
    sides?: Sides,
    found: (pair: TreePair, files: readonly ChangedFile[]) => void = () => {},
  ) {
    this.#found = found;
    this.#known = new Bounded(differencesBytes, (files) => 200 + files.length * 400, keptForPairs(sides));
    this.#git = git;
    this.#variables = variables;
    this.#compare = compare;
  }

  /** The differences of each pair of trees, in order, renames noted. */
  async of(pairs: readonly TreePair[]): Promise<(readonly ChangedFile[])[]> {
    const answers = pairs.map((pair) => this.#known.get(keyOf(pair)));
    const open = new Map<string, TreePair>();
    for (const [at, pair] of pairs.entries()) if (answers[at] === undefined) open.set(keyOf(pair), pair);
    if (open.size === 0) return answers.map((answer) => answer ?? []);
    const fresh = new Map<string, readonly ChangedFile[]>();
    if (open.size <= fewPairs) {
      for (const [key, pair] of open) {
        const files = await this.#compare.of(pair);
        if (files !== undefined) fresh.set(key, files);
      }
    }
    const rest = [...open].filter(([key]) => !fresh.has(key));
    const found = rest.length === 0 ? [] : await this.#ask(rest.map(([, pair]) => pair));
    for (const [at, [key]] of rest.entries()) fresh.set(key, found[at] ?? []);
    for (const [key, files] of fresh) {
      this.#known.set(key, files);
      const pair = open.get(key);
      if (pair !== undefined) this.#found(pair, files);
    }
    return answers.map((answer, at) => answer ?? fresh.get(keyOf(pairs[at] ?? { before: "", after: "" })) ?? []);
  }

  /** Worked out by somebody who knows how the second came from the first. */
  know(pair: TreePair, files: readonly ChangedFile[]): void {
    this.#known.set(keyOf(pair), files);
    this.#found(pair, files);
  }

  knows(pair: TreePair): boolean {
    return this.#known.get(keyOf(pair)) !== undefined;
  }

  /** Ends the process after the answers under way, so that the next question sees newly borrowed objects. */
  async restart(): Promise<void> {
    const conversation = this.#conversation;
    this.#conversation = undefined;
    await conversation?.end();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.restart();
  }

  async #ask(pairs: readonly TreePair[]): Promise<(readonly ChangedFile[])[]> {
    if (this.#closed) throw new Error("the reader of differences is closed");
    for (const { before, after } of pairs) {
      if (!isId(before) || !isId(after)) throw new Error(`not object ids: ${before} ${after}`);
    }
    if (this.#conversation === undefined || this.#conversation.ended) {
      this.#conversation = new Conversation(this.#git, this.#variables);
    }
    const output = await this.#conversation.ask(pairs);
    if (output !== undefined) return readDifferences(output, pairs.length);
    // It ended at something it could not read: each has a process of its own, so that the others do not suffer from one.
    const answers: (readonly ChangedFile[])[] = [];
    for (const pair of pairs) answers.push(await this.#askAlone(pair));
    return answers;
  }

  /**
   * Asks about one pair. git tells by the content of files which of them moved, and a partial clone may lack that. It knows without it
   * which files differ.
   */
  async #askAlone(pair: TreePair): Promise<readonly ChangedFile[]> {
    const ask = async (renames: boolean): Promise<ChangedFile[]> =>
      (await changedFiles(this.#git, this.#variables, [pair], { renames }))[0] ?? [];
    try {
      return await ask(true);
    } catch (cause) {
      if (this.#git.signal?.aborted === true) throw cause;
      return await ask(false);
    }
  }
}

const isId = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text);
const keyOf = ({ before, after }: TreePair): string => `${before} ${after}`;

/** One question at a time. */
class Conversation {
  ended = false;
  readonly #child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  readonly #listening: Promise<void>;
  readonly #patience: Patience;
  /** No file's name holds this by chance. */
  readonly #end = Buffer.from(`end ${crypto.randomUUID()}\n`);
  #turn: Promise<unknown> = Promise.resolve();
  #chunks: Uint8Array[] = [];
  #answer: ((output: Buffer | undefined) => void) | undefined;

  constructor(git: Git, variables: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn(git.command(["-c", "core.deltaBaseCacheLimit=8m", ...diffTree({ renames: true })]), {
      env: git.variables({ variables }),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    this.#patience = new Patience(this.#child, git.signal);
    this.#listening = this.#listen();
  }

  /** Returns git's answer about these pairs. Undefined when it ended instead. */
  async ask(pairs: readonly TreePair[]): Promise<Buffer | undefined> {
    const answer = this.#turn.then(() => this.#askNow(pairs));
    this.#turn = answer;
    return await answer;
  }

  async end(): Promise<void> {
    await this.#turn;
    unlessEnded(() => this.#child.stdin.end());
    await this.#listening;
    await this.#child.exited;
  }

  async #askNow(pairs: readonly TreePair[]): Promise<Buffer | undefined> {
    if (this.ended) return undefined;
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
    this.#answer = resolve;
    this.#patience.wait();
    const lines = Buffer.from(pairs.map((pair) => `${keyOf(pair)}\n`).join(""));
    unlessEnded(() => this.#child.stdin.write(Buffer.concat([lines, this.#end])));
    unlessEnded(() => this.#child.stdin.flush());
    const output = await promise;
    this.#patience.rest();
    return output;
  }

  async #listen(): Promise<void> {
    for await (const chunk of this.#child.stdout) {
      this.#chunks.push(chunk);
      if (chunk[chunk.length - 1] !== 10) continue;
      const output = Buffer.concat(this.#chunks);
      this.#chunks = [output];
      if (!output.subarray(-this.#end.length).equals(this.#end)) continue;
      this.#chunks = [];
      this.#answer?.(output.subarray(0, output.length - this.#end.length));
    }
    this.ended = true;
    this.#patience.over();
    this.#answer?.(undefined);
  }
}
