// Reads what a route of FastAPI or Flask takes and answers, from the function's parameters and annotations, and from what it reads of the
// request and returns.

import {
  type CodeParameter,
  type CodeRoute,
  type CodeSchema,
  own,
  type ParameterPlace,
} from "../../../ports/code-interfaces.ts";
import type { Syntax } from "../../tree-sitter/syntax.ts";
import { callAt, dotted, literalAt, type PythonCall, stringAt, walkPython } from "./python-parts.ts";
import { annotated, bareType, limits } from "./read-models.ts";

type Handled = Pick<CodeRoute, "parameters" | "body" | "responses">;

/** Given by the framework, not by whoever asks. */
const given = /\b(Request|Response|BackgroundTasks|WebSocket|Session|AsyncSession|SecurityScopes|Depends)\b/;
const scalars = new Set(["integer", "number", "string", "boolean"]);
const converters: Readonly<Record<string, CodeSchema>> = {
  int: { type: "integer" },
  float: { type: "number" },
  uuid: { type: "string", format: "uuid" },
};

export function handledBy(
  syntax: Syntax,
  definition: number,
  route: PythonCall,
  path: string,
  schemas: ReadonlyMap<string, CodeSchema>,
): Handled {
  const taking = new Taking(syntax, path, schemas);
  for (const one of syntax.children(syntax.at(definition, "parameters"))) taking.parameter(one);
  taking.request(syntax.at(definition, "body"));
  const code = literalAt(syntax, route.named.get("status_code"));
  const responses: Record<string, CodeSchema> = { ...taking.answers };
  const model = route.named.get("response_model") ?? (syntax.at(definition, "return_type") || undefined);
  const typed = model === undefined ? {} : annotated(syntax, model);
  if (Object.keys(typed).length > 0) responses[typeof code === "number" ? String(code) : "200"] = typed;
  else if (typeof code === "number" && responses["200"] !== undefined) {
    responses[String(code)] = responses["200"];
    if (code !== 200) delete responses["200"];
  }
  return { parameters: taking.parameters(), body: taking.body(), responses };
}

class Taking {
  readonly answers: Record<string, CodeSchema> = {};
  readonly #syntax: Syntax;
  readonly #path: ReadonlyMap<string, CodeSchema>;
  readonly #schemas: ReadonlyMap<string, CodeSchema>;
  readonly #found = new Map<string, CodeParameter>();
  readonly #bodies: { name: string; schema: CodeSchema; required: boolean }[] = [];

  constructor(syntax: Syntax, path: string, schemas: ReadonlyMap<string, CodeSchema>) {
    this.#syntax = syntax;
    this.#schemas = schemas;
    const names = [...path.matchAll(/<(?:(\w+)(?:\([^)<]*\))?:)?(\w+)>|\{(\w+)(?::\w+)?\}/g)];
    this.#path = new Map(
      names.map(([, converter = "", flask, plain]) => [
        flask ?? plain ?? "",
        own(converters, converter) ?? { type: "string" },
      ]),
    );
  }

  parameters(): CodeParameter[] {
    const inPath = [...this.#path].map(([name, schema]): CodeParameter => ({
      name,
      in: "path",
      required: true,
      schema,
    }));
    return [...inPath.filter(({ name }) => !this.#found.has(`path ${name}`)), ...this.#found.values()];
  }

  /** One model is the body; several are its properties by name. */
  body(): CodeSchema | null {
    const [only, ...others] = this.#bodies;
    if (only === undefined) return null;
    if (others.length === 0) return only.schema;
    return {
      type: "object",
      properties: Object.fromEntries(this.#bodies.map(({ name, schema }) => [name, schema])),
      required: this.#bodies.filter(({ required }) => required).map(({ name }) => name),
    };
  }

  parameter(node: number): void {
    const syntax = this.#syntax;
    const kind = syntax.kind(node);
    if (kind !== "typed_parameter" && kind !== "typed_default_parameter") return;
    const type = syntax.at(node, "type");
    const [first = 0] = syntax.children(node);
    const name = syntax.text(syntax.kind(first) === "identifier" ? first : syntax.at(node, "name"));
    const value = syntax.at(node, "value");
    const said = syntax.text(type);
    const call = value === 0 ? undefined : callAt(syntax, value);
    const maker = call?.callee.at(-1) ?? /\b(Body|Query|Path|Header|Cookie|Form|File|Depends)\(/.exec(said)?.[1] ?? "";
    if (name === "self" || name === "" || maker === "Depends" || given.test(said.replace(/^Annotated\[/, ""))) return;
    const schema: CodeSchema = { ...annotated(syntax, type), ...limits(syntax, call?.named) };
    const required = value === 0 || (call !== undefined && this.#isOpen(call));
    if (this.#path.has(name)) return this.#take("path", name, true, schema);
    if (maker === "Body" || maker === "Form" || maker === "File" || (maker === "" && this.#isModel(schema)))
      return void this.#bodies.push({ name, schema, required });
    const place: ParameterPlace = maker === "Header" ? "header" : maker === "Cookie" ? "cookie" : "query";
    const alias = stringAt(syntax, call?.named.get("alias"));
    this.#take(place, alias ?? (place === "header" ? name.replaceAll("_", "-") : name), required, schema);
  }

  /** `Query(...)` has no default. */
  #isOpen({ positional, named }: PythonCall): boolean {
    const [first] = positional;
    if (named.has("default") || named.has("default_factory")) return false;
    return first === undefined || this.#syntax.kind(first) === "ellipsis";
  }

  #take(place: ParameterPlace, name: string, required: boolean, schema: CodeSchema): void {
    this.#found.set(`${place} ${name}`, { name, in: place, required, schema });
  }

  #isModel(schema: CodeSchema): boolean {
    const name = schema["$code"];
    if (typeof name === "string") return this.#schemas.get(name)?.["enum"] === undefined;
    if (Array.isArray(schema["anyOf"])) return (schema["anyOf"] as CodeSchema[]).some((one) => this.#isModel(one));
    if (schema["type"] === "array") return this.#isModel((schema["items"] ?? {}) as CodeSchema);
    return schema["type"] === "object" && !scalars.has(String(schema["type"]));
  }

  /** Flask: `request.args.get("q")`, `Order(**request.get_json())`, `Order.model_validate(request.json)`, `jsonify(…)`, dictionaries. */
  request(block: number): void {
    const syntax = this.#syntax;
    walkPython(syntax, block, (node) => {
      const kind = syntax.kind(node);
      if (kind === "function_definition" || kind === "lambda") return node === block;
      if (kind === "return_statement") this.#returned(syntax.children(node)[0]);
      if (kind === "subscript" && dotted(syntax, syntax.children(node)[0] ?? 0).join(".") === "request.args") {
        const name = stringAt(syntax, syntax.children(node)[1]);
        if (name !== undefined) this.#take("query", name, true, {});
      }
      const call = callAt(syntax, node);
      if (call === undefined) return true;
      const callee = call.callee.join(".");
      const name = stringAt(syntax, call.positional[0]);
      if (callee === "request.args.get" && name !== undefined)
        this.#take("query", name, false, typeNamed(syntax, call.named.get("type")));
      if (callee === "request.headers.get" && name !== undefined) this.#take("header", name, false, {});
      this.#validated(call);
      return true;
    });
  }

  #validated(call: PythonCall): void {
    const [first] = call.positional;
    const text = first === undefined ? "" : this.#syntax.text(first);
    if (!/request\.(get_json\(|json\b)/.test(text)) return;
    const [name = "", method] = call.callee;
    if (method === undefined ? /^[A-Z]/.test(name) : /^(model_validate|parse_obj|load)$/.test(method))
      this.#bodies.push({ name: "body", schema: { $code: name }, required: true });
  }

  #returned(node: number | undefined): void {
    if (node === undefined) return;
    const syntax = this.#syntax;
    const [first, second] =
      syntax.kind(node) === "expression_list" || syntax.kind(node) === "tuple" ? syntax.children(node) : [node];
    if (first === undefined) return;
    const status = literalAt(syntax, second);
    const call = callAt(syntax, first);
    const code = typeof status === "number" ? String(status) : "200";
    if (call?.callee.at(-1) === "jsonify") {
      const inner = call.positional[0];
      if (inner !== undefined) this.#answer(code, inner);
      else this.#names(code, new Map(call.named));
    } else this.#answer(code, first);
  }

  #answer(code: string, node: number): void {
    const syntax = this.#syntax;
    if (syntax.kind(node) !== "dictionary") return;
    const names = new Map<string, number>();
    for (const pair of syntax.children(node)) {
      const [key, value] = syntax.children(pair);
      const name = syntax.kind(pair) === "pair" ? stringAt(syntax, key) : undefined;
      if (name !== undefined && value !== undefined) names.set(name, value);
    }
    this.#names(code, names);
  }

  #names(code: string, names: ReadonlyMap<string, number>): void {
    const known = (this.answers[code]?.["properties"] ?? {}) as Record<string, unknown>;
    const found = [...names].map(([name, node]) => {
      const type = { string: "string", number: "number", boolean: "boolean" }[
        typeof literalAt(this.#syntax, node) as string
      ];
      return [name, type === undefined ? {} : { type }];
    });
    this.answers[code] = { type: "object", properties: { ...known, ...Object.fromEntries(found) } };
  }
}

function typeNamed(syntax: Syntax, node: number | undefined): CodeSchema {
  return node === undefined ? {} : annotated(syntax, bareType(syntax, node));
}
