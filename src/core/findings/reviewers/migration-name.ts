// Reads from a file's path and text its place among migrations: Rails, Django, Alembic, Flyway, Prisma, Knex, goose, golang-migrate, and
// plain numbered SQL.

export interface Migration {
  readonly path: string;
  readonly directory: string;
  /** The part that tells two migrations of one number apart. */
  readonly name: string;
  /** The number or timestamp, without leading zeros; undefined where names carry none. */
  readonly slot: string | undefined;
  /** The migrations this one follows, where it says so. */
  readonly parents: readonly string[];
  /** The line that gives it its place, for showing. */
  readonly line: number;
  readonly text: string;
}

/** undefined when it is no migration. With an empty text, what the path alone says. */
export function migrationOf(path: string, text: string): Migration | undefined {
  const parts = path.split("/");
  const file = parts.pop() ?? "";
  const parent = parts.at(-1) ?? "";
  // Prisma: a directory per migration.
  if (file === "migration.sql" && /^\d{4,}_/.test(parent) && isMigrations(parts.at(-2) ?? "")) {
    return numbered(path, parts.slice(0, -1).join("/"), parent, text);
  }
  const stem = file.replace(/\.(up|down)(\.[a-z]+)?$/, "").replace(/\.[a-z]+$/, "");
  const directory = parts.join("/");
  if (!/\.(sql|rb|py|[cm]?[jt]s|php|java|kt|exs?|go|cs)$/.test(file) || /\.d\.ts$|[._-](test|spec)\.|^__/.test(file)) {
    return undefined;
  }
  const flyway = /^[VU](\d+(?:[._]\d+)*)__(.+)$/.exec(stem);
  if (flyway !== null && /\.(sql|java|kt)$/.test(file)) {
    const slot = (flyway[1] ?? "")
      .split(/[._]/)
      .map(plain)
      .join(".")
      .replace(/(?<!\.0)(\.0)+$/, "");
    return { ...place(text, /./), path, directory, name: stem, slot, parents: [] };
  }
  if (file.endsWith(".py")) {
    if (parent === "versions" || isMigrations(parent)) {
      const alembic = alembicOf(path, directory, stem, text);
      if (alembic !== undefined) return alembic;
    }
    if (isMigrations(parent)) return djangoOf(path, directory, stem, text);
    return undefined;
  }
  return isMigrations(parent) ? numbered(path, directory, stem, text) : undefined;
}

function isMigrations(directory: string): boolean {
  return /^(db[-_]?)?(migrations?|migrate|versions|changelogs?)$/i.test(directory);
}

function numbered(path: string, directory: string, stem: string, text: string): Migration | undefined {
  const slot = /^(\d{1,17})[_.-]./.exec(stem)?.[1] ?? /^(\d{4}_\d{2}_\d{2}_\d{6})_./.exec(stem)?.[1];
  // Laravel's 2024_01_02_030405_name would otherwise be number 2024.
  const dated = /^(\d{4}_\d{2}_\d{2}_\d{6})_./.exec(stem)?.[1];
  if (slot === undefined) return undefined;
  return { ...place(text, /\S/), path, directory, name: stem, slot: plain(dated ?? slot), parents: [] };
}

/** `dependencies = [("app", "0004_more")]`: those of its own directory are its parents; the others are other apps'. */
function djangoOf(path: string, directory: string, stem: string, text: string): Migration | undefined {
  const slot = /^(\d{4,})_/.exec(stem)?.[1];
  const list = /^[ \t]+dependencies\b[ \t]*(?::[^=\n]+)?=\s*\[([^\]]*)\]/m.exec(text)?.[1];
  if (slot === undefined && list === undefined) return undefined;
  const app = directory.split("/").at(-2) ?? "";
  const parents: string[] = [];
  for (const match of (list ?? "").matchAll(/\(\s*["']([^"']+)["']\s*,\s*["']([^"']+)["']/g)) {
    if (match[1] === app) parents.push(match[2] ?? "");
  }
  const at = place(text, /^[ \t]+dependencies\b/m);
  return { ...at, path, directory, name: stem, slot: slot === undefined ? undefined : plain(slot), parents };
}

function alembicOf(path: string, directory: string, stem: string, text: string): Migration | undefined {
  // Known only by its text; a path alone cannot rule it out.
  if (text === "") return { path, directory, name: stem, slot: undefined, parents: [], line: 1, text: "" };
  if (!/^revision\b[^=\n]*=\s*["']/m.test(text)) return undefined;
  const down = /^down_revision\b[^=\n]*=\s*(\([^)]*\)|["'][^"'\n]*["']|None)/m.exec(text)?.[1] ?? "None";
  const parents =
    down === "None" ? ["the beginning"] : [...down.matchAll(/["']([^"']+)["']/g)].map(([, id]) => id ?? "");
  // A branch of its own, labelled so, is meant to be another head.
  if (/^branch_labels\b[^=\n]*=\s*[("']/m.test(text)) return undefined;
  return { ...place(text, /^down_revision\b/m), path, directory, name: stem, slot: undefined, parents };
}

function place(text: string, mark: RegExp): { line: number; text: string } {
  const lines = text.split("\n");
  const at = Math.max(
    0,
    lines.findIndex((line) => new RegExp(mark.source).test(line)),
  );
  return { line: at + 1, text: lines.slice(at, at + 5).join("\n") };
}

const plain = (digits: string): string => digits.replace(/^0+(?=\d)/, "");
