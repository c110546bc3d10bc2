// Reads what a request is about, whatever the program calls its tools: a shell command, files to read, files to edit, or something else. The
// names are those that Claude Code, Codex, Gemini CLI and opencode report. A request whose input does not have the known shape is something
// else, and nothing but a rule for its tool speaks for it.

export type Asked =
  | { readonly kind: "shell"; readonly command: string; readonly cwd: string }
  | {
      readonly kind: "read" | "edit";
      readonly paths: readonly string[];
      /** True when everything below the paths is read too. */
      readonly descends?: boolean;
    }
  | { readonly kind: "harmless" }
  | { readonly kind: "other"; readonly why: string };

export function readRequest(tool: string, input: unknown, cwd: string): Asked {
  const given = asObject(input);
  if (given === undefined) return { kind: "other", why: "its input is not known" };
  if (shellTools.has(tool)) return shell(given, cwd);
  if (patchTools.has(tool)) return patch(given);
  if (editTools.has(tool)) return files("edit", given, undefined);
  if (tool === "read_many_files") return manyFiles(given, cwd);
  if (searchTools.has(tool)) return search(files("read", given, cwd));
  if (readTools.has(tool)) return files("read", given, cwd);
  if (harmlessTools.has(tool)) return { kind: "harmless" };
  return { kind: "other", why: "it is not a known tool" };
}

/** For rules: allowing one of these by its name would approve any command. */
export const shellTools: ReadonlySet<string> = new Set([
  "Bash",
  "bash",
  "shell",
  "local_shell",
  "exec_command",
  "unified_exec",
  "run_shell_command",
]);
export const patchTools: ReadonlySet<string> = new Set(["apply_patch", "patch"]);
/** Likewise any file. */
export const editTools: ReadonlySet<string> = new Set([
  "Edit",
  "Write",
  "MultiEdit",
  "NotebookEdit",
  "edit",
  "write",
  "write_file",
  "replace",
]);
const readTools = new Set([
  "Read",
  "Glob",
  "Grep",
  "LS",
  "NotebookRead",
  "read",
  "list",
  "glob",
  "grep",
  "read_file",
  "list_directory",
  "search_file_content",
  "grep_search",
]);
const searchTools = new Set(["Glob", "Grep", "glob", "grep", "search_file_content", "grep_search"]);
/** They touch nothing but the program's own memory of its work. */
const harmlessTools = new Set([
  "TodoWrite",
  "TodoRead",
  "todowrite",
  "todoread",
  "write_todos",
  "update_plan",
  "BashOutput",
  "TaskOutput",
  "ToolSearch",
]);

const search = (asked: Asked): Asked => (asked.kind === "read" ? { ...asked, descends: true } : asked);

type Given = Readonly<Record<string, unknown>>;

function shell(given: Given, cwd: string): Asked {
  const special = Object.keys(given).filter((key) => /sandbox|escalat|permission|environment|^env$/i.test(key));
  if (special.some((key) => !usualSettings.includes(given[key]))) {
    return { kind: "other", why: "it asks to run outside of its sandbox or with other settings" };
  }
  const command = given["command"] ?? given["cmd"];
  const where = given["workdir"] ?? given["cwd"] ?? given["directory"] ?? given["dir_path"];
  if (where !== undefined && (typeof where !== "string" || !where.startsWith("/")))
    return { kind: "other", why: "where it is to run is not an absolute path" };
  const at = where ?? cwd;
  if (typeof command === "string") return { kind: "shell", command, cwd: at };
  // Codex hands a list of words to the system as they are.
  if (Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string"))
    return { kind: "shell", command: command.map(quoteWord).join(" "), cwd: at };
  return { kind: "other", why: "its command is not known" };
}

const usualSettings: readonly unknown[] = [undefined, null, false, "use_default"];

export const quoteWord = (word: string): string =>
  /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

function patch(given: Given): Asked {
  const text = given["input"] ?? given["patch"] ?? given["patchText"] ?? given["command"];
  if (typeof text !== "string") return { kind: "other", why: "its patch is not known" };
  const paths = [...text.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.*)$/gm)].map(
    ([, path]) => path ?? "",
  );
  const headers = text.split("\n").filter((line) => /^\s*\*\*\*\s/.test(line) && !/^\*\*\* (?:Begin|End)\b/.test(line));
  // Every header must be one that was read.
  const known = headers.filter((line) => /^\*\*\* (?:Add File|Update File|Delete File|Move to): /.test(line));
  if (paths.length === 0 || headers.some((line) => !known.includes(line) && line.trim() !== "*** End of File"))
    return { kind: "other", why: "its patch cannot be read" };
  return pathsOf(
    "edit",
    paths.map((path) => path.replace(/\r$/, "")),
  );
}

function files(kind: "read" | "edit", given: Given, usual: string | undefined): Asked {
  const found: unknown[] = [];
  for (const key of ["file_path", "filePath", "notebook_path", "absolute_path", "path", "dir_path", "paths"]) {
    const value = given[key];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) found.push(...value);
    else found.push(value);
  }
  // A pattern may lead up and out of the directory it is looked for in.
  for (const key of ["pattern", "include", "glob"]) {
    const value = given[key];
    if (
      typeof value === "string" &&
      (value.startsWith("/") || value.startsWith("~") || value.split("/").includes(".."))
    )
      return { kind: "other", why: "its pattern leads out of where it looks" };
  }
  if (found.length === 0 && usual !== undefined) found.push(usual);
  return pathsOf(kind, found);
}

/** Files by patterns, which stand for anything below the directory if none of them leads out of it. */
function manyFiles(given: Given, cwd: string): Asked {
  const patterns = [given["include"], given["paths"]].flat().filter((one) => one !== undefined);
  const stays = (one: unknown): boolean =>
    typeof one === "string" && !/^[/~]|\p{Cc}/u.test(one) && !one.split("/").includes("..");
  if (patterns.length === 0 || !patterns.every(stays))
    return { kind: "other", why: "its patterns lead out of where it looks" };
  return { kind: "read", paths: [cwd], descends: true };
}

function pathsOf(kind: "read" | "edit", paths: readonly unknown[]): Asked {
  const usable = paths.every(
    (path) => typeof path === "string" && path !== "" && !path.startsWith("~") && !/\p{Cc}/u.test(path),
  );
  if (paths.length === 0 || !usable) return { kind: "other", why: "its paths are not known" };
  return { kind, paths: paths as string[] };
}

const asObject = (value: unknown): Given | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Given) : undefined;
