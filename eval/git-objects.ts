// Files of any commit of a repository, through one `git cat-file` that stays open: replaying a history reads thousands of them.

export class GitObjects {
  readonly #repository: string;
  readonly #batch;
  readonly #reader;
  #left: Uint8Array = new Uint8Array();
  #turn: Promise<unknown> = Promise.resolve();
  readonly #listings = new Map<string, Promise<readonly string[]>>();

  constructor(repository: string) {
    this.#repository = repository;
    this.#batch = Bun.spawn(["git", "-C", repository, "cat-file", "--batch"], { stdin: "pipe", stdout: "pipe" });
    this.#reader = this.#batch.stdout.getReader();
  }

  /** undefined where there is no such file, or it is no text. */
  text(commit: string, path: string): Promise<string | undefined> {
    const asked = this.#turn.then(() => this.#ask(`${commit}:${path}`));
    this.#turn = asked;
    return asked;
  }

  async run(...words: readonly string[]): Promise<string> {
    const child = Bun.spawn(["git", "-C", this.#repository, "-c", "core.quotePath=false", ...words], {
      stdout: "pipe",
      stderr: "ignore",
    });
    return await new Response(child.stdout).text();
  }

  /** Files directly in a directory. */
  async filesIn(commit: string, directory: string): Promise<string[]> {
    const depth = directory === "" ? 1 : directory.split("/").length + 1;
    return (await this.below(commit, directory)).filter((path) => path.split("/").length === depth);
  }

  async below(commit: string, directory: string): Promise<readonly string[]> {
    const prefix = directory === "" || directory === "." ? "" : `${directory}/`;
    return (await this.#all(commit)).filter((path) => path.startsWith(prefix));
  }

  async close(): Promise<void> {
    this.#batch.stdin.end();
    await this.#batch.exited;
  }

  #all(commit: string): Promise<readonly string[]> {
    const known = this.#listings.get(commit);
    if (known !== undefined) return known;
    // Only the two commits that are being compared are worth keeping.
    if (this.#listings.size > 4) this.#listings.clear();
    const listed = this.run("ls-tree", "-r", "-z", "--name-only", commit).then((text) =>
      text.split("\0").filter((path) => path !== ""),
    );
    this.#listings.set(commit, listed);
    return listed;
  }

  async #ask(name: string): Promise<string | undefined> {
    if (name.includes("\n")) return undefined;
    this.#batch.stdin.write(`${name}\n`);
    this.#batch.stdin.flush();
    const head = await this.#line();
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(head) ?? [];
    if (size === undefined) return undefined;
    const bytes = await this.#bytes(Number(size) + 1);
    if (type !== "blob") return undefined;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, Number(size)));
    } catch {
      return undefined;
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#left.indexOf(10);
      if (end !== -1) return new TextDecoder().decode((await this.#bytes(end + 1)).subarray(0, end));
      await this.#more();
    }
  }

  async #bytes(count: number): Promise<Uint8Array> {
    while (this.#left.length < count) await this.#more();
    const taken = this.#left.slice(0, count);
    this.#left = this.#left.slice(count);
    return taken;
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#reader.read();
    if (done) throw new Error("git ended");
    this.#left = Buffer.concat([this.#left, value]);
  }
}
