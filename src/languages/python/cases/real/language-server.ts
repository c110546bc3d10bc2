// Talks with pyright's language server: renames and references for one side's refactoring, errors for the judge. Pyright is
// no dependency of ours; whoever measures installs it elsewhere and says where.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface Place {
  readonly path: string;
  /** From 0, as the protocol counts. */
  readonly line: number;
  readonly column: number;
}

export interface Span extends Place {
  readonly endLine: number;
  readonly endColumn: number;
}

export interface TextEdit extends Span {
  readonly text: string;
}

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

export interface LanguageServer {
  /** Undefined where pyright refuses. */
  rename(place: Place, name: string): Promise<readonly TextEdit[] | undefined>;
  references(place: Place): Promise<readonly Span[]>;
  /** Files on disk have changed. Those that are there are held open until they change again, so that none is read too late. */
  changed(paths: readonly string[], holdOpen: boolean): void;
  /** The errors of these files, as they lie on disk. */
  problems(paths: readonly string[]): Promise<ReadonlyMap<string, readonly Problem[]>>;
  close(): Promise<void>;
}

interface RangeShape {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Long enough for a large repository on a busy machine. */
const answerMs = 120_000;

/** `root` is the tree to look at; `tools` the directory where `npm install pyright` was run. */
export async function startLanguageServer(root: string, tools: string): Promise<LanguageServer> {
  const script = join(tools, "node_modules", "pyright", "langserver.index.js");
  if (!existsSync(script)) throw new Error(`pyright is not in ${tools}: run \`npm install pyright\` there`);
  const child = Bun.spawn(["node", script, "--stdio"], { cwd: root, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;

  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    void child.stdin.flush();
  };
  const ask = async (method: string, params: unknown): Promise<unknown> => {
    last += 1;
    const id = last;
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
    // Some versions never answer a question that comes before their settings: a measurement must end, and say why.
    const late = setTimeout(
      () => waiting.get(id)?.reject(new Error(`pyright gave no answer to ${method} in ${answerMs / 1000} s`)),
      answerMs,
    );
    send({ id, method, params });
    return await answer.finally(() => clearTimeout(late));
  };
  const take = (message: Message & { params?: unknown }): void => {
    if (message.method === undefined) {
      const one = waiting.get(message.id ?? -1);
      waiting.delete(message.id ?? -1);
      if (message.error === undefined) one?.resolve(message.result);
      else one?.reject(new Error(message.error.message));
    } else if (message.id !== undefined) {
      send({
        id: message.id,
        result: message.method === "workspace/configuration" ? configuration(message.params) : null,
      });
    }
  };
  const listening = listen(child.stdout, take).finally(() => {
    for (const { reject } of waiting.values()) reject(new Error("the language server ended"));
  });

  await ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "tree" }],
    capabilities: {
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeWatchedFiles: { dynamicRegistration: true },
        diagnostics: {},
      },
      textDocument: { diagnostic: {}, rename: {}, references: {} },
    },
  });
  send({ method: "initialized", params: {} });

  const uriOf = (path: string): string => pathToFileURL(join(root, path)).href;
  const pathOf = (uri: string): string => fileURLToPath(uri).slice(root.length + 1);
  const open = new Set<string>();
  const show = (path: string, text: string): void => {
    const textDocument = { uri: uriOf(path), languageId: "python", version: 1, text };
    send({ method: "textDocument/didOpen", params: { textDocument } });
  };
  const close = (path: string): void =>
    send({ method: "textDocument/didClose", params: { textDocument: { uri: uriOf(path) } } });
  const at = ({ path, line, column }: Place): object => ({
    textDocument: { uri: uriOf(path) },
    position: { line, character: column },
  });

  return {
    async rename(place, name) {
      const answer = (await ask("textDocument/rename", { ...at(place), newName: name }).catch(() => null)) as {
        documentChanges?: { textDocument?: { uri: string }; edits?: { range: RangeShape; newText: string }[] }[];
        changes?: Record<string, { range: RangeShape; newText: string }[]>;
      } | null;
      if (answer === null) return undefined;
      const files = [
        ...Object.entries(answer.changes ?? {}),
        ...(answer.documentChanges ?? []).map((one) => [one.textDocument?.uri ?? "", one.edits ?? []] as const),
      ];
      return files.flatMap(([uri, edits]) =>
        edits.map(({ range, newText }) => ({ ...span(pathOf(uri), range), text: newText })),
      );
    },
    async references(place) {
      const answer = (await ask("textDocument/references", { ...at(place), context: { includeDeclaration: true } })) as
        | { uri: string; range: RangeShape }[]
        | null;
      return (answer ?? []).map(({ uri, range }) => span(pathOf(uri), range));
    },
    changed(paths, holdOpen) {
      for (const path of paths) if (open.delete(path)) close(path);
      const changes = paths.map((path) => ({ uri: uriOf(path), type: existsSync(join(root, path)) ? 2 : 3 }));
      send({ method: "workspace/didChangeWatchedFiles", params: { changes } });
      for (const path of paths) {
        if (!holdOpen || !existsSync(join(root, path))) continue;
        open.add(path);
        show(path, readFileSync(join(root, path), "utf8"));
      }
    },
    async problems(paths) {
      const found = new Map<string, readonly Problem[]>();
      for (const path of paths) {
        const uri = uriOf(path);
        if (!open.has(path)) show(path, readFileSync(join(root, path), "utf8"));
        const answer = (await ask("textDocument/diagnostic", { textDocument: { uri } })) as {
          items?: { range: RangeShape; severity: number; code?: string; message: string }[];
        };
        if (!open.has(path)) close(path);
        const errors = (answer.items ?? []).filter(({ severity }) => severity === 1);
        found.set(
          path,
          errors.map(({ range, code, message }) => ({
            path,
            line: range.start.line + 1,
            rule: String(code ?? "syntax"),
            message,
          })),
        );
      }
      return found;
    },
    async close() {
      await ask("shutdown", null).catch(() => null);
      send({ method: "exit" });
      child.kill();
      await child.exited;
      await listening.catch(() => undefined);
    },
  };
}

function configuration(params: unknown): unknown[] {
  const items = (params as { items: { section?: string }[] }).items;
  const analysis = {
    typeCheckingMode: "basic",
    diagnosticMode: "openFilesOnly",
    autoSearchPaths: true,
    indexing: false,
  };
  return items.map(({ section }) =>
    section === "python.analysis" ? analysis : section === "python" ? { analysis } : { disableLanguageServices: false },
  );
}

function span(path: string, { start, end }: RangeShape): Span {
  return { path, line: start.line, column: start.character, endLine: end.line, endColumn: end.character };
}

async function listen(stream: ReadableStream<Uint8Array>, take: (message: Message) => void): Promise<void> {
  let held = Buffer.alloc(0);
  for await (const chunk of stream) {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const head = held.indexOf("\r\n\r\n");
      if (head < 0) break;
      const length = Number(/Content-Length: (\d+)/i.exec(held.subarray(0, head).toString())?.[1] ?? 0);
      if (held.length < head + 4 + length) break;
      take(JSON.parse(held.subarray(head + 4, head + 4 + length).toString()) as Message);
      held = held.subarray(head + 4 + length);
    }
  }
}
