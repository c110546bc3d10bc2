// Describes what a file of source code says about interfaces between programs: the routes it serves, the requests it makes, the names of
// events it deals in, and the modules it imports. This is found by reading, file by file; core/contracts/inferred puts the files together.

/** A JSON Schema, in which `{ $code: name }` stands for a schema that code defines under that name, here or where it is imported from. */
export type CodeSchema = Readonly<Record<string, unknown>>;

/** A name as a file uses it: its own, or brought in from a module. */
export interface CodeName {
  readonly name: string;
  /** As it is written: `./orders`, `..routers.orders`; null for a name of the file itself. */
  readonly module: string | null;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface CodeParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly schema: CodeSchema;
}

export interface CodeRoute {
  /** Upper case; ALL where the route serves every method. */
  readonly method: string;
  /** With `{name}` for parameters, below whatever its router is mounted at. */
  readonly path: string;
  readonly router: CodeName;
  readonly line: number;
  readonly parameters: readonly CodeParameter[];
  /** Schemas whose properties are all parameters of one place: `zValidator("query", …)`. */
  readonly parameterSchemas: readonly { readonly in: ParameterPlace; readonly schema: CodeSchema }[];
  readonly body: CodeSchema | null;
  /** By status code. */
  readonly responses: Readonly<Record<string, CodeSchema>>;
}

/** A router that answers below a prefix of another one, or on its own. */
export interface CodeRouter {
  readonly name: string;
  readonly prefix: string;
}

export interface CodeMount {
  readonly parent: CodeName;
  readonly prefix: string;
  readonly child: CodeName;
}

export interface CodeRequest {
  /** Upper case; null where it cannot be told. */
  readonly method: string | null;
  /** From the first slash on, with `{}` where a value is put in. */
  readonly path: string;
  /** The words that say which program is meant: hosts, and names of settings that hold an address. */
  readonly hints: readonly string[];
  readonly line: number;
}

export interface CodeEvent {
  readonly name: string;
  readonly line: number;
}

export interface CodeImport {
  readonly module: string;
  readonly line: number;
}

export interface CodeInterfaces {
  readonly routers: readonly CodeRouter[];
  readonly routes: readonly CodeRoute[];
  readonly mounts: readonly CodeMount[];
  readonly requests: readonly CodeRequest[];
  readonly events: readonly CodeEvent[];
  readonly imports: readonly CodeImport[];
  /** Schemas by the name that code gives them. */
  readonly schemas: Readonly<Record<string, CodeSchema>>;
  /** The things that other files get, by name; `default` is one too. */
  readonly exports: Readonly<Record<string, CodeName>>;
  /** Constants that hold a text, by name or `name.field`: parts of paths are often written so. */
  readonly texts: Readonly<Record<string, string>>;
  /** Names brought in from other modules, so that a `$code` can be followed. */
  readonly names: Readonly<Record<string, CodeName>>;
}

export const noInterfaces: CodeInterfaces = {
  routers: [],
  routes: [],
  mounts: [],
  requests: [],
  events: [],
  imports: [],
  schemas: {},
  exports: {},
  texts: {},
  names: {},
};

/** Stands in a path for a constant whose text is not known in this file: `/` is never part of a name. */
export const codeText = (name: string): string => `\uE001${name}\uE001`;
export const codeTexts = /\uE001([^\uE001]*)\uE001/g;

/** A field of a table by a name that code chose: `constructor` is no field of every table. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export const httpMethods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete", "head", "options"]);
