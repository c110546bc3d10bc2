// Reads what a Python file says of interfaces: routes of FastAPI and Flask, requests with requests, httpx and their kind, names of events,
// imports. What a route takes and answers is in read-functions.ts.

import {
  type CodeEvent,
  type CodeImport,
  type CodeInterfaces,
  type CodeMount,
  type CodeName,
  type CodeRequest,
  type CodeRoute,
  type CodeRouter,
  type CodeSchema,
  httpMethods,
  noInterfaces,
  own,
} from "../../../ports/code-interfaces.ts";
import { addressOf, isTelling } from "../../request-address.ts";
import { Syntax } from "../../tree-sitter/syntax.ts";
import { loadPythonGrammar } from "../reader/python-grammar.ts";
import { callAt, dotted, pathAt, type PythonCall, stringAt, stringsIn, walkPython } from "./python-parts.ts";
import { handledBy } from "./read-functions.ts";
import { modelIn } from "./read-models.ts";

const deadlineMs = 700;
const longest = 512 * 1024;
const mayTell =
  /\b(fastapi|flask|APIRouter|Blueprint|requests|httpx|aiohttp|BaseModel|Enum|TypedDict|subscribe|publish|consume|produce|basic_publish|include_router|register_blueprint)\b|\.(get|post|put|patch|delete)\(|^\w+\s*(:\s*\w+\s*)?=\s*f?["']\//m;

export async function readPythonInterfaces(text: string): Promise<CodeInterfaces> {
  if (text.length > longest || text.includes("\0") || !mayTell.test(text)) return noInterfaces;
  const grammar = await loadPythonGrammar();
  const { tree } = grammar.parse(text, deadlineMs);
  return tree === undefined ? noInterfaces : new Reading(new Syntax(tree, text)).found();
}

const makers: Readonly<Record<string, string>> = {
  FastAPI: "root_path",
  APIRouter: "prefix",
  Flask: "",
  Blueprint: "url_prefix",
};
const clients =
  /^(requests|httpx|client|session|http|api|self|aiohttp|async_client|test_client|http_client)$|client|session/i;
const eventCalls =
  /^(subscribe|publish|consume|emit|on|produce|send|send_and_wait|basic_publish|basic_consume|queue_declare|send_task)$/;

class Reading {
  readonly #syntax: Syntax;
  readonly #constants = new Map<string, number>();
  readonly #names = new Map<string, CodeName>();
  readonly #routers = new Map<string, CodeRouter>();
  readonly #routes: CodeRoute[] = [];
  readonly #mounts: CodeMount[] = [];
  readonly #requests: CodeRequest[] = [];
  readonly #events: CodeEvent[] = [];
  readonly #imports: CodeImport[] = [];
  readonly #schemas = new Map<string, CodeSchema>();
  readonly #functions = new Map<string, number>();
  readonly #classes = new Map<string, number>();

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  found(): CodeInterfaces {
    walkPython(this.#syntax, 1, (node) => this.#declare(node));
    walkPython(this.#syntax, 1, (node) => this.#read(node));
    // Every name at the top of a module can be imported.
    const texts = this.#texts();
    const given = [...this.#routers.keys(), ...this.#schemas.keys(), ...Object.keys(texts)];
    return {
      routers: [...this.#routers.values()],
      routes: this.#routes,
      mounts: this.#mounts,
      requests: this.#requests,
      events: this.#events,
      imports: this.#imports,
      schemas: Object.fromEntries(this.#schemas),
      exports: {
        ...Object.fromEntries(this.#names),
        ...Object.fromEntries(given.map((name) => [name, { name, module: null }])),
      },
      texts,
      names: Object.fromEntries(this.#names),
    };
  }

  /** Constants that may be part of a path. */
  #texts(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, node] of this.#constants) {
      const isText = ["string", "binary_operator"].includes(this.#syntax.kind(node));
      const text = isText ? pathAt(this.#syntax, node) : undefined;
      if (text !== undefined && text.length < 300 && name !== "__proto__") found[name] = withParameters(text);
    }
    return found;
  }

  #declare(node: number): void {
    const syntax = this.#syntax;
    switch (syntax.kind(node)) {
      case "import_from_statement":
        return this.#bring(node);
      case "import_statement":
        for (const one of syntax.children(node)) {
          const module = syntax.kind(one) === "aliased_import" ? syntax.at(one, "name") : one;
          this.#imports.push({ module: syntax.text(module), line: syntax.line(node) });
        }
        return;
      case "class_definition": {
        this.#classes.set(syntax.text(syntax.at(node, "name")), node);
        const model = modelIn(syntax, node);
        if (model !== undefined) this.#schemas.set(model.name, model.schema);
        return;
      }
      case "function_definition":
        this.#functions.set(syntax.text(syntax.at(node, "name")), node);
        return;
      case "assignment": {
        const [left, right] = [syntax.at(node, "left"), syntax.at(node, "right")];
        if (right === 0 || (syntax.kind(left) !== "identifier" && syntax.kind(left) !== "attribute")) return;
        const name = dotted(syntax, left).at(-1) ?? "";
        if (!this.#constants.has(name)) this.#constants.set(name, right);
        const call = callAt(syntax, right);
        const maker = call?.callee.at(-1) ?? "";
        const prefix = own(makers, maker);
        if (call === undefined || prefix === undefined) return;
        this.#routers.set(name, { name, prefix: pathOf(pathAt(syntax, call.named.get(prefix)) ?? "") });
        return;
      }
      default:
    }
  }

  #bring(node: number): void {
    const syntax = this.#syntax;
    const [from, ...names] = syntax.children(node);
    if (from === undefined) return;
    const module = syntax.text(from);
    this.#imports.push({ module, line: syntax.line(node) });
    for (const one of names) {
      const isAliased = syntax.kind(one) === "aliased_import";
      const name = syntax.text(isAliased ? syntax.at(one, "name") : one);
      const local = isAliased ? syntax.text(syntax.at(one, "alias")) : name;
      this.#names.set(local, { name, module });
    }
  }

  #read(node: number): void {
    const syntax = this.#syntax;
    if (syntax.kind(node) === "decorated_definition") {
      const definition = syntax.at(node, "definition");
      if (syntax.kind(definition) !== "function_definition") return;
      for (const one of syntax.children(node)) {
        const call = syntax.kind(one) === "decorator" ? callAt(syntax, syntax.children(one)[0] ?? 0) : undefined;
        if (call !== undefined) this.#route(call, definition, syntax.line(one));
      }
      return;
    }
    const call = callAt(syntax, node);
    if (call === undefined) return;
    const name = call.callee.at(-1) ?? "";
    const line = syntax.line(node);
    if (name === "include_router" || name === "register_blueprint") return this.#mount(call, name);
    if (name === "add_url_rule" || name === "add_api_route") return this.#rule(call, name, line);
    this.#request(call, line);
    const event =
      stringAt(syntax, call.positional[0]) ??
      stringAt(syntax, call.named.get("topic") ?? call.named.get("routing_key") ?? call.named.get("queue"));
    if (event !== undefined && event.length > 2 && eventCalls.test(name)) this.#events.push({ name: event, line });
  }

  /** `app.add_url_rule("/orders", view_func=…)`, `app.add_api_route("/orders", orders)`: a function, or a class with one for each method. */
  #rule(call: PythonCall, name: string, line: number): void {
    const syntax = this.#syntax;
    const view =
      name === "add_url_rule"
        ? (call.named.get("view_func") ?? call.positional[2])
        : (call.named.get("endpoint") ?? call.positional[1]);
    if (view === undefined) return;
    const parts = dotted(syntax, view);
    const owner = parts.at(-1) === "as_view" ? this.#classes.get(parts.at(-2) ?? "") : undefined;
    const definition = syntax.kind(view) === "lambda" ? view : this.#functions.get(parts.at(-1) ?? "");
    if (owner === undefined && definition !== undefined) return this.#route(call, definition, line);
    for (const one of owner === undefined ? [] : syntax.children(syntax.at(owner, "body"))) {
      const method = syntax.kind(one) === "decorated_definition" ? syntax.at(one, "definition") : one;
      const verb = syntax.kind(method) === "function_definition" ? syntax.text(syntax.at(method, "name")) : "";
      if (httpMethods.has(verb)) this.#route(call, method, line, verb.toUpperCase());
    }
  }

  #route(call: PythonCall, definition: number, line: number, only?: string): void {
    const syntax = this.#syntax;
    const [router, name] = [call.callee.at(-2), call.callee.at(-1) ?? ""];
    const known = router === undefined ? undefined : this.#routerNamed(call.callee.slice(0, -1));
    const path = pathAt(syntax, call.positional[0] ?? call.named.get("path") ?? call.named.get("rule"));
    const isRule = ["route", "api_route", "add_url_rule", "add_api_route"].includes(name);
    if (known === undefined || path === undefined || !(httpMethods.has(name) || isRule)) return;
    const listed = stringsIn(syntax, call.named.get("methods")).map((one) => one.toUpperCase());
    const all = isRule ? (listed.length === 0 ? ["GET"] : listed) : [name.toUpperCase()];
    const methods = only === undefined ? all : [only];
    const handled = handledBy(syntax, definition, call, pathOf(path), this.#schemas);
    for (const method of methods)
      this.#routes.push({ method, path: plainPath(path), router: known, line, parameterSchemas: [], ...handled });
  }

  #routerNamed(parts: readonly string[]): CodeName | undefined {
    const [first = "", second] = parts;
    const brought = this.#names.get(first);
    if (second !== undefined) {
      // `orders.router`: a module that was brought in, and a name in it.
      return brought === undefined ? undefined : { name: second, module: inModule(brought) };
    }
    if (this.#routers.has(first)) return { name: first, module: null };
    return brought;
  }

  #mount(call: PythonCall, name: string): void {
    const syntax = this.#syntax;
    const parent = this.#routerNamed(call.callee.slice(0, -1)) ?? this.#anyParent(call.callee.at(-2));
    const child = this.#routerNamed(dotted(syntax, call.positional[0] ?? 0));
    const prefix = pathAt(syntax, call.named.get(name === "include_router" ? "prefix" : "url_prefix")) ?? "";
    if (parent === undefined || child === undefined) return;
    this.#mounts.push({ parent, prefix: pathOf(prefix), child });
  }

  /** `def create_app(): app = Flask(…)` and functions that are given the application. */
  #anyParent(name: string | undefined): CodeName | undefined {
    if (name === undefined) return undefined;
    if (!this.#routers.has(name)) this.#routers.set(name, { name, prefix: "" });
    return { name, module: null };
  }

  #request(call: PythonCall, line: number): void {
    const syntax = this.#syntax;
    const [owner = "", name = ""] = call.callee.slice(-2);
    const isRequest = name === "request" && call.callee.length > 1;
    if (!httpMethods.has(name) && !isRequest) return;
    if (!clients.test(owner) && !call.callee.some((part) => clients.test(part))) return;
    const target = (isRequest ? call.positional[1] : call.positional[0]) ?? call.named.get("url");
    const method = isRequest ? (stringAt(syntax, call.positional[0] ?? call.named.get("method")) ?? null) : name;
    const made = callAt(syntax, this.#constants.get(owner) ?? 0);
    const base = made?.named.get("base_url");
    if (target === undefined) return;
    const text = `${base === undefined ? "" : this.#put(base, 0)}${this.#put(target, 0)}`;
    const address = addressOf(text);
    if (address === undefined || address.path === "/") return;
    this.#requests.push({ method: method?.toUpperCase() ?? null, line, ...address });
  }

  /** As request-address.ts wants it: what is known as it is, the rest by name between marks. */
  #put(node: number, depth: number): string {
    const syntax = this.#syntax;
    const unknown = "\uE000?\uE000";
    if (depth > 10) return unknown;
    const kind = syntax.kind(node);
    if (kind === "string") {
      return syntax
        .children(node)
        .map((part) => {
          if (syntax.kind(part) === "string_content") return syntax.text(part);
          return syntax.kind(part) === "interpolation" ? this.#put(syntax.children(part)[0] ?? 0, depth + 1) : "";
        })
        .join("");
    }
    if (kind === "binary_operator")
      return syntax
        .children(node)
        .map((one) => this.#put(one, depth + 1))
        .join("");
    if (kind === "boolean_operator") return this.#put(syntax.children(node)[0] ?? 0, depth + 1);
    const call = callAt(syntax, node);
    if (call !== undefined) {
      // `os.environ.get("ORDERS_URL", …)`, `os.getenv("ORDERS_URL")`, `urljoin(base, path)`.
      const name = call.callee.at(-1) ?? "";
      const setting = stringAt(syntax, call.positional[0]);
      if ((name === "getenv" || (name === "get" && call.callee.includes("environ"))) && setting !== undefined)
        return `\uE000${setting}\uE000`;
      return name === "urljoin" ? call.positional.map((one) => this.#put(one, depth + 1)).join("") : unknown;
    }
    if (kind === "subscript") {
      const key = stringAt(syntax, syntax.children(node)[1]);
      return key !== undefined && isTelling(key) ? `\uE000${key}\uE000` : unknown;
    }
    const name = dotted(syntax, node).at(-1) ?? "";
    const constant = kind === "identifier" ? this.#constants.get(name) : undefined;
    const known = constant === undefined ? unknown : this.#put(constant, depth + 1);
    return known === unknown && isTelling(name) ? `\uE000${name}\uE000` : known;
  }
}

/** `from app.routers import orders` brings in a module or a name; both are found from here. */
const inModule = ({ name, module }: CodeName): string =>
  `${module ?? ""}${module === null || module.endsWith(".") ? "" : "."}${name}`;

/** Flask's `<int:id>` as `{id}`. */
export function plainPath(written: string): string {
  return pathOf(withParameters(written));
}

function withParameters(written: string): string {
  return written.replaceAll(/<(?:\w+(?:\([^)<]*\))?:)?(\w+)>/g, "{$1}").replaceAll(/\{(\w+):\w+\}/g, "{$1}");
}

function pathOf(path: string): string {
  return path === "" || path.startsWith("/") || path.startsWith("\uE001") ? path : `/${path}`;
}
