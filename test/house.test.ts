// The one rule of the house that is checked by machine: which room may import which, because it erodes unnoticed.

import { Glob } from "bun";
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const top = join(import.meta.dir, "..");

const mayImport: Record<string, readonly string[]> = {
  protocol: [],
  ports: ["protocol"],
  files: ["protocol"],
  settings: ["protocol", "files"],
  // It keeps the database file and its backups, which lie below the home as everything else that we write.
  store: ["protocol", "ports", "files"],
  client: ["protocol", "ports"],
  languages: ["protocol", "ports"],
  core: ["protocol", "ports", "store"],
  sensing: ["protocol", "ports", "languages", "core"],
  host: ["protocol", "ports", "files"],
  floor: ["protocol", "ports", "files", "settings"],
  app: ["protocol", "ports", "files", "settings", "store", "client", "languages", "core", "sensing", "host", "floor"],
  "doors/cli": ["protocol", "ports", "client", "settings", "files", "floor", "host"],
  "doors/hook": ["protocol", "ports", "client", "settings", "files", "floor", "host"],
  "doors/mcp": ["protocol", "client"],
  "doors/a2a": ["protocol", "client"],
  "doors/tui": ["protocol", "client"],
  daemon: [
    "protocol",
    "ports",
    "files",
    "settings",
    "store",
    "client",
    "languages",
    "core",
    "sensing",
    "host",
    "floor",
    "app",
    "doors/mcp",
    "doors/a2a",
  ],
  quick: ["ports", "settings", "main.ts"],
  "main.ts": ["settings", "app", "daemon", "doors/cli", "doors/hook", "doors/mcp", "doors/a2a", "doors/tui"],
};

function roomOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "doors" ? `doors/${second}` : first;
}

/** Every import of ours in a file, static and dynamic, as paths below src/. */
export function importsOf(path: string, source: string): string[] {
  const found: string[] = [];
  for (const match of source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.[^"']+)["']/g)) {
    found.push(normalize(join(dirname(path), match[1] ?? "")));
  }
  return found;
}

const files = [...new Glob("**/*.{ts,tsx}").scanSync(join(top, "src"))].sort();
// Tests sit beside the code and may use any room to set the scene; the kit they share lives in test/. So do the cases on which a
// language is measured; their kit lives in eval/.
const isCase = (path: string): boolean => path.includes("/cases/");
const code = files.filter((path) => !/\.(test|suite)\.ts$/.test(path) && !isCase(path));
const graph = new Map(code.map((path) => [path, importsOf(path, readFileSync(join(top, "src", path), "utf8"))]));

const writing =
  /^(writeFileSync|appendFileSync|rmSync|rmdirSync|unlinkSync|renameSync|mkdirSync|mkdtempSync|cpSync|copyFileSync|f?chmodSync|lchmodSync|[fl]?chownSync|linkSync|symlinkSync|f?truncateSync|[fl]?utimesSync|createWriteStream|promises|writeFile|appendFile|rm|unlink|rename|mkdir|cp|copyFile|chmod|link|symlink|truncate|utimes|opendirSync)$/;

/** The functions in a file that change the disk without going by src/files. */
export function writersIn(source: string): string[] {
  const found = new Set<string>();
  for (const [, names = ""] of source.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](?:node:)?fs["']/g)) {
    for (const name of names.split(",").map((one) => one.trim().split(/\s+as\s+/)[0] ?? ""))
      if (writing.test(name)) found.add(name);
    if (/\bopenSync\b/.test(names) && /O_WRONLY|O_RDWR|O_CREAT|openSync\([^)]*,\s*["'][wa]/.test(source))
      found.add("openSync to write");
  }
  const whole =
    /import\s+(?:\*\s+as\s+)?\w+\s+from\s*["'](?:node:)?fs["']|(?:require|import)\s*\(\s*["'](?:node:)?fs(?:\/promises)?["']|from\s*["'](?:node:)?fs\/promises["']/;
  if (whole.test(source)) found.add("all of node:fs");
  if (/\bBun\.write\b/.test(source)) found.add("Bun.write");
  if (/\bBun\.file\([^)]*\)\.(writer|delete|unlink)\(/.test(source)) found.add("Bun.file().writer");
  return [...found];
}

/** The modules that write without src/files, and the reason why nothing can be led astray there. */
const writesItself: Readonly<Record<string, string>> = {
  "host/process/budget/question-record.ts":
    "a new file under a name of chance in the system's temporary place, refused when it exists, and without a name at once",
  "daemon/door/passes.ts": "the mode of the socket it has just made, in a directory that was opened by descriptors",
  "daemon/door/socket-door.ts":
    "the mode of the socket it has just made, in a directory that was opened by descriptors",
  "daemon/mesh/stdio-door.ts":
    "the mode of the socket it has just made, in a directory of the home that was made trusted",
  "daemon/daemon-log.ts": "empties its own standard error by its descriptor",
  "doors/cli/demo/stage.ts": "a private temporary directory that it made itself and no agent knows before",
  "doors/cli/commands/demo-agent.ts": "an agent of the demo, which edits its own worktree as agents do",
  "quick/same-content.ts":
    "beside the very program that runs, in a directory of the clone that only its owner may write to",
  "host/process/cgroup.ts": "the kernel's control groups, which are no files",
  "host/process/temporary-directory.ts":
    "a new directory of a name that nobody knows before, open to its account alone",
  "host/tmux/dead-socket.ts": "a socket of tmux that nobody answers on, in tmux's own directory",
  "app/head-file.ts":
    "one file that stays open, opened by the descriptor of its trusted directory without following links",
  "host/gate/own-repository.ts":
    "a fresh repository in a scratch directory, before anything of the branch has run there",
  "host/gate/run-command.ts": "a private temporary directory that it made itself and no agent knows before",
  "host/harvest/disposable-clone.ts":
    "a fresh clone in a scratch directory, before anything of the branch has run there",
  "host/harvest/find-branch.ts": "a landing repository, walked for links before each harvest",
  "host/harvest/merge-onto.ts": "a landing repository, walked for links before each harvest",
  "host/harvest/regenerate.ts": "an index of its own in a landing repository, walked for links before each harvest",
  "app/check-open-pulls.ts": "a repository in a temporary directory of its own, with nothing checked out",
  "host/harvest/landing-repository.ts": "a landing repository, walked for links before each harvest",
  "host/harvest/tidy.ts": "landing repositories, walked for links before they are tidied",
};

/** The statements in a file, and the ways to write one by a tag of another name. */
export function statementsIn(source: string): string[] {
  const bare = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  const statement =
    /\.(?:selectFrom|insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(|(?<!\.)\bsql(?:<[^`]*?>)?`|\bsql\.raw\(|\.(?:query|prepare|run|exec|unsafe)(?:<[^(]*>)?\(\s*["'`]\s*(?:select|insert|update|delete|with|create|alter|drop)\b|import\s*(?!type\b)(?:\*[^;]*|\{[^}]*\bsql\b[^}]*\})\s*from\s*["']kysely["']/gi;
  return [...bare.matchAll(statement)].map(([found]) => found);
}

describe("the house", () => {
  test("SQL stands in *.sql.ts and in the store, and nowhere else", () => {
    const found = [...graph.keys()]
      .filter((path) => roomOf(path) !== "store" && !path.endsWith(".sql.ts"))
      .flatMap((path) =>
        statementsIn(readFileSync(join(top, "src", path), "utf8")).map((statement) => `${path}: ${statement}`),
      );
    expect(found).toEqual([]);
  });

  test("the check of SQL sees every way to write a statement", () => {
    const planted = [
      `const rows = await db\n  .selectFrom("tasks").selectAll().execute();`,
      `db.insertInto("tasks").values(row);`,
      `db.updateTable("tasks").set(row);`,
      `db.deleteFrom("tasks");`,
      `db.replaceInto("tasks").values(row);`,
      `db.mergeInto("tasks");`,
      "sql`select 1`.execute(db);",
      "sql<Row>`select 1`.execute(db);",
      `sql.raw("select 1").execute(db);`,
      `import { sql as raw } from "kysely";`,
      `import { type Kysely, sql } from "kysely";`,
      `import * as kysely from "kysely";`,
      `database.query<Row, []>("select * from tasks").all();`,
      "database.run(`\n  delete from tasks`);",
    ];
    expect(planted.filter((source) => statementsIn(source).length === 0)).toEqual([]);
    const none = [
      `import type { Kysely } from "kysely";`,
      `// tx.db.deleteFrom("tasks")`,
      `import { findTask } from "./tasks.sql.ts";`,
      `database.run("begin immediate");`,
      `runtime.prepare(launch);`,
    ];
    expect(none.filter((source) => statementsIn(source).length > 0)).toEqual([]);
  });

  test("each room imports only the rooms it may", () => {
    const trespasses: string[] = [];
    for (const [path, imports] of graph) {
      const room = roomOf(path);
      const allowed = mayImport[room];
      if (allowed === undefined) {
        trespasses.push(`${path}: no room is called ${room}`);
        continue;
      }
      for (const target of imports) {
        if (target.startsWith("..")) {
          if (target !== "../package.json") trespasses.push(`${path} reaches outside src: ${target}`);
          continue;
        }
        const other = roomOf(target);
        if (other !== room && !allowed.includes(other)) trespasses.push(`${path} (${room}) imports ${target}`);
      }
    }
    expect(trespasses).toEqual([]);
  });

  test("the window imports the protocol and nothing else of ours", () => {
    const trespasses = [...new Glob("src/**/*.{ts,svelte}").scanSync(join(top, "web"))].flatMap((path) =>
      importsOf(`web/${path}`, readFileSync(join(top, "web", path), "utf8"))
        .filter((target) => !target.startsWith("web/src/") && !target.startsWith("src/protocol/"))
        .map((target) => `web/${path} imports ${target}`),
    );
    expect(trespasses).toEqual([]);
  });

  test("the window draws no text as HTML, and has nothing that a strict content policy refuses", () => {
    const refused =
      /\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\sstyle="|\son[a-z]+="/g;
    const found = [...new Glob("{index.html,src/**/*.{ts,svelte}}").scanSync(join(top, "web"))].flatMap((path) =>
      [...readFileSync(join(top, "web", path), "utf8").matchAll(refused)].map(([word]) => `web/${path}: ${word}`),
    );
    expect(found).toEqual([]);
  });

  test("inside core, a subject's rules and SQL are its own", () => {
    // Tasks are one subject in folders by idea; elsewhere each folder has its own.
    const ownerOf = (path: string): string => (path.startsWith("core/tasks/") ? "core/tasks" : dirname(path));
    const trespasses: string[] = [];
    for (const [path, imports] of graph) {
      if (roomOf(path) !== "core") continue;
      for (const target of imports) {
        const isPrivate = target.endsWith(".sql.ts") || target.endsWith("/rules.ts");
        if (isPrivate && ownerOf(target) !== ownerOf(path)) trespasses.push(`${path} imports ${target}`);
      }
    }
    expect(trespasses).toEqual([]);
  });

  test("nobody but the list of languages knows one by name, and languages do not know each other", () => {
    const shared = new Set(["check", "compiled", "tree-sitter", "toolchain"]);
    const folderOf = (path: string): string | undefined => /^languages\/([^/]+)\//.exec(path)?.[1];
    const trespasses: string[] = [];
    for (const [path, imports] of graph) {
      for (const target of imports) {
        if (isCase(target)) trespasses.push(`${path} imports a case: ${target}`);
        const [from, to] = [folderOf(path), folderOf(target)];
        if (to === undefined || from === to || path === "languages/all.ts") continue;
        // The shell is no language that work is written in: it is read to judge the commands of agents.
        if (to === "shell" && path === "app/judge-by-rules.ts") continue;
        if (from === undefined || !shared.has(to)) trespasses.push(`${path} imports ${target}`);
      }
    }
    expect(trespasses).toEqual([]);
  });

  test("imports make no loops", () => {
    const loops: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        loops.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
        return;
      }
      if (done.has(path)) return;
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    expect(loops).toEqual([]);
  });

  test("only settings/env.ts reads the environment", () => {
    const readers = code.filter(
      (path) =>
        path !== "settings/env.ts" &&
        /\bprocess\.env\b|\bBun\.env\b/.test(readFileSync(join(top, "src", path), "utf8")),
    );
    expect(readers).toEqual([]);
  });

  test("what writes to the disk goes by src/files; each exception says why it is safe", () => {
    const writers: string[] = [];
    for (const path of code) {
      if (roomOf(path) === "files") continue;
      const named = writersIn(readFileSync(join(top, "src", path), "utf8"));
      if (named.length > 0 && writesItself[path] === undefined) writers.push(`${path}: ${named.join(", ")}`);
      if (named.length === 0 && writesItself[path] !== undefined) writers.push(`${path} does not need its exception`);
    }
    expect(writers).toEqual([]);
  });

  test("the check of writers sees every way to reach them", () => {
    expect(writersIn(`import { readFileSync, rmSync } from "node:fs";`)).toEqual(["rmSync"]);
    expect(writersIn(`import * as fs from "node:fs"; fs.cpSync(a, b);`)).toEqual(["all of node:fs"]);
    expect(writersIn(`import fs from "fs";`)).toEqual(["all of node:fs"]);
    expect(writersIn(`const fs = require("node:fs");`)).toEqual(["all of node:fs"]);
    expect(writersIn(`const { rm } = await import("node:fs/promises");`)).toEqual(["all of node:fs"]);
    expect(writersIn(`await Bun.write(path, text);`)).toEqual(["Bun.write"]);
    expect(writersIn(`Bun.file(path).writer(); Bun.file(path).delete()`)).toEqual(["Bun.file().writer"]);
    const open = `import { constants, openSync } from "node:fs";`;
    expect(writersIn(`${open} openSync(path, constants.O_RDONLY);`)).toEqual([]);
    expect(writersIn(`${open} openSync(path, constants.O_WRONLY);`)).toEqual(["openSync to write"]);
    expect(writersIn(`${open} openSync(path, "a");`)).toEqual(["openSync to write"]);
  });

  test("the check itself sees static, dynamic and side-effect imports", () => {
    const source = `import a from "./a.ts";\nimport "./b.ts";\nconst c = await import("../c/d.ts");\nexport { e } from "./e.ts";`;
    expect(importsOf("core/x.ts", source)).toEqual(["core/a.ts", "core/b.ts", "c/d.ts", "core/e.ts"]);
  });
});

test("whoever calls the daemon makes sure that it is the daemon", () => {
  const callers = [...new Glob("src/**/*.ts").scanSync(top)].filter(
    (path) => !path.startsWith("src/client/") && !/\.(test|suite)\.ts$/.test(path),
  );
  const unchecked = callers.filter((path) => {
    const text = readFileSync(join(top, path), "utf8");
    const calls = text.match(/\b(socketCaller|followEvents|new Door)\(/g)?.length ?? 0;
    return calls > (text.match(/\bdaemonProof\(/g)?.length ?? 0);
  });
  expect(unchecked).toEqual([]);
});

/** Our own sources, without tests and without the cases of languages. */
const sources = [...new Glob("src/**/*.ts").scanSync(top)].filter(
  (path) => !/\.(test|suite)\.ts$/.test(path) && !path.includes("/cases/"),
);

/** The lines of our sources that match, but for the file whose business it is. */
const linesWith = (wrong: (line: string) => boolean, home: string): string[] =>
  sources
    .filter((path) => path !== home)
    .flatMap((path) => {
      const lines = readFileSync(join(top, path), "utf8").split("\n");
      return lines.flatMap((line, at) => (wrong(line) ? [`${path}:${at + 1} ${line.trim()}`] : []));
    });

/** `n === 1 ? "" : "s"`, `n === 1 ? "file" : "files"`, `n === 1 ? "1 file" : …`. */
function isHandMadePlural(line: string): boolean {
  const choice = /=== 1 \? ["`]([^"`]*)["`] : ["`]([^"`]*)["`]/.exec(line);
  if (choice === null) return false;
  const [, one = "", several = ""] = choice;
  const isNoun = several === `${one}s` || several === `${one}es` || several === one.replace(/y$/, "ies");
  // A verb follows its noun: `counted(2, "file") … ${2 === 1 ? "waits" : "wait"}` is the other way round.
  return (isNoun && several !== one) || one.startsWith("1 ");
}

test("a number with its noun is written by `counted`, and names in a sentence by `listed`", () => {
  expect(linesWith(isHandMadePlural, "src/protocol/counted.ts")).toEqual([]);
  expect(linesWith((line) => /\.join\((["'`]) and \1\)/.test(line), "src/protocol/listed.ts")).toEqual([]);
  const planted = [
    '`${n} file${n === 1 ? "" : "s"}`',
    'n === 1 ? "try" : "tries"',
    'n === 1 ? "1 file" : `${n} files`',
  ];
  expect(planted.filter(isHandMadePlural)).toEqual(planted);
  expect(isHandMadePlural('n === 1 ? "was" : "were"')).toBe(false);
});

test("what an agent's id may be is written in one place", () => {
  expect(linesWith((line) => /agent\[a-z/.test(line), "src/protocol/agent-id.ts")).toEqual([]);
});

test("no test waits for a rejection inside the turn, where Bun may wait for ever", () => {
  const waitsInside = /\)\s*\.(?:rejects|resolves)\./;
  expect(waitsInside.test("await expect(refused).rejects.toThrow();")).toBe(true);
  expect(waitsInside.test("await expect(\n  refused,\n)\n  .resolves.toBe(1);")).toBe(true);
  const waiting = ["src", "test", "eval", "bench"]
    .flatMap((room) => [...new Glob("**/*.ts").scanSync(join(top, room))].map((path) => join(room, path)))
    .filter((path) => path !== "test/house.test.ts" && waitsInside.test(readFileSync(join(top, path), "utf8")));
  expect(waiting, "use test/kit/rejection.ts").toEqual([]);
});
