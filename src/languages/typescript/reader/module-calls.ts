// Calls that name a module by its path: mocks of test runners, `require.resolve`, workers. The module has to be there, as for an import. What
// a pattern of paths names (`import.meta.glob`) is noted with the pattern.

import type { CallExpression, Expression, NewExpression } from "oxc-parser";
import type { ModuleMention } from "../facts.ts";

const mocks = /^(jest|vi|vitest|mock|td|rewiremock|Module)$/;
const mocking = new Set(
  `mock doMock unmock dontMock deepUnmock setMock doUnmock requireActual requireMock importActual importMock unstable_mockModule
  unstable_unmockModule createMockFromModule genMockFromModule module replace replaceEsm hoisted`.split(/\s+/),
);
/** Functions that load the module they are given the path of. */
const loading = new Set(["proxyquire", "rewire", "requireUncached", "importFresh", "mockRequire"]);

/** In the outline of a file the calls are looked for in its text. */
export const moduleCallPattern =
  /(?<![\w$.])(?:(?:jest|vi|vitest|mock|td)\.\w+|require\.resolve|import\.meta\.resolve|proxyquire|rewire)(?:<[^()\n]*>)?\(\s*["']([^"'\n]+)["']/g;

export function namedByCall(node: CallExpression | NewExpression): Omit<ModuleMention, "line"> | undefined {
  const [first, second] = node.arguments;
  const specifier = first === undefined || first.type === "SpreadElement" ? undefined : textOf(first);
  if (specifier === undefined) return undefined;
  const callee = dotted(node.callee);
  if (node.type === "NewExpression") {
    const isHere = callee === "URL" && second?.type !== "SpreadElement" && second !== undefined && isOwnUrl(second);
    return isHere && /\.[cm]?[jt]sx?$/.test(specifier) ? { specifier: relative(specifier), how: "call" } : undefined;
  }
  if (callee === "import.meta.glob" || callee === "import.meta.globEager") return { specifier, how: "glob" };
  const [owner = "", method = "", ...more] = callee.split(".");
  const isMock = mocks.test(owner) && mocking.has(method) && more.length === 0;
  const isNamed = isMock || callee === "require.resolve" || callee === "import.meta.resolve" || loading.has(callee);
  if (!isNamed || isVirtual(node)) return undefined;
  return { specifier, how: "call" };
}

/** `jest.mock("./made-up", factory, { virtual: true })` needs no file. */
function isVirtual({ arguments: [, , options] }: CallExpression): boolean {
  return (
    options?.type === "ObjectExpression" &&
    options.properties.some(
      (one) => one.type === "Property" && one.key.type === "Identifier" && one.key.name === "virtual",
    )
  );
}

function textOf(node: Expression): string | undefined {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  return node.type === "TemplateLiteral" && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

const isOwnUrl = (node: Expression): boolean => dotted(node) === "import.meta.url";
/** A URL without dots before it is beside the file all the same. */
const relative = (path: string): string => (/^\.{0,2}\//.test(path) ? path : `./${path}`);

function dotted(node: Expression | { readonly type: "Super" }): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "MetaProperty") return `${node.meta.name}.${node.property.name}`;
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return "";
  return `${dotted(node.object)}.${node.property.name}`;
}
