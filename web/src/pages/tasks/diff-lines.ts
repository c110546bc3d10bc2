// A file of a diff as lines to draw.

export interface Diff {
  readonly files: readonly DiffFile[];
}

export interface DiffFile {
  readonly path: string;
  readonly old_path?: string | null;
  readonly status: string;
  readonly added: number | null;
  readonly removed: number | null;
  readonly hunks: readonly {
    readonly old_start: number;
    readonly new_start: number;
    readonly lines: readonly string[];
  }[];
  readonly cut?: boolean;
}

export interface DrawnLine {
  readonly kind: "head" | "same" | "added" | "removed";
  readonly sign: string;
  readonly number: number | undefined;
  readonly text: string;
}

const kinds = { "+": "added", "-": "removed", " ": "same" } as const;

export function linesOf({ hunks }: DiffFile): DrawnLine[] {
  return hunks.flatMap((hunk, at): DrawnLine[] => {
    let number = hunk.new_start;
    let old = hunk.old_start;
    const drawn = hunk.lines.map((line): DrawnLine => {
      const sign = line.charAt(0) as "+" | "-" | " ";
      const kind = kinds[sign] ?? "same";
      const place = kind === "removed" ? old : number;
      if (kind !== "added") old += 1;
      if (kind !== "removed") number += 1;
      return { kind, sign, number: place, text: line.slice(1) };
    });
    return at === 0 ? drawn : [{ kind: "head", sign: "", number: undefined, text: "" }, ...drawn];
  });
}
