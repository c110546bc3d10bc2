// A piece of code that the other side writes, and the file that it stands in.

export interface Block {
  readonly kind: string;
  readonly number: number;
  readonly path: string;
  /** A new file, or put in at this place of an existing one. */
  readonly at: number | undefined;
  readonly text: string;
}

export type Draft = Pick<Block, "kind" | "path" | "at" | "text">;

export function besides(path: string, number: number): string {
  return path.replace(/[^/]+$/, `again${number}.go`);
}

/** A file of the same package with those imports that the text needs. */
export function goFile(whole: string, text: string): string {
  const clause = /^package \w+/m.exec(whole)?.[0] ?? "package p";
  const list = /^import\s*\(([^)]*)\)/m.exec(whole)?.[1] ?? /^import\s+([^\n(]+)$/m.exec(whole)?.[1] ?? "";
  const needed = list
    .split("\n")
    .map((line) => line.replace(/\/\/.*$/, "").trim())
    .filter((line) => {
      const [, alias, path] = /^(?:([\w.]+)\s+)?"([^"]+)"$/.exec(line) ?? [];
      const name =
        alias ??
        path
          ?.replace(/\/v\d+$/, "")
          .split("/")
          .at(-1) ??
        "";
      return name !== "" && new RegExp(`\\b${name}\\.`).test(text);
    });
  return `${clause}\n${needed.map((line) => `\nimport ${line}`).join("")}\n\n${text}\n`;
}
