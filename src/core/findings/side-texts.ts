// The lines of files as each side has them, for showing: what is shown as a side's is looked up in that side's tree, where it
// may stand a few lines further down, under another name, or not at all.

import type { Place, Side } from "../../ports/semantic.ts";
import type { PairScene } from "./scene.ts";

export type Trees = Pick<PairScene, "tree" | "read" | "ours" | "theirs">;

export class SideTexts {
  readonly #scene: Trees;
  readonly #lines = new Map<string, Promise<readonly string[] | undefined>>();

  constructor(scene: Trees) {
    this.#scene = scene;
  }

  /** undefined when the side has no such file, or it is no text. */
  lines(side: Side | "base", path: string): Promise<readonly string[] | undefined> {
    const key = `${side} ${path}`;
    const known = this.#lines.get(key) ?? this.#read(side, path);
    this.#lines.set(key, known);
    return known;
  }

  /** Finds the place where a side has these lines. Undefined if it does not have them. */
  async find(side: Side | "base", { path, line, text }: Place): Promise<Place | undefined> {
    const own = await this.#findIn(side, path, { line, text });
    if (own !== undefined) return own;
    for (const there of this.#otherNames(side, path)) {
      const found = await this.#findIn(side, there, { line, text });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The name that the common ancestor has for a side's file. */
  nameInBase(side: Side, path: string): string {
    return this.#scene[side].files.find((one) => one.path === path)?.from ?? path;
  }

  /** The name that a side has for a file of the common ancestor. */
  nameOn(side: Side, path: string): string {
    return this.#scene[side].files.find(({ from }) => from === path)?.path ?? path;
  }

  async #findIn(
    side: Side | "base",
    there: string,
    { line, text }: Pick<Place, "line" | "text">,
  ): Promise<Place | undefined> {
    const lines = await this.lines(side, there);
    if (lines === undefined) return undefined;
    const wanted = text.replace(/\n$/, "").split("\n");
    const whole = whereIn(lines, wanted, line - 1);
    if (whole !== undefined) return { path: there, line: whole + 1, text };
    // It begins as it did, and goes on as this side has it.
    const begins = wanted.length > 1 ? whereIn(lines, wanted.slice(0, 1), line - 1) : undefined;
    if (begins === undefined) return undefined;
    return { path: there, line: begins + 1, text: lines.slice(begins, begins + wanted.length).join("\n") };
  }

  /** Returns the names that a side has for the file that the other, or the base, knows by this name. */
  #otherNames(side: Side | "base", path: string): string[] {
    const { ours, theirs } = this.#scene;
    const renames = [...ours.files, ...theirs.files].filter(({ from }) => from !== undefined);
    const own = side === "base" ? [] : this.#scene[side].files;
    const before = renames.flatMap((one) => (one.path === path && one.from !== undefined ? [one.from] : []));
    const after = own.flatMap((one) => (one.from === path || before.includes(one.from ?? "\0") ? [one.path] : []));
    return [...new Set([...after, ...before])];
  }

  async #read(side: Side | "base", path: string): Promise<readonly string[] | undefined> {
    const blob = (await this.#scene.tree(side)).blobs.get(path);
    const text = blob === undefined ? undefined : await this.#scene.read(blob);
    return text?.split("\n");
  }
}

/** The nearest place where these lines stand. A line that was cut for showing ends in `…`, and so does what was left out. */
function whereIn(lines: readonly string[], wanted: readonly string[], near: number): number | undefined {
  const shown = wanted.at(-1) === "…" ? wanted.slice(0, -1) : wanted;
  const isAt = (at: number): boolean =>
    shown.every((line, offset) => {
      const there = lines[at + offset];
      if (there === undefined) return line === "" && at + offset === lines.length;
      return (
        there === line || there.trim() === line.trim() || (line.endsWith("…") && there.startsWith(line.slice(0, -1)))
      );
    });
  for (let away = 0; away <= lines.length; away += 1) {
    if (near + away <= lines.length && isAt(near + away)) return near + away;
    if (away > 0 && near - away >= 0 && isAt(near - away)) return near - away;
  }
  return undefined;
}
