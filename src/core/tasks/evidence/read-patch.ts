// A patch, as git writes it, taken apart into files and hunks for whoever shows it. Pure. What is too much to show is cut and said so.

export interface PatchLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
  /** Its number before; null for an added line. */
  readonly before: number | null;
  /** Its number after; null for a removed one. */
  readonly after: number | null;
}

export interface PatchHunk {
  /** What git names beside it: the function around it. */
  readonly heading: string;
  readonly lines: readonly PatchLine[];
}

export interface PatchFile {
  readonly path: string;
  /** Where it was before, when it was moved. */
  readonly old_path: string | null;
  readonly change: "added" | "removed" | "changed" | "renamed";
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly PatchHunk[];
  /** True when not all its lines are here. */
  readonly cut: boolean;
}

export const mostOfPatch = { linesOfFile: 3_000, lines: 20_000, lineLength: 2_000 } as const;

interface Begun {
  path: string;
  old_path: string | null;
  change: PatchFile["change"];
  binary: boolean;
  added: number;
  removed: number;
  hunks: { heading: string; lines: PatchLine[] }[];
  cut: boolean;
}

export function readPatch(patch: string): PatchFile[] {
  const files: Begun[] = [];
  let shown = 0;
  let [before, after, shownHere] = [0, 0, 0];
  for (const line of patch.split("\n")) {
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    const isInHunk = hunk !== undefined && /^[ +\-\\]/.test(line);
    if (line.startsWith("diff --git ")) {
      shownHere = 0;
      files.push(begun());
    } else if (file === undefined || line.startsWith("\\")) continue;
    else if (!isInHunk && readHead(file, line)) continue;
    else if (line.startsWith("@@ ")) {
      const [, old = "0", now = "0", heading = ""] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/.exec(line) ?? [];
      [before, after] = [Number(old), Number(now)];
      file.hunks.push({ heading: heading.slice(0, 200), lines: [] });
    } else if (isInHunk) {
      const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
      if (kind === "added") file.added += 1;
      if (kind === "removed") file.removed += 1;
      const numbers = { before: kind === "added" ? null : before++, after: kind === "removed" ? null : after++ };
      if (shownHere >= mostOfPatch.linesOfFile || shown >= mostOfPatch.lines) file.cut = true;
      else hunk.lines.push({ kind, text: cutLine(line.slice(1), file), ...numbers });
      shownHere += 1;
      shown += 1;
    }
  }
  return files.filter(({ path }) => path !== "");
}

const begun = (): Begun => ({
  path: "",
  old_path: null,
  change: "changed",
  binary: false,
  added: 0,
  removed: 0,
  hunks: [],
  cut: false,
});

/** The lines between `diff --git` and the first hunk. Paths come from these: the first line is ambiguous where they hold blanks. */
function readHead(file: Begun, line: string): boolean {
  const [, word = "", rest = ""] =
    /^(new file mode|deleted file mode|rename from|rename to|copy to|--- |\+\+\+ |Binary files|index |similarity index|old mode|new mode)(.*)$/.exec(
      line,
    ) ?? [];
  if (word === "") return false;
  if (word === "new file mode") file.change = "added";
  if (word === "deleted file mode") file.change = "removed";
  if (word === "rename from") [file.change, file.old_path] = ["renamed", unquoted(rest.trimStart())];
  if (word === "rename to" || word === "copy to") file.path = unquoted(rest.trimStart());
  if (word === "--- " && rest !== "/dev/null") file.path ||= withoutSide(rest);
  if (word === "+++ " && rest !== "/dev/null") file.path = withoutSide(rest);
  if (word === "Binary files") {
    file.binary = true;
    const named = / and (.*) differ$/.exec(rest)?.[1] ?? "";
    const other = /^ (.*) and /.exec(rest)?.[1] ?? "";
    file.path ||= withoutSide(named === "/dev/null" ? other : named);
  }
  return true;
}

/** `b/src/x.ts`, with a tab at the end where it holds blanks. */
const withoutSide = (name: string): string => unquoted(name.replace(/\t$/, "")).replace(/^[ab]\//, "");

/** git quotes what is no plain text, as C does. */
function unquoted(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const bytes: number[] = [];
  const inner = name.slice(1, -1);
  const escapes: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11 };
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== "\\") {
      bytes.push(...Buffer.from(inner[at] ?? ""));
      continue;
    }
    const octal = /^[0-7]{3}/.exec(inner.slice(at + 1))?.[0];
    const next = inner[at + 1] ?? "";
    bytes.push(octal === undefined ? (escapes[next] ?? next.charCodeAt(0)) : Number.parseInt(octal, 8));
    at += octal === undefined ? 1 : 3;
  }
  return Buffer.from(bytes).toString();
}

function cutLine(text: string, file: Begun): string {
  if (text.length <= mostOfPatch.lineLength) return text;
  file.cut = true;
  return `${text.slice(0, mostOfPatch.lineLength)}…`;
}
