// One version of all files with every name resolved and every default filled in: what the comparison works on.

import type { Features } from "./features.ts";
import type { EnumSyntax, FileSyntax, MessageSyntax, MethodSyntax, Option, ServiceSyntax } from "./syntax.ts";

export interface TypeReference {
  readonly kind: "scalar" | "message" | "enum" | "unknown";
  /** `int32`, or the full name without a leading dot. */
  readonly name: string;
}

/** The number of times a field may occur, and whether its absence can be told from its default. */
export type Cardinality = "required" | "optional" | "implicit" | "repeated" | "map";

export interface LinkedField {
  readonly name: string;
  readonly number: number;
  readonly jsonName: string;
  readonly type: TypeReference;
  readonly mapKey: string | null;
  readonly cardinality: Cardinality;
  readonly oneof: string | null;
  /** Full name of the message that is extended. */
  readonly extendee: string | null;
  /** As a message is sent: with its length, or between marks as groups are. */
  readonly delimited: boolean;
  readonly packed: boolean;
  readonly features: Features;
  readonly options: readonly Option[];
  readonly line: number;
}

export interface LinkedMessage {
  readonly fullName: string;
  readonly file: LinkedFile;
  readonly syntax: MessageSyntax;
  readonly fields: ReadonlyMap<number, LinkedField>;
  readonly features: Features;
}

export interface LinkedEnum {
  readonly fullName: string;
  readonly file: LinkedFile;
  readonly syntax: EnumSyntax;
  readonly features: Features;
}

export interface LinkedExtension {
  readonly fullName: string;
  readonly file: LinkedFile;
  readonly field: LinkedField;
}

export interface LinkedMethod {
  readonly syntax: MethodSyntax;
  readonly input: TypeReference;
  readonly output: TypeReference;
}

export interface LinkedService {
  readonly fullName: string;
  readonly file: LinkedFile;
  readonly syntax: ServiceSyntax;
  readonly methods: ReadonlyMap<string, LinkedMethod>;
}

export interface LinkedFile {
  readonly key: string;
  readonly path: string;
  readonly syntax: FileSyntax;
}

export interface LinkedProto {
  readonly files: ReadonlyMap<string, LinkedFile>;
  readonly messages: Map<string, LinkedMessage>;
  readonly enums: Map<string, LinkedEnum>;
  readonly extensions: Map<string, LinkedExtension>;
  readonly services: Map<string, LinkedService>;
}
