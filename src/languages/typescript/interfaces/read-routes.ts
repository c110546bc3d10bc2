// Routes that a call on a router declares, in the ways of Hono, Express and Fastify. What a route takes and answers is in read-handlers.ts.

import { type CodeName, type CodeRoute, httpMethods } from "../../../ports/code-interfaces.ts";
import { fields, isFunction, type Loose, nameOf, nodesAt, textOf } from "./loose-tree.ts";
import { type Handled, handledBy, joinHandled, responseSchemas, routeSchemas } from "./read-handlers.ts";
import type { Declarations } from "./read-declarations.ts";
import { joined, pathOf } from "./routers.ts";

export class Routes {
  readonly found: CodeRoute[] = [];
  readonly #constants: ReadonlyMap<string, Loose>;
  readonly #declared: Declarations;

  constructor(declared: Declarations) {
    this.#constants = declared.constants;
    this.#declared = declared;
  }

  /** Tells whether a call on a router declares routes. */
  take(
    { router, path }: { readonly router: CodeName; readonly path: string },
    name: string,
    args: readonly Loose[],
    line: number,
  ): boolean {
    const [first, second, ...rest] = args;
    if (httpMethods.has(name) || name === "all" || name === "del") {
      // After `.route("/…")` a name is a handler's.
      const one = path === "" ? this.#declared.pathAt(first) : textOf(first);
      const several = path === "" && first?.type === "ArrayExpression" ? nodesAt(first, "elements").map(textOf) : [];
      const own = one === undefined ? several.filter((each) => each !== undefined) : [one];
      const handlers = own.length === 0 ? args : args.slice(1);
      // A request of a client has no function in it.
      if ((own.length === 0 && path === "") || !handlers.some((each) => this.#isHandler(each))) return false;
      const method = name === "all" ? "ALL" : name === "del" ? "DELETE" : name.toUpperCase();
      for (const each of own.length === 0 ? [""] : own) this.#add(router, method, joined(path, each), handlers, line);
      return true;
    }
    if (name === "on" && second !== undefined && rest.length > 0) {
      const methods = textOf(first) === undefined ? nodesAt(first, "elements").map(textOf) : [textOf(first)];
      const own = this.#declared.pathAt(second);
      if (own === undefined || !/^[/\uE001]/.test(own)) return false;
      for (const method of methods) if (method !== undefined) this.#add(router, method.toUpperCase(), own, rest, line);
      return true;
    }
    const declared =
      name === "openapi" && first?.type === "Identifier" ? this.#constants.get(nameOf(first) ?? "") : first;
    const options = fields(declared?.type === "CallExpression" ? nodesAt(declared, "arguments")[0] : declared);
    const own = this.#declared.pathAt(options.get("url") ?? options.get("path"));
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
    if (isFunction(node) || ["CallExpression", "ArrayExpression", "SpreadElement"].includes(node.type)) return true;
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
    this.found.push({ method, path: pathOf(written), router, line, ...joinHandled(handled, pathOf(written)) });
  }
}
