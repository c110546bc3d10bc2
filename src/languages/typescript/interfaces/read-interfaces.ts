// Reads what a TypeScript or JavaScript file says of interfaces: routes of Hono, Express and Fastify, requests with fetch, axios and their
// kind, names of events, imports. What a route takes and answers is in read-handlers.ts.

import { parseSync } from "oxc-parser";
import {
  type CodeEvent,
  type CodeImport,
  type CodeInterfaces,
  type CodeMount,
  type CodeName,
  type CodeRoute,
  type CodeRouter,
  type CodeSchema,
  httpMethods,
  noInterfaces,
} from "../../../ports/code-interfaces.ts";
import { nestsTooDeeply } from "../reader/nesting.ts";
import { SourceFile } from "../reader/source-file.ts";
import { exportedNames } from "./exported-names.ts";
import { fields, isFunction, isNode, type Loose, member, nameOf, nodeAt, nodesAt, textOf, walk } from "./loose-tree.ts";
import { type Handled, handledBy, joinHandled, responseSchemas, routeSchemas } from "./read-handlers.ts";
import { Requests } from "./read-requests.ts";
import { schemaIn } from "./read-schemas.ts";
import { isJsonSchema, joined, madeRouter, pathOf, requiredModule } from "./routers.ts";

const longest = 512 * 1024;
/** Whether a file can say anything of interest is seen faster than it is parsed. What only imports things says nothing else. */
const mayTell =
  /\b(hono|express|fastify|Router|fetch|axios|ky|got|subscribe|publish|consume|produce|emit|sendToQueue|assertQueue|zod|typebox)\b|(get|post|put|patch|delete|register|route|openapi)\(|^export\s*(\{|\*)/im;

export function readTypeScriptInterfaces(path: string, text: string): CodeInterfaces {
  if (text.length > longest || !mayTell.test(text) || nestsTooDeeply(text)) return noInterfaces;
  const lang = /\.[cm]?ts$/.test(path) ? "ts" : "tsx";
  const { program, errors } = parseSync(path, text, { lang, astType: "ts", preserveParens: false });
  if (errors.some(({ severity }) => severity === "Error")) return noInterfaces;
  return new Reading(program as unknown as Loose, new SourceFile(text, false)).found();
}

const routerParameters = /^(app|fastify|server|instance|api|router|scope)$/;
const routerTypes = /\b(FastifyInstance|Hono|OpenAPIHono|Express|Application|Router|FastifyPluginAsync)\b/;
const eventCalls =
  /^(subscribe|unsubscribe|publish|consume|emit|on|once|addListener|produce|send|sendMessage|listen|channel|topic|assertQueue|sendToQueue)$/;

class Reading {
  readonly #program: Loose;
  readonly #file: SourceFile;
  readonly #constants = new Map<string, Loose>();
  readonly #names = new Map<string, CodeName>();
  readonly #routers = new Map<string, CodeRouter>();
  /** The expression that makes a router, and the name it has. */
  readonly #made = new Map<Loose, string>();
  /** Functions that are given a router: plugins. */
  readonly #plugins = new Map<Loose, string>();
  readonly #routes: CodeRoute[] = [];
  readonly #mounts: CodeMount[] = [];
  readonly #requests = new Requests(this.#constants);
  readonly #events: CodeEvent[] = [];
  readonly #imports: CodeImport[] = [];
  readonly #schemas = new Map<string, CodeSchema>();

  constructor(program: Loose, file: SourceFile) {
    this.#program = program;
    this.#file = file;
  }

  found(): CodeInterfaces {
    walk(this.#program, (node) => this.#declare(node));
    this.#read(this.#program, new Map());
    return {
      routers: [...this.#routers.values()],
      routes: this.#routes,
      mounts: this.#mounts,
      requests: this.#requests.found,
      events: this.#events,
      imports: this.#imports,
      schemas: Object.fromEntries(this.#schemas),
      exports: exportedNames(this.#program, this.#names, this.#made, this.#plugins),
      names: Object.fromEntries(this.#names),
    };
  }

  #declare(node: Loose): void {
    if (node.type === "ImportDeclaration") return this.#bring(node);
    if (node.type === "FunctionDeclaration") {
      const name = nameOf(nodeAt(node, "id"));
      if (name !== undefined && !this.#constants.has(name)) this.#constants.set(name, node);
      return this.#plugin(node, name);
    }
    if (node.type === "ExportDefaultDeclaration") {
      const made = nodeAt(node, "declaration");
      if (isFunction(made)) this.#plugin(made, "default");
      return this.#router(made, "default");
    }
    if (node.type !== "VariableDeclarator") return;
    const init = nodeAt(node, "init");
    const id = nodeAt(node, "id");
    const name = nameOf(id);
    if (init === undefined) return;
    const required = requiredModule(init);
    if (required !== undefined) return this.#require(id, required, init);
    if (name === undefined) return;
    if (!this.#constants.has(name)) this.#constants.set(name, init);
    if (isFunction(init)) return this.#plugin(init, name);
    this.#router(init, name);
    const schema = init.type === "CallExpression" ? schemaIn(init) : undefined;
    if (schema !== undefined && Object.keys(schema).length > 0) this.#schemas.set(name, schema);
    else if (init.type === "ObjectExpression" && isJsonSchema(init)) this.#schemas.set(name, schemaIn(init) ?? {});
  }

  #bring(node: Loose): void {
    const module = textOf(nodeAt(node, "source"));
    if (module === undefined) return;
    this.#imports.push({ module, line: this.#file.lineAt(node.start) });
    for (const one of nodesAt(node, "specifiers")) {
      const local = nameOf(nodeAt(one, "local"));
      const imported = nodeAt(one, "imported");
      const name =
        one.type === "ImportSpecifier"
          ? (nameOf(imported) ?? textOf(imported))
          : one.type === "ImportDefaultSpecifier"
            ? "default"
            : "*";
      if (local !== undefined && name !== undefined) this.#names.set(local, { name, module });
    }
  }

  #require(id: Loose | undefined, module: string, init: Loose): void {
    this.#imports.push({ module, line: this.#file.lineAt(init.start) });
    const name = nameOf(id);
    if (name !== undefined) this.#names.set(name, { name: "default", module });
    for (const property of id?.type === "ObjectPattern" ? nodesAt(id, "properties") : []) {
      const [key, local] = [nameOf(nodeAt(property, "key")), nameOf(nodeAt(property, "value"))];
      if (key !== undefined && local !== undefined) this.#names.set(local, { name: key, module });
    }
  }

  /** An expression that makes a router, however many routes are chained to it. */
  #router(node: Loose | undefined, name: string): void {
    const made = madeRouter(node);
    if (made === undefined || this.#made.has(made.root)) return;
    this.#made.set(made.root, name);
    this.#routers.set(name, { name, prefix: made.prefix });
  }

  #plugin(node: Loose, name: string | undefined): void {
    const [first] = nodesAt(node, "params");
    const parameter = nameOf(first);
    const typed = first?.["typeAnnotation"];
    const isRouter = routerParameters.test(parameter ?? "") && nodesAt(node, "params").length <= 3;
    const says = isNode(typed) ? this.#file.text.slice(typed.start, Number(typed["end"])) : "";
    if (name === undefined || !(isRouter || routerTypes.test(says))) return;
    this.#plugins.set(node, name);
    if (!this.#routers.has(name)) this.#routers.set(name, { name, prefix: "" });
  }

  /** `given`: parameters that are routers in this part of the file. */
  #read(node: Loose, given: ReadonlyMap<string, CodeName>): void {
    let inside = given;
    if (isFunction(node)) {
      const plugin = this.#plugins.get(node);
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
      if (this.#route(receiver, name, args, line)) return;
      if (this.#mount(receiver.router, name, args)) return;
    }
    this.#requests.of(called.object, name, args, line);
    const event = textOf(args[0]) ?? textOf(fields(args[0]).get("topic")) ?? textOf(fields(args[0]).get("channel"));
    if (event !== undefined && eventCalls.test(name) && event.length > 2) this.#events.push({ name: event, line });
    for (const topic of nodesAt(fields(args[0]).get("topics"), "elements").map(textOf))
      if (topic !== undefined && eventCalls.test(name)) this.#events.push({ name: topic, line });
  }

  /** Which router a chain of calls begins at, and the path that `.route("/…")` on the way said. */
  #receiver(
    node: Loose,
    given: ReadonlyMap<string, CodeName>,
    depth: number,
  ): { readonly router: CodeName; readonly path: string } | undefined {
    if (depth > 200) return undefined;
    const name = nameOf(node);
    if (name !== undefined) {
      const known = given.get(name) ?? (this.#routers.has(name) ? { name, module: null } : undefined);
      const brought = this.#names.get(name);
      const router = known ?? (brought?.module?.startsWith(".") === true ? brought : undefined);
      return router === undefined ? undefined : { router, path: "" };
    }
    const made = this.#made.get(node);
    if (made !== undefined) return { router: { name: made, module: null }, path: "" };
    const called = node.type === "CallExpression" ? member(nodeAt(node, "callee")) : undefined;
    const inner = called === undefined ? undefined : this.#receiver(called.object, given, depth + 1);
    if (called === undefined || inner === undefined) return undefined;
    const [first, second] = nodesAt(node, "arguments");
    const path = called.name === "route" && second === undefined ? (textOf(first) ?? inner.path) : inner.path;
    return { ...inner, path };
  }

  #route(
    { router, path }: { readonly router: CodeName; readonly path: string },
    name: string,
    args: readonly Loose[],
    line: number,
  ): boolean {
    const [first, second, ...rest] = args;
    if (httpMethods.has(name) || name === "all" || name === "del") {
      const own = textOf(first);
      const handlers = own === undefined ? args : args.slice(1);
      // A request of a client has no function in it.
      if ((own === undefined && path === "") || !handlers.some((one) => this.#isHandler(one))) return false;
      const method = name === "all" ? "ALL" : name === "del" ? "DELETE" : name.toUpperCase();
      this.#add(router, method, joined(path, own ?? ""), handlers, line);
      return true;
    }
    if (name === "on" && second !== undefined && rest.length > 0) {
      const methods = textOf(first) === undefined ? nodesAt(first, "elements").map(textOf) : [textOf(first)];
      const own = textOf(second);
      if (own === undefined || !own.startsWith("/")) return false;
      for (const method of methods) if (method !== undefined) this.#add(router, method.toUpperCase(), own, rest, line);
      return true;
    }
    const declared =
      name === "openapi" && first?.type === "Identifier" ? this.#constants.get(nameOf(first) ?? "") : first;
    const options = fields(declared?.type === "CallExpression" ? nodesAt(declared, "arguments")[0] : declared);
    const own = textOf(options.get("url") ?? options.get("path"));
    if ((name !== "route" && name !== "openapi") || own === undefined) return false;
    const methods = options.get("method");
    const handler = options.get("handler") ?? second;
    for (const method of textOf(methods) === undefined ? nodesAt(methods, "elements").map(textOf) : [textOf(methods)]) {
      if (method !== undefined)
        this.#add(
          router,
          method.toUpperCase(),
          own,
          [...(declared === undefined ? [] : [declared]), ...(handler === undefined ? [] : [handler])],
          line,
        );
    }
    return true;
  }

  #isHandler(node: Loose): boolean {
    if (isFunction(node) || node.type === "CallExpression" || node.type === "ArrayExpression") return true;
    const known = this.#constants.get(nameOf(node) ?? "");
    if (known !== undefined) return isFunction(known);
    return node.type === "MemberExpression" || node.type === "Identifier";
  }

  #add(router: CodeName, method: string, written: string, handlers: readonly Loose[], line: number): void {
    const handled: Handled[] = [routeSchemas(handlers), responseSchemas(handlers)];
    for (const handler of handlers.flatMap((one) =>
      one.type === "ArrayExpression" ? nodesAt(one, "elements") : [one],
    )) {
      const known = isFunction(handler) ? handler : this.#constants.get(nameOf(handler) ?? "");
      const inner =
        known === undefined && handler.type === "CallExpression"
          ? nodesAt(handler, "arguments").find(isFunction)
          : known;
      if (isFunction(inner)) handled.push(handledBy(inner));
    }
    this.#routes.push({ method, path: pathOf(written), router, line, ...joinHandled(handled, pathOf(written)) });
  }

  /** `app.use("/orders", orders)`, `app.route("/orders", orders)`, `app.register(orders, { prefix })`. */
  #mount(parent: CodeName, name: string, args: readonly Loose[]): boolean {
    const [first, second] = args;
    const child = (node: Loose | undefined): CodeName | undefined => {
      const own = nameOf(node);
      if (own !== undefined)
        return this.#names.get(own) ?? (this.#routers.has(own) ? { name: own, module: null } : undefined);
      const made = node === undefined ? undefined : (this.#made.get(node) ?? this.#plugins.get(node));
      return made === undefined ? this.#requiredHere(node) : { name: made, module: null };
    };
    if (name === "register") {
      const prefix = textOf(fields(second).get("prefix")) ?? "";
      const found = child(first) ?? this.#inlinePlugin(first);
      if (found !== undefined) this.#mounts.push({ parent, prefix: pathOf(prefix), child: found });
      return true;
    }
    if (name !== "use" && name !== "route") return false;
    const path = textOf(first);
    for (const one of args.slice(path === undefined ? 0 : 1)) {
      const found = child(one);
      if (found !== undefined) this.#mounts.push({ parent, prefix: pathOf(path ?? ""), child: found });
    }
    return true;
  }

  #requiredHere(node: Loose | undefined): CodeName | undefined {
    const module = node === undefined ? undefined : requiredModule(node);
    return module === undefined ? undefined : { name: "default", module };
  }

  /** `app.register(async (scope) => { … }, { prefix })`. */
  #inlinePlugin(node: Loose | undefined): CodeName | undefined {
    if (!isFunction(node)) return undefined;
    const name = `plugin at ${node.start}`;
    this.#plugins.set(node, name);
    this.#routers.set(name, { name, prefix: "" });
    return { name, module: null };
  }
}
