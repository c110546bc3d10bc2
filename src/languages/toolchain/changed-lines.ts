// The lines that each side took away or wrote, and where among them a name seems to be defined. It goes by the text alone, because
// it must do for four languages and only says what an error that is certain may come from.

import type { Place, SemanticInput, Side, TreeView } from "../../ports/semantic.ts";

interface FileLines {
  readonly path: string;
  /** Lines of the base that the side no longer has, by their number from 1. */
  readonly gone: readonly (readonly [line: number, text: string])[];
  readonly fresh: readonly (readonly [line: number, text: string])[];
}

/** A side that changed more files is not gone through line by line. */
const maxFiles = 500;

export class ChangedLines {
  readonly #input: SemanticInput;
  readonly #sides = new Map<Side, Promise<readonly FileLines[]>>();

  constructor(input: SemanticInput) {
    this.#input = input;
  }

  /** The one side that has this line and did not have it from the base, or alone changed the file; undefined when that tells nothing. */
  async owner(path: string, text: string): Promise<Side | undefined> {
    const [ours, theirs] = [await this.#writes("ours", path, text), await this.#writes("theirs", path, text)];
    if (ours !== theirs) return ours ? "ours" : "theirs";
    const changed = (["ours", "theirs"] as const).filter((side) => this.#isChanged(side, path));
    return changed.length === 1 ? changed[0] : undefined;
  }

  /**
   * Finds where a side changed what a name means. `isSure`: the name is in the compiler's message, so a line that only mentions it will do
   * when none looks like its definition.
   */
  async definitionOf(
    name: string,
    side: Side,
    isSure: boolean,
  ): Promise<{ readonly before?: Place; readonly after?: Place } | undefined> {
    const word = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped(name)}(?![\p{L}\p{N}_$])`, "u");
    const define = new RegExp(
      String.raw`\b(func|type|class|interface|enum|record|struct|trait|fn|def|const|static|let|var|mod|union)\b[^=(]*\b${escaped(name)}\b|^\s*(pub(\([^)]*\))?\s+)?${escaped(name)}\s*[:=]|^func\s*\([^)]*\)\s*${escaped(name)}\b|[\w>\])]\s+${escaped(name)}\s*[({;=]|^\s+${escaped(name)}\s+[\w*\[.]`,
      "u",
    );
    const files = await this.#lines(side);
    const among = (lines: (file: FileLines) => FileLines["gone"], isMatch: RegExp): Place | undefined => {
      for (const file of files) {
        const hit = lines(file).find(([, text]) => word.test(text) && isMatch.test(text));
        if (hit !== undefined) return { path: file.path, line: hit[0], text: hit[1] };
      }
      return undefined;
    };
    for (const pattern of isSure ? [define, word] : [define]) {
      const before = among(({ gone }) => gone, pattern);
      const after = among(({ fresh }) => fresh, pattern);
      if (before === undefined && after === undefined) continue;
      return {
        ...((before ?? after) === undefined ? {} : { before: before ?? (after as Place) }),
        ...(after === undefined ? {} : { after }),
      };
    }
    return undefined;
  }

  #isChanged(side: Side, path: string): boolean {
    const { base } = this.#input;
    return base.blobs.get(path) !== this.#input[side].blobs.get(path);
  }

  async #writes(side: Side, path: string, text: string): Promise<boolean> {
    if (!this.#isChanged(side, path)) return false;
    const file = (await this.#lines(side)).find((one) => one.path === path);
    return file?.fresh.some(([, fresh]) => fresh.trim() === text.trim()) === true;
  }

  #lines(side: Side): Promise<readonly FileLines[]> {
    const known = this.#sides.get(side) ?? this.#read(side);
    this.#sides.set(side, known);
    return known;
  }

  async #read(side: Side): Promise<readonly FileLines[]> {
    const { base } = this.#input;
    const tree = this.#input[side];
    const paths = new Set([...tree.blobs.keys(), ...base.blobs.keys()]);
    const changed = [...paths].filter((path) => base.blobs.get(path) !== tree.blobs.get(path)).slice(0, maxFiles);
    return await Promise.all(
      changed.map(async (path) => {
        const [before, after] = [await this.#text(base, path), await this.#text(tree, path)];
        return { path, gone: lacking(before, after), fresh: lacking(after, before) };
      }),
    );
  }

  async #text({ blobs }: TreeView, path: string): Promise<readonly string[]> {
    const blob = blobs.get(path);
    return blob === undefined ? [] : ((await this.#input.read(blob))?.split("\n") ?? []);
  }
}

/** The lines of one text that the other has nowhere. */
function lacking(lines: readonly string[], others: readonly string[]): FileLines["gone"] {
  const there = new Set(others.map((line) => line.trim()));
  return lines.flatMap((text, at) => (there.has(text.trim()) ? [] : [[at + 1, text] as const]));
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
