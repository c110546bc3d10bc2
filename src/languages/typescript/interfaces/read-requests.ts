// Requests that code makes: fetch, axios, ky, got and their kind, and clients that were made with a base address.

import { type CodeRequest, httpMethods } from "../../../ports/code-interfaces.ts";
import { bare, fields, isFunction, type Loose, member, nameOf, nodeAt, nodesAt, textOf } from "./loose-tree.ts";
import { addressIn } from "./read-address.ts";

/** The methods that make one client from another. */
const clientMakers = new Set(["create", "extend"]);

export class Requests {
  readonly found: CodeRequest[] = [];
  readonly #constants: ReadonlyMap<string, Loose>;

  constructor(constants: ReadonlyMap<string, Loose>) {
    this.#constants = constants;
  }

  plain(name: string | undefined, args: readonly Loose[], line: number): void {
    if (name === undefined) return;
    if (/^(fetch|\$fetch|useFetch|axios|ky|got|request|apiFetch)$/.test(name)) {
      const options = fields(args[0]);
      const target = options.get("url") ?? args[0];
      const method = textOf(options.get("method") ?? fields(args[1]).get("method"));
      this.#ask(target, method ?? "GET", line, options.get("baseURL") ?? fields(args[1]).get("baseURL"));
    }
  }

  /** `axios.get(…)`, `api.post("/orders")`, with what `axios.create({ baseURL })` was given. */
  of(object: Loose, name: string, args: readonly Loose[], line: number): void {
    if (name === "fetch") return this.plain("fetch", args, line);
    const method = name === "del" ? "delete" : name === "request" ? "request" : name;
    if (!httpMethods.has(method) && method !== "request") return;
    if (args.slice(1).some((one) => isFunction(one))) return;
    const options = method === "request" ? fields(args[0]) : new Map<string, Loose>();
    const client = this.#constants.get(nameOf(object) ?? member(object)?.name ?? "");
    const made = client?.type === "CallExpression" ? client : undefined;
    const maker = member(nodeAt(made, "callee"));
    const settings =
      maker !== undefined && clientMakers.has(maker.name)
        ? fields(nodesAt(made, "arguments")[0])
        : new Map<string, Loose>();
    const base = settings.get("baseURL") ?? settings.get("prefixUrl") ?? settings.get("prefix");
    const target = options.get("url") ?? args[0];
    const asked = method === "request" ? (textOf(options.get("method")) ?? "GET") : method;
    this.#ask(target, asked, line, base);
  }

  #ask(target: Loose | undefined, method: string, line: number, base: Loose | undefined): void {
    if (target === undefined) return;
    const address = addressIn(target, this.#constants, base === undefined ? undefined : bare(base));
    if (address !== undefined && address.path !== "/")
      this.found.push({ method: method.toUpperCase(), line, ...address });
  }
}
