// Puts together what the files of an application say: which router is mounted where, and so which routes there are in full, with schemas
// followed to the files that define them.

import {
  type CodeInterfaces,
  type CodeName,
  type CodeRoute,
  type CodeSchema,
  codeTexts,
  own,
} from "../../../ports/code-interfaces.ts";
import { Modules } from "./find-module.ts";

export interface JoinedRoute extends Omit<CodeRoute, "router"> {
  readonly file: string;
}

export interface JoinedRoutes {
  readonly routes: readonly JoinedRoute[];
  /** By key; `{ $ref: "#/components/schemas/<key>" }` in routes and schemas leads here. */
  readonly schemas: Readonly<Record<string, CodeSchema>>;
}

type Files = ReadonlyMap<string, CodeInterfaces>;

/** A router, schema or other name, and the file that defines it. */
interface Found {
  readonly file: string;
  readonly name: string;
}

const mostHops = 10;
const mostPrefixes = 20;

export function joinRoutes(files: Files): JoinedRoutes {
  const joining = new Joining(files);
  const routes: JoinedRoute[] = [];
  for (const [file, { routes: own }] of files) {
    for (const { router, ...route } of own) {
      const written = joining.text(route.path, file);
      for (const prefix of written === undefined ? [] : joining.prefixesOf(router, file)) {
        const path = joined(prefix, rooted(written ?? ""));
        const schema = (one: CodeSchema): CodeSchema => joining.schema(one, file);
        routes.push({
          ...route,
          file,
          path,
          parameters: route.parameters.map((one) => ({ ...one, schema: schema(one.schema) })),
          parameterSchemas: route.parameterSchemas.map((one) => ({ ...one, schema: schema(one.schema) })),
          body: route.body === null ? null : schema(route.body),
          responses: Object.fromEntries(Object.entries(route.responses).map(([code, one]) => [code, schema(one)])),
        });
      }
    }
  }
  return { routes, schemas: joining.schemas };
}

class Joining {
  readonly schemas: Record<string, CodeSchema> = {};
  readonly #files: Files;
  readonly #modules: Modules;
  /** The places where each router hangs, by what it is. */
  readonly #mounts = new Map<string, { readonly parent: Found | undefined; readonly prefix: string }[]>();

  constructor(files: Files) {
    this.#files = files;
    this.#modules = new Modules(files.keys());
    for (const [file, { mounts }] of files) {
      for (const { parent, prefix, child } of mounts) {
        const found = this.#find(child, file);
        if (found === undefined) continue;
        const key = keyOf(found);
        const under = { parent: this.#find(parent, file), prefix: rooted(this.text(prefix, file) ?? "") };
        this.#mounts.set(key, [...(this.#mounts.get(key) ?? []), under]);
      }
    }
  }

  /** Every place a router answers at; none where it is no router that is known. */
  prefixesOf(router: CodeName, file: string): string[] {
    const found = this.#find(router, file);
    if (found === undefined || !this.#isRouter(found)) return [];
    return this.#prefixes(found, new Set()).slice(0, mostPrefixes);
  }

  /** With every name in it followed. */
  schema(schema: CodeSchema, file: string): CodeSchema {
    return this.#followed(schema, file) as CodeSchema;
  }

  /** A path with every constant in it put in; undefined where one is not known. */
  text(written: string, file: string, hops = 0): string | undefined {
    if (!written.includes("\uE001")) return written;
    let isKnown = true;
    const put = written.replaceAll(codeTexts, (_, name: string) => {
      const found = hops > mostHops ? undefined : this.#constant(name.split("."), file, hops);
      isKnown &&= found !== undefined;
      return found ?? "";
    });
    return isKnown ? put : undefined;
  }

  #constant([first = "", ...rest]: readonly string[], file: string, hops: number): string | undefined {
    if (hops > mostHops) return undefined;
    const code = this.#files.get(file);
    const brought = own(code?.names ?? {}, first);
    if (brought === undefined) {
      const text = own(code?.texts ?? {}, [first, ...rest].join("."));
      return text === undefined ? undefined : this.text(text, file, hops + 1);
    }
    const target = this.#modules.find(brought.module ?? "", file);
    const given = target === undefined ? undefined : own(this.#files.get(target)?.exports ?? {}, brought.name);
    if (target !== undefined && given !== undefined && given.module === null)
      return this.#constant([given.name, ...rest], target, hops + 1);
    // A module that was brought in whole, and a name in it.
    const dot = brought.module?.endsWith(".") === true ? "" : ".";
    const inside = `${brought.module ?? ""}${dot}${brought.name}`;
    const module = brought.name === "*" ? target : this.#modules.find(inside, file);
    return module === undefined || rest.length === 0 ? undefined : this.#constant(rest, module, hops + 1);
  }

  #isRouter({ file, name }: Found): boolean {
    return this.#files.get(file)?.routers.some((one) => one.name === name) === true;
  }

  #prefixes(router: Found, on: ReadonlySet<string>): string[] {
    const key = keyOf(router);
    const written = this.#files.get(router.file)?.routers.find(({ name }) => name === router.name)?.prefix ?? "";
    const own = rooted(this.text(written, router.file) ?? "");
    if (on.has(key)) return [];
    const mounts = this.#mounts.get(key) ?? [];
    if (mounts.length === 0) return [own];
    const above = mounts.flatMap(({ parent, prefix }) =>
      (parent === undefined ? [""] : this.#prefixes(parent, new Set([...on, key]))).map((one) => joined(one, prefix)),
    );
    return [...new Set(above.map((one) => joined(one, own)))];
  }

  #find({ name, module }: CodeName, file: string, hops = 0): Found | undefined {
    if (hops > mostHops) return undefined;
    if (module === null) {
      const brought = own(this.#files.get(file)?.names ?? {}, name);
      return brought === undefined ? { file, name } : this.#find(brought, file, hops + 1);
    }
    const target = this.#modules.find(module, file);
    if (target === undefined) return undefined;
    const given = own(this.#files.get(target)?.exports ?? {}, name);
    if (given !== undefined)
      return given.module === null ? { file: target, name: given.name } : this.#find(given, target, hops + 1);
    return this.#files.get(target)?.routers.some((one) => one.name === name) === true
      ? { file: target, name }
      : undefined;
  }

  #followed(value: unknown, file: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#followed(one, file));
    if (typeof value !== "object" || value === null) return value;
    const name = (value as { $code?: unknown }).$code;
    if (typeof name !== "string")
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#followed(one, file)]));
    const { $code: _, ...beside } = value as Record<string, unknown>;
    const found = this.#find({ name, module: null }, file);
    const schema = found === undefined ? undefined : own(this.#files.get(found.file)?.schemas ?? {}, found.name);
    if (found === undefined || schema === undefined) return beside;
    const key = keyOf(found).replaceAll(/[^\w.-]/g, "_");
    if (this.schemas[key] === undefined) {
      // First, so that a schema that holds itself ends.
      this.schemas[key] = {};
      this.schemas[key] = this.#followed(schema, found.file) as CodeSchema;
    }
    return { ...beside, $ref: `#/components/schemas/${key}` };
  }
}

const keyOf = ({ file, name }: Found): string => `${file}.${name}`;

const rooted = (path: string): string => (path === "" || path.startsWith("/") ? path : `/${path}`);

function joined(before: string, after: string): string {
  return `${before.replace(/\/$/, "")}${after === "/" && before !== "" ? "" : after}`;
}
