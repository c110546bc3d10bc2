// Writes what is made from the declarations: docs/reference/ (commands, operations, views, settings, error codes, kinds of findings, reactions, contract
// rules), and the operations' outlines that the command line reads. `--check` writes nothing and exits 1 when a file is not what the declarations
// say; bin/check runs it so.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { CommandShape } from "../src/doors/cli/input/command-shape.ts";
import { kinds } from "../src/core/findings/kinds.ts";
import { type Reaction, reactions } from "../src/core/reactions.ts";
import { contractFormats } from "../src/core/contracts/all.ts";
import { listRules } from "../src/core/contracts/list-rules.ts";
import { usage } from "../src/doors/cli/input/help.ts";
import { globalFlags } from "../src/doors/cli/input/parse.ts";
import type { Audience } from "../src/protocol/authority.ts";
import { catalogue } from "../src/protocol/catalogue.ts";
import { type EventType, eventTypes } from "../src/protocol/event-types.ts";
import { exitCodes } from "../src/protocol/exit-codes.ts";
import { operations } from "../src/protocol/operations/all.ts";
import { outlineOf } from "../src/protocol/outline-of.ts";
import { declarations, settingKeys, variableOf } from "../src/settings/declarations.ts";
import { publicViews } from "../src/store/views.ts";

const directory = join(import.meta.dir, "../docs/reference");
const made = "<!-- Made by scripts/reference.ts from the declarations in src/. Do not edit. -->";

const openTo: Readonly<Record<Audience, string>> = {
  owner: "the owner alone",
  operators: "the owner, the root and the watchdog",
  everybody: "everybody, clones too",
  anybody: "everybody, and processes that are neither the owner's nor an agent's",
  outside: "agents from outside, over A2A",
};

const pages: Record<string, () => Promise<string[]> | string[]> = {
  "commands.md": commandsPage,
  "operations.md": operationsPage,
  "views.md": viewsPage,
  "settings.md": settingsPage,
  "errors.md": errorsPage,
  "findings.md": findingsPage,
  "reactions.md": reactionsPage,
  "contract-rules.md": contractRulesPage,
  "event-types.md": eventTypesPage,
};

const stale: string[] = [];
// First, because the commands are read by it.
put(
  join(import.meta.dir, "../src/protocol/operations/outlines.json"),
  `{\n${Object.values(operations)
    .map((operation) => `  ${JSON.stringify(operation.name)}: ${JSON.stringify(outlineOf(operation))}`)
    .join(",\n")}\n}\n`,
);
mkdirSync(directory, { recursive: true });
for (const [name, make] of Object.entries(pages)) {
  put(join(directory, name), `${[made, "", ...(await make())].join("\n")}\n`);
}
if (stale.length > 0) {
  console.error(`Not up to date: ${stale.join(", ")}. Run: bun scripts/reference.ts`);
  process.exitCode = 1;
}

function put(path: string, text: string): void {
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (read(path) !== text) stale.push(basename(path));
}

function findingsPage(): string[] {
  const concerned = {
    both: "both sides",
    editor: "the one that edits",
    ours: "the consumer",
    "who-asks": "whoever asks",
  };
  return [
    "# Findings",
    "",
    "Every kind of finding, as declared in `src/core/findings/kinds.ts`. A finding that is not seen again is over only when the look",
    "read everything it rests on: what a verdict names as open keeps the kinds that rest on it from being closed.",
    "",
    "| kind | severity | means | concerns | heard after | rests on |",
    "| --- | --- | --- | --- | --- | --- |",
    ...Object.entries(kinds).map(
      ([code, { severity, means, concerns, heardAfterMs, restsOn }]) =>
        `| \`${code}\` | ${severity} | ${means} | ${concerned[concerns]} | ${heardAfterMs === 0 ? "at once" : `${heardAfterMs / 1000} s`} | ${restsOn.join(", ")} |`,
    ),
  ];
}

function eventTypesPage(): string[] {
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  return [
    "# Event types",
    "",
    "Every type of event that can be published (`constel publish`, the operation `event.publish`, the tool `publish`), as declared in",
    "`src/protocol/event-types.ts`. An event must be addressed: to named agents, or by paths, topics, services, a capability or a task.",
    "",
    "| type | means | severity, unless said otherwise | needs | may have |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries<EventType>(eventTypes).map(
      ([name, { means, severity, requires, allows }]) =>
        `| \`${name}\` | ${means} | ${severity} | ${listed(requires)} | ${listed(allows)} |`,
    ),
  ];
}

function reactionsPage(): string[] {
  return [
    "# What constel does by itself",
    "",
    "Every reaction of the daemon, as declared in `src/core/reactions.ts`. Events on the timeline and hints make a round come at once;",
    "in any case one comes after the time given, because a daemon that was not there missed the event and watches are lost. Every",
    "verb is safe to run twice.",
    "",
    "| name | does | after events | hints | at the latest | calls |",
    "| --- | --- | --- | --- | --- | --- |",
    ...Object.entries<Reaction>(reactions).map(([name, { does, calls, events, hints, everyMs, gatherMs }]) => {
      const after = events.map((one) => `\`${one}\``).join(", ");
      const gathered = gatherMs === undefined ? "" : ` (gathered for ${gatherMs} ms)`;
      return `| \`${name}\` | ${does} | ${after}${gathered} | ${hints.join(", ")} | ${everyMs / 1000} s | ${calls} |`;
    }),
  ];
}

async function commandsPage(): Promise<string[]> {
  const { allCommands } = await import("../src/doors/cli/manifest/all.ts");
  const commands = (await allCommands()).filter((command) => command.hidden !== true);
  const lines = ["# Commands", "", "Every command takes these flags:", ""];
  for (const [name, flag] of Object.entries(globalFlags))
    lines.push(`- \`--${name}${flag.value === undefined ? "" : ` ${flag.value}`}\`: ${flag.summary}`);
  lines.push(
    "",
    "Exit codes: " +
      Object.entries(exitCodes)
        .map(([name, code]) => `${code} ${name}`)
        .join(", ") +
      ".",
  );
  for (const command of commands) {
    lines.push("", `## \`${usage(command)}\``, "", `${command.summary}. ${needsOf(command)}`);
    if (command.details !== undefined) lines.push("", command.details);
    const parts = [
      ...(command.arguments ?? []).map(
        (argument) => `- \`${argument.name}\`: ${argument.summary}${argument.optional === true ? " (optional)" : ""}`,
      ),
      ...Object.entries(command.flags ?? {}).map(
        ([name, flag]) => `- \`--${name}${flag.value === undefined ? "" : ` ${flag.value}`}\`: ${flag.summary}`,
      ),
    ];
    if (parts.length > 0) lines.push("", ...parts);
    lines.push("", "```sh", ...command.examples, "```");
  }
  return lines;
}

function needsOf(command: CommandShape): string {
  if (command.tier === "floor") return `Needs neither daemon nor database. Open to: ${openTo[command.may]}.`;
  const way =
    command.tier === "read" ? "Reads the database." : "Goes through the daemon, and starts it if it is not running.";
  if (command.operation === undefined) return way;
  const { may } = operations[command.operation];
  return `${way} Asks [\`${command.operation}\`](operations.md#${command.operation.replaceAll(".", "")}). Open to: ${openTo[may]}.`;
}

function operationsPage(): string[] {
  const lines = [
    "# Operations",
    "",
    "What constel can be asked over its local API: `POST /op/<name>` with a JSON body, on the daemon's unix socket or, when",
    "`http.enabled` is set, on loopback TCP with `Authorization: Bearer <token>`. `GET /events?after=<seq>` streams the timeline",
    'as server-sent events. A failure is `{"error": {kind, code, message, hint, facts}}`.',
  ];
  for (const operation of Object.values(operations)) {
    lines.push(
      "",
      `## \`${operation.name}\``,
      "",
      `${operation.summary} It ${operation.effect}${operation.needsDaemon ? " and needs the daemon" : ""}. Open to: ${openTo[operation.may]}.`,
    );
    lines.push("", "Input", "", "```json", JSON.stringify(schemaOf(operation.input, "input")), "```");
    lines.push("", "Output", "", "```json", JSON.stringify(schemaOf(operation.output, "output")), "```");
    if (operation.refusals.length > 0)
      lines.push("", `Refusals: ${operation.refusals.map((code) => `\`${code}\``).join(", ")}.`);
  }
  return lines;
}

function schemaOf(shape: z.ZodType, io: "input" | "output"): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io }) as Record<string, unknown>;
  return schema;
}

function viewsPage(): string[] {
  const lines = [
    "# Views",
    "",
    "What `constel query` promises. Tables may change between versions; a view keeps its columns.",
  ];
  for (const view of publicViews) {
    lines.push("", `## \`${view.name}\``, "", view.summary, "", "| column | meaning |", "| --- | --- |");
    for (const column of view.columns) lines.push(`| \`${column.name}\` | ${column.meaning} |`);
    lines.push("", "```sql", view.example, "```");
  }
  return lines;
}

function settingsPage(): string[] {
  const lines = [
    "# Settings",
    "",
    "In `config.toml` of the home, by variable, or for one run with `--set key=value`. Precedence: flag, environment, file, default.",
    "",
    "| setting | variable | default | meaning |",
    "| --- | --- | --- | --- |",
  ];
  for (const key of settingKeys) {
    lines.push(
      `| \`${key}\` | \`${variableOf(key)}\` | \`${JSON.stringify(declarations[key].default)}\` | ${declarations[key].summary} |`,
    );
  }
  return lines;
}

function errorsPage(): string[] {
  const lines = [
    "# Errors",
    "",
    "Every refusal a user can meet. Codes are promises; wording may change.",
    "",
    "| code | exit | means | what to do |",
    "| --- | --- | --- | --- |",
  ];
  for (const [code, entry] of Object.entries(catalogue))
    lines.push(`| \`${code}\` | ${exitCodes[entry.exit]} | ${entry.means} | ${entry.hint} |`);
  return lines;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function contractRulesPage(): string[] {
  const lines = [
    "# Contract rules",
    "",
    "How changes of a contract are judged. A rule's id never changes. In OpenAPI it begins with `request-` or `response-` where it is",
    "about data, seen from the client, and with `callback-` where the provider calls the client. In AsyncAPI `publish-` is",
    "what the application receives and `subscribe-` what it sends. JSON Schema by itself does not say who writes and who",
    "reads: what shrinks the set of valid data, and a property that goes, is breaking; what only widens it is dangerous. In a definition",
    "that the file does not use itself, and others may refer to by its `$id`, what is breaking is told as dangerous; so it is in an OpenAPI",
    "operation whose `x-stability-level` is `draft` or `alpha`.",
  ];
  for (const { name } of contractFormats) {
    lines.push("", `## ${name}`, "", "| rule | verdict | what changed |", "| --- | --- | --- |");
    for (const { rule, verdict, text } of listRules(name)) lines.push(`| \`${rule}\` | ${verdict} | ${text} |`);
  }
  return lines;
}
