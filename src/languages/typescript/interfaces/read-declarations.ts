// The names of a TypeScript or JavaScript file that matter for its interfaces: what it brings in, what makes a router, functions that are given
// one, constants and schemas. read-interfaces.ts reads the calls with these in hand.

import type { CodeImport, CodeName, CodeRouter, CodeSchema } from "../../../ports/code-interfaces.ts";
import type { SourceFile } from "../reader/source-file.ts";
import { isFunction, isNode, type Loose, nameOf, nodeAt, nodesAt, textOf, walk } from "./loose-tree.ts";
import { schemaIn } from "./read-schemas.ts";
import { isJsonSchema, madeRouter, requiredModule } from "./routers.ts";
import { dottedName, textsIn, writtenPath } from "./written-paths.ts";

const routerParameters = /^(app|fastify|server|instance|api|router|scope)$/;
const routerTypes = /\b(FastifyInstance|Hono|OpenAPIHono|Express|Application|Router|FastifyPluginAsync)\b/;

export class Declarations {
  readonly constants = new Map<string, Loose>();
  readonly names = new Map<string, CodeName>();
  readonly texts = new Map<string, string>();
  readonly routers = new Map<string, CodeRouter>();
  /** The expression that makes a router, and the name it has. */
  readonly made = new Map<Loose, string>();
  /** Functions that are given a router: plugins. */
  readonly plugins = new Map<Loose, string>();
  readonly imports: CodeImport[] = [];
  readonly schemas = new Map<string, CodeSchema>();
  readonly #file: SourceFile;

  constructor(program: Loose, file: SourceFile) {
    this.#file = file;
    walk(program, (node) => this.#declare(node));
  }

  /** A path: written here, or by the name of a constant that is, or that another file of this repository may hold. */
  pathAt(node: Loose | undefined): string | undefined {
    const name = dottedName(node);
    if (name === undefined) return writtenPath(node);
    const [first = ""] = name.split(".");
    const isBrought = !this.constants.has(first) && this.names.get(first)?.module?.startsWith(".") === true;
    return isBrought || this.texts.has(name) ? writtenPath(node) : undefined;
  }

  /** The router that a name or an expression stands for, as what is mounted. */
  mounted(node: Loose | undefined): CodeName | undefined {
    const own = nameOf(node);
    if (own !== undefined)
      return this.names.get(own) ?? (this.routers.has(own) ? { name: own, module: null } : undefined);
    const made = node === undefined ? undefined : (this.made.get(node) ?? this.plugins.get(node));
    if (made !== undefined) return { name: made, module: null };
    const module = node === undefined ? undefined : requiredModule(node);
    if (module !== undefined) return { name: "default", module };
    // `usersRouter()`: a function that makes a router and gives it.
    const maker = node?.type === "CallExpression" ? nameOf(nodeAt(node, "callee")) : undefined;
    const given = this.givenBy(nodeAt(node, "callee"));
    if (given !== undefined) return { name: given, module: null };
    return maker === undefined ? undefined : this.mounted(nodeAt(node, "callee"));
  }

  /** `app.register(async (scope) => { … }, { prefix })`. */
  inlinePlugin(node: Loose | undefined): CodeName | undefined {
    if (!isFunction(node)) return undefined;
    const name = `plugin at ${node.start}`;
    this.plugins.set(node, name);
    this.routers.set(name, { name, prefix: "" });
    return { name, module: null };
  }

  #declare(node: Loose): void {
    if (node.type === "ImportDeclaration") return this.#bring(node);
    if (node.type === "FunctionDeclaration") {
      const name = nameOf(nodeAt(node, "id"));
      if (name !== undefined && !this.constants.has(name)) this.constants.set(name, node);
      return this.#plugin(node, name);
    }
    if (node.type === "ExportDefaultDeclaration") {
      const made = unwrapped(nodeAt(node, "declaration"));
      if (isFunction(made)) this.#plugin(made, "default");
      return this.#router(made, "default");
    }
    if (node.type !== "VariableDeclarator") return;
    const init = unwrapped(nodeAt(node, "init"));
    const id = nodeAt(node, "id");
    const name = nameOf(id);
    if (init === undefined) return;
    const required = requiredModule(init);
    if (required !== undefined) return this.#require(id, required, init);
    if (name === undefined) return;
    if (!this.constants.has(name)) this.constants.set(name, init);
    for (const [at, text] of textsIn(name, init)) if (!this.texts.has(at)) this.texts.set(at, text);
    if (isFunction(init)) return this.#plugin(init, name);
    this.#router(init, name);
    const schema = init.type === "CallExpression" ? schemaIn(init) : undefined;
    if (schema !== undefined && Object.keys(schema).length > 0) this.schemas.set(name, schema);
    else if (init.type === "ObjectExpression" && isJsonSchema(init)) this.schemas.set(name, schemaIn(init) ?? {});
  }

  #bring(node: Loose): void {
    const module = textOf(nodeAt(node, "source"));
    if (module === undefined) return;
    this.imports.push({ module, line: this.#file.lineAt(node.start) });
    for (const one of nodesAt(node, "specifiers")) {
      const local = nameOf(nodeAt(one, "local"));
      const imported = nodeAt(one, "imported");
      const name =
        one.type === "ImportSpecifier"
          ? (nameOf(imported) ?? textOf(imported))
          : one.type === "ImportDefaultSpecifier"
            ? "default"
            : "*";
      if (local !== undefined && name !== undefined) this.names.set(local, { name, module });
    }
  }

  #require(id: Loose | undefined, module: string, init: Loose): void {
    this.imports.push({ module, line: this.#file.lineAt(init.start) });
    const name = nameOf(id);
    if (name !== undefined) this.names.set(name, { name: "default", module });
    for (const property of id?.type === "ObjectPattern" ? nodesAt(id, "properties") : []) {
      const [key, local] = [nameOf(nodeAt(property, "key")), nameOf(nodeAt(property, "value"))];
      if (key !== undefined && local !== undefined) this.names.set(local, { name: key, module });
    }
  }

  /** The router that a function makes and gives back: `function usersRouter() { const router = Router(); …; return router; }`. */
  givenBy(node: Loose | undefined): string | undefined {
    const made = isFunction(node) ? node : this.constants.get(nameOf(node) ?? "");
    if (!isFunction(made)) return undefined;
    let given: string | undefined;
    walk(made, (one) => {
      const name = one.type === "ReturnStatement" ? nameOf(nodeAt(one, "argument")) : undefined;
      if (name !== undefined && this.routers.has(name)) given ??= name;
    });
    return given;
  }

  /** An expression that makes a router, however many routes are chained to it. */
  #router(node: Loose | undefined, name: string): void {
    const made = madeRouter(node);
    if (made === undefined || this.made.has(made.root)) return;
    this.made.set(made.root, name);
    this.routers.set(name, { name, prefix: made.prefix });
  }

  #plugin(node: Loose, name: string | undefined): void {
    const [first] = nodesAt(node, "params");
    const parameter = nameOf(first);
    const typed = first?.["typeAnnotation"];
    const isRouter = routerParameters.test(parameter ?? "") && nodesAt(node, "params").length <= 3;
    const says = isNode(typed) ? this.#file.text.slice(typed.start, Number(typed["end"])) : "";
    if (name === undefined || !(isRouter || routerTypes.test(says))) return;
    this.plugins.set(node, name);
    if (!this.routers.has(name)) this.routers.set(name, { name, prefix: "" });
  }
}

/** `fp(async (fastify) => …)`: the plugin inside. */
function unwrapped(node: Loose | undefined): Loose | undefined {
  const isWrapped =
    node?.type === "CallExpression" && /^(fp|fastifyPlugin)$/.test(nameOf(nodeAt(node, "callee")) ?? "");
  const [first] = isWrapped ? nodesAt(node, "arguments") : [];
  return isFunction(first) ? first : node;
}
