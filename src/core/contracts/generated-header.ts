// Reads in the first lines of a generated file where it comes from: the specification it was made from, and which generator made it. It goes
// by the text alone; whose contract that is, is decided elsewhere (findings/reviewers/stale-types.ts, services/generated-links.ts).

/** The names that generators give their files. */
const generatedName =
  /(\.(generated|gen)\.[\w.]+|_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|_grpc\.pb\.go|_pb\.(js|ts|d\.ts)|(schema|openapi|api|types)\.d\.ts|\.pb\.(cc|h))$|(^|\/)(__generated__|generated|gen|codegen)\/[^\0]*\.[a-z]+$/;

/** Directories and names that often hold generated code as well as written code: their first lines tell. */
const likelyName =
  /(^|[/_.-])(api|apis|client|clients|sdk|stubs?|schemas?|types?|models?|protos?|graphql|gql|rpc|events?)([/_.-]|s?\.[a-z]+$)/i;

const isSource = /\.([cm]?[jt]sx?|pyi?|go|java|kt|rs|cs|cc|h|rb|php|swift|dart|vue|svelte)$/;

/** Tells whether a file is generated, by its name alone. */
export const isGeneratedName = (path: string): boolean => generatedName.test(path);

/** Tells whether it is worth looking at the first lines. */
export const mayBeGenerated = (path: string): boolean =>
  generatedName.test(path) || (isSource.test(path) && likelyName.test(path));

export interface GeneratedHeader {
  /** Paths or addresses of specifications, as they are written. */
  readonly from: readonly string[];
  /** The format that the generator reads. Null if no generator that we know is named. */
  readonly format: string | null;
  /** It says that a program made it. */
  readonly isMarked: boolean;
}

/** So much of a file is its first lines. */
export const headerBytes = 4_000;
const mostLines = 40;
const mostNames = 10;

export function generatedHeader(text: string): GeneratedHeader {
  const lines = headerLines(text);
  const said = lines.join("\n");
  return {
    from: specificationsIn(lines),
    format: generators.find(([pattern]) => pattern.test(said))?.[1] ?? null,
    isMarked: /\bgenerated\b|auto-?generated|do not (edit|modify|make direct changes)/i.test(said),
  };
}

/** The comments that a file begins with: lines of comments, and all of a block or a docstring. */
export function headerLines(text: string): string[] {
  const found: string[] = [];
  let end: string | undefined;
  for (const line of text.slice(0, headerBytes).split("\n", mostLines)) {
    const bare = line.trim();
    if (end !== undefined) {
      found.push(bare);
      if (bare.includes(end)) end = undefined;
      continue;
    }
    if (!/^(\/\/|\/\*|\*|#|--|<!--|"""|'''|;)/.test(bare)) continue;
    found.push(bare);
    const block = blocks.find(([begin]) => bare.startsWith(begin));
    if (block !== undefined && !bare.slice(block[0].length).includes(block[1])) [, end] = block;
  }
  return found;
}

const blocks: readonly (readonly [string, string])[] = [
  ["/*", "*/"],
  ['"""', '"""'],
  ["'''", "'''"],
  ["<!--", "-->"],
];

function specificationsIn(lines: readonly string[]): string[] {
  const words = lines
    .flatMap((line) => line.split(/[\s"'`(),;<>]+/))
    .map((word) => word.replace(/[?#][^]*$/, "").replace(/[.:]$/, ""));
  return [...new Set(words.filter((word) => /\.(ya?ml|json|graphqls?|gql|proto)$/i.test(word)))].slice(0, mostNames);
}

/** The first that fits: some read several formats, and then their words say which. */
const generators: readonly (readonly [RegExp, string])[] = [
  [/protoc|protobuf|ts-proto|connect-es|connect-query|\bgrpc\b/i, "protobuf"],
  [/graphql|gqlgen|genqlient/i, "graphql"],
  [/asyncapi|modelina/i, "asyncapi"],
  [/openapi|swagger|oapi-codegen|orval|nswag|hey-api|kubb|autorest|kiota/i, "openapi"],
  [/json-?schema|quicktype|datamodel-codegen/i, "json-schema"],
];
