// A command that asks an operation. It names the operation and says which of its fields can be typed and how; limits, choices, defaults, help,
// who may and whether the daemon is needed come from the operation (protocol/outline.ts). Presentation is all that is left to declare.

import type { OperationName } from "../../../client/caller.ts";
import { durationText } from "../../../protocol/duration.ts";
import type { InputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import outlines from "../../../protocol/operations/outlines.json";
import type { FieldKind, FieldOutline, OperationOutline } from "../../../protocol/outline.ts";
import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "./command.ts";
import type { ArgumentDeclaration, FlagDeclaration, NamedCommand, Offer } from "./command-shape.ts";

type InputFor<Name extends OperationName> = InputOf<(typeof operations)[Name]>;
type FieldOf<Name extends OperationName> = keyof InputFor<Name> & string;

/** A flag that is a field, or one of the command's own. */
type AskedFlag<Name extends OperationName> =
  | (Partial<FlagDeclaration> & { readonly field: FieldOf<Name> })
  | (FlagDeclaration & { readonly field?: never });
type AskedArgument<Name extends OperationName> =
  | (Partial<ArgumentDeclaration> & { readonly field: FieldOf<Name> })
  | (ArgumentDeclaration & { readonly field?: never });

export interface AskingDeclaration<Name extends OperationName> extends Omit<
  NamedCommand,
  "summary" | "flags" | "arguments"
> {
  /** The command's own summary, if it differs from the operation's. */
  readonly summary?: string;
  readonly arguments?: readonly AskedArgument<Name>[];
  readonly flags?: Readonly<Record<string, AskedFlag<Name>>>;
  /** Fields that the command itself stands for. */
  readonly fixed?: Partial<InputFor<Name>>;
  readonly load: CommandDeclaration["load"];
}

const known: Readonly<Record<string, OperationOutline>> = outlines as never;

export function asking<Name extends OperationName>(
  operation: Name,
  { fixed, summary, arguments: args = [], flags = {}, ...command }: AskingDeclaration<Name>,
): CommandDeclaration {
  const outline = known[operation];
  if (outline === undefined) throw new Error(`${operation} has no outline; bun scripts/reference.ts writes it`);
  return {
    ...command,
    summary: summary ?? outline.summary.replace(/\.$/, ""),
    tier: outline.needsDaemon ? "change" : "read",
    operation,
    may: outline.may,
    effect: outline.effect,
    ...(fixed === undefined ? {} : { fixed: fixed as Readonly<Record<string, unknown>> }),
    arguments: args.map((argument) => argumentOf(outline, argument)),
    flags: {
      ...Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flagOf(outline, name, flag)])),
      ...(outline.speaks ? allowSecretFlag : {}),
    },
  };
}

type Loose<Declaration> = Partial<Declaration> & { readonly field?: string | undefined };

function flagOf({ fields }: OperationOutline, name: string, flag: Loose<FlagDeclaration>): FlagDeclaration {
  const reads = flag.field === undefined ? undefined : fields[flag.field];
  if (reads === undefined) return flag as FlagDeclaration;
  const isSwitch = reads.kind === "switch" || flag.means !== undefined;
  return {
    ...(isSwitch ? {} : { value: placeholders[reads.kind] ?? name.toUpperCase() }),
    ...(reads.many === true && !isSwitch ? { repeat: true } : {}),
    ...(reads.oneOf === undefined || isSwitch ? {} : { oneOf: reads.oneOf }),
    ...(offersFor[reads.kind] === undefined || isSwitch ? {} : { offers: offersFor[reads.kind] as Offer }),
    ...flag,
    summary: flag.summary ?? `${reads.about ?? ""}${isSwitch ? "" : usualWords(flag.usual, reads)}`,
    reads,
  };
}

function argumentOf({ fields }: OperationOutline, argument: Loose<ArgumentDeclaration>): ArgumentDeclaration {
  const reads = argument.field === undefined ? undefined : fields[argument.field];
  if (reads === undefined) return argument as ArgumentDeclaration;
  return {
    name: argument.field ?? "",
    ...(reads.required === true ? {} : { optional: true }),
    ...(reads.many === true ? { rest: true } : {}),
    ...(reads.oneOf === undefined ? {} : { oneOf: reads.oneOf }),
    ...(offersFor[reads.kind] === undefined ? {} : { offers: offersFor[reads.kind] as Offer }),
    ...argument,
    summary: argument.summary ?? reads.about ?? "",
    reads,
  };
}

const placeholders: Partial<Record<FieldKind, string>> = {
  whole: "N",
  agent: "AGENT",
  task: "N",
  span: "TIME",
  path: "PATH",
  repository: "REPO",
};

const offersFor: Partial<Record<FieldKind, Offer>> = { agent: "agents", task: "tasks", repository: "repositories" };

/** ` (default 50)`, and how far one may go where that is worth saying. */
function usualWords(own: string | undefined, { kind, usual, least, most }: FieldOutline): string {
  const said = own ?? (typeof usual === "number" || typeof usual === "string" ? usual : undefined);
  if (said === undefined || said === "" || said === 0) return "";
  const text = (one: string | number): string =>
    kind === "span" && typeof one === "number" ? durationText(one) : `${one}`;
  const bounds = kind === "span" && least !== undefined && most !== undefined ? `, at most ${text(most)}` : "";
  return ` (default ${text(said)}${bounds})`;
}
