// `constel services …`: the service graph of the watched repositories, and a check of the files that declare it.

import { counted } from "../../../protocol/counted.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import { budgetWish } from "../../../settings/budget.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { oneLine, table } from "../present/table.ts";

type Graph = OutputOf<(typeof operations)["service.graph"]>;

export const list: RunCommand = async (context) => {
  const graph = await graphOf(context);
  const rows = graph.services.map(({ name, repository, repository_name, provides }) => [
    name,
    repository === null ? `${repository_name} (not watched)` : repository_name,
    provides.join(", "),
    graph.uses
      .filter(({ provider }) => provider === name)
      .map(({ consumer, how, source }) => `${consumer}${marks(how, source)}`)
      .join(", "),
  ]);
  const head = ["service", "repository", "provides", "used by"];
  const text = (): string => [rows.length === 0 ? none : table(head, rows, context.output), ...notes(graph)].join("\n");
  return { json: graph, text };
};

export const graph: RunCommand = async (context, input) => {
  const found = await graphOf(context);
  const text = (): string => (input.has("dot") ? dot(found) : [...lines(found), ...notes(found)].join("\n"));
  return { json: found, text };
};

export const scan: RunCommand = async (context) => {
  const { cwd, env, signal, output } = context;
  const budget = budgetWish(await context.settings());
  const found = await (await context.backstage.contracts()).services({ cwd, environment: env, signal, budget });
  const rows = found.services.map(({ name, path, line, provides, consumes }) => [
    name,
    `${path}:${line}`,
    provides.join(", "),
    consumes.join(", "),
  ]);
  const text = (): string =>
    [
      rows.length === 0 ? none : table(["service", "declared", "provides", "uses"], rows, output),
      ...found.problems.map(problemLine),
      ...(found.files.length === 0
        ? []
        : [`${counted(found.files.length, "file")} read: ${oneLine(found.files.join(", "))}`]),
    ].join("\n");
  return { json: found, text, exit: found.problems.length > 0 ? exitCodes.negative : exitCodes.ok };
};

function marks(how: string, source: string): string {
  const said = [...(how === "tests" ? ["tests"] : []), ...(source === "inferred" ? ["inferred"] : [])];
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

const none = "No services: services.yaml, catalog-info.yaml and compose files declare them (docs/guides/contracts.md).";

async function graphOf(context: CliContext): Promise<Graph> {
  return await (await context.caller()).call("service.graph", {});
}

function lines({ services, uses }: Graph): string[] {
  if (services.length === 0) return [none];
  return services.flatMap(({ name, provides }) => {
    const used = uses.filter(({ consumer }) => consumer === name);
    const what = provides.length === 0 ? "" : `  provides ${provides.join(", ")}`;
    return [
      oneLine(`${name}${what}`),
      ...used.map(({ provider, contract, how, because }) =>
        oneLine(
          `  → ${provider}${contract === null ? "" : ` (${contract})`}${how === "tests" ? ", for tests" : ""}${because === null ? "" : `, inferred from ${because}`}`,
        ),
      ),
    ];
  });
}

function dot({ services, uses }: Graph): string {
  return [
    "digraph services {",
    ...services.map(({ name }) => `  ${quoted(name)};`),
    ...uses.map(({ consumer, provider, how }) => {
      const style = how === "tests" ? " [style=dashed]" : "";
      return `  ${quoted(consumer)} -> ${quoted(provider)}${style};`;
    }),
    "}",
  ].join("\n");
}

const quoted = (name: string): string =>
  `"${oneLine(name)
    .replaceAll("\\", "\\\\")
    .replaceAll('"', String.raw`\"`)}"`;

function notes({ problems, complete }: Graph): string[] {
  return [
    ...problems.map(({ repository, ...problem }) => `${oneLine(repository)}: ${problemLine(problem)}`),
    ...(complete ? [] : ["Not every watched repository could be read yet, so there may be more."]),
  ];
}

function problemLine({
  path,
  line,
  message,
}: {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}): string {
  return oneLine(`${path}${line === null ? "" : `:${line}`}: ${message}`);
}
