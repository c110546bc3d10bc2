// Reads what a TypeScript or JavaScript file says of interfaces: routes of Hono, Express and Fastify, requests with fetch, axios and their
// kind, names of events, imports. Names are gathered first (read-declarations.ts); what a call on a router declares is in read-routes.ts.

import { parseSync } from "oxc-parser";
import {
  type CodeEvent,
  type CodeInterfaces,
  type CodeMount,
  type CodeName,
  noInterfaces,
} from "../../../ports/code-interfaces.ts";
import { nestsTooDeeply } from "../reader/nesting.ts";
import { SourceFile } from "../reader/source-file.ts";
import { exportedNames } from "./exported-names.ts";
import { fields, isFunction, isNode, type Loose, member, nameOf, nodeAt, nodesAt, textOf } from "./loose-tree.ts";
import { Declarations } from "./read-declarations.ts";
import { Requests } from "./read-requests.ts";
import { Routes } from "./read-routes.ts";
import { pathOf, withParameters } from "./routers.ts";

const longest = 512 * 1024;
/** Whether a file can say anything of interest is seen faster than it is parsed. What only imports things says nothing else. */
const mayTell =
  /\b(hono|express|fastify|Router|fetch|axios|ky|got|subscribe|publish|consume|produce|emit|sendToQueue|assertQueue|zod|typebox)\b|(get|post|put|patch|delete|register|route|openapi)\(|^export\s*(\{|\*)|[=:]\s*["'`]\//im;

export function readTypeScriptInterfaces(path: string, text: string): CodeInterfaces {
  if (text.length > longest || !mayTell.test(text) || nestsTooDeeply(text)) return noInterfaces;
  const lang = /\.[cm]?ts$/.test(path) ? "ts" : "tsx";
  const { program, errors } = parseSync(path, text, { lang, astType: "ts", preserveParens: false });
  if (errors.some(({ severity }) => severity === "Error")) return noInterfaces;
  return new Reading(program as unknown as Loose, new SourceFile(text, false)).found();
}

const eventCalls =
  /^(subscribe|unsubscribe|publish|consume|emit|on|once|addListener|produce|send|sendMessage|listen|channel|topic|assertQueue|sendToQueue)$/;

class Reading {
  readonly #program: Loose;
  readonly #file: SourceFile;
  readonly #declared: Declarations;
  readonly #routes: Routes;
  readonly #mounts: CodeMount[] = [];
  readonly #requests: Requests;
  readonly #events: CodeEvent[] = [];

  constructor(program: Loose, file: SourceFile) {
    this.#program = program;
    this.#file = file;
    this.#declared = new Declarations(program, file);
    this.#routes = new Routes(this.#declared);
    this.#requests = new Requests(this.#declared.constants);
  }

  found(): CodeInterfaces {
    this.#read(this.#program, new Map());
    const { routers, imports, schemas, names, texts, made, plugins } = this.#declared;
    return {
      routers: [...routers.values()],
      routes: this.#routes.found,
      mounts: this.#mounts,
      requests: this.#requests.found,
      events: this.#events,
      imports,
      schemas: Object.fromEntries(schemas),
      exports: exportedNames(this.#program, names, made, plugins, (node) => this.#declared.givenBy(node)),
      texts: Object.fromEntries([...texts].map(([name, text]) => [name, withParameters(text)])),
      names: Object.fromEntries(names),
    };
  }

  /** `given`: parameters that are routers in this part of the file. */
  #read(node: Loose, given: ReadonlyMap<string, CodeName>): void {
    let inside = given;
    if (isFunction(node)) {
      const plugin = this.#declared.plugins.get(node);
      const parameter = nameOf(nodesAt(node, "params")[0]);
      if (plugin !== undefined && parameter !== undefined)
        inside = new Map([...given, [parameter, { name: plugin, module: null }]]);
    }
    if (node.type === "CallExpression") this.#call(node, inside);
    for (const key in node) {
      const value = node[key];
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) this.#read(one, inside);
    }
  }

  #call(node: Loose, given: ReadonlyMap<string, CodeName>): void {
    const callee = nodeAt(node, "callee");
    const args = nodesAt(node, "arguments");
    const line = this.#file.lineAt(node.start);
    const called = member(callee);
    if (called === undefined) return this.#requests.plain(nameOf(callee), args, line);
    const { name } = called;
    const receiver = this.#receiver(called.object, given, 0);
    if (receiver !== undefined) {
      if (this.#routes.take(receiver, name, args, line)) return;
      if (this.#mount(receiver.router, name, args)) return;
    }
    this.#requests.of(called.object, name, args, line);
    const event = textOf(args[0]) ?? textOf(fields(args[0]).get("topic")) ?? textOf(fields(args[0]).get("channel"));
    if (event !== undefined && eventCalls.test(name) && event.length > 2) this.#events.push({ name: event, line });
    for (const topic of nodesAt(fields(args[0]).get("topics"), "elements").map(textOf))
      if (topic !== undefined && eventCalls.test(name)) this.#events.push({ name: topic, line });
  }

  /** Returns the router that a chain of calls begins at, and the path that `.route("/…")` gave on the way. */
  #receiver(
    node: Loose,
    given: ReadonlyMap<string, CodeName>,
    depth: number,
  ): { readonly router: CodeName; readonly path: string } | undefined {
    if (depth > 200) return undefined;
    const name = nameOf(node);
    if (name !== undefined) {
      const known = given.get(name) ?? (this.#declared.routers.has(name) ? { name, module: null } : undefined);
      const brought = this.#declared.names.get(name);
      const router = known ?? (brought?.module?.startsWith(".") === true ? brought : undefined);
      return router === undefined ? undefined : { router, path: "" };
    }
    const made = this.#declared.made.get(node);
    if (made !== undefined) return { router: { name: made, module: null }, path: "" };
    const called = node.type === "CallExpression" ? member(nodeAt(node, "callee")) : undefined;
    const inner = called === undefined ? undefined : this.#receiver(called.object, given, depth + 1);
    if (called === undefined || inner === undefined) return undefined;
    const [first, second] = nodesAt(node, "arguments");
    const path = called.name === "route" && second === undefined ? (textOf(first) ?? inner.path) : inner.path;
    return { ...inner, path };
  }

  /** `app.use("/orders", orders)`, `app.route("/orders", orders)`, `app.register(orders, { prefix })`. */
  #mount(parent: CodeName, name: string, args: readonly Loose[]): boolean {
    const [first, second] = args;
    if (name === "register") {
      const prefix = this.#declared.pathAt(fields(second).get("prefix")) ?? "";
      const found = this.#declared.mounted(first) ?? this.#declared.inlinePlugin(first);
      if (found !== undefined) this.#mounts.push({ parent, prefix: pathOf(prefix), child: found });
      return true;
    }
    if (name !== "use" && name !== "route") return false;
    // One name alone is what is mounted; before others it may be a path, or something that only passes requests on.
    const path = args.length > 1 ? this.#declared.pathAt(first) : textOf(first);
    for (const one of args.slice(textOf(first) === undefined ? 0 : 1)) {
      const found = this.#declared.mounted(one);
      if (found !== undefined) this.#mounts.push({ parent, prefix: pathOf(path ?? ""), child: found });
    }
    return true;
  }
}
