// Describes a .proto file as written: names are not resolved and defaults not filled in. link.ts does both.

export interface Option {
  /** `deprecated`, `features.field_presence`, `(google.api.http).get`. */
  readonly name: string;
  /** The value's own words with single spaces; strings keep double quotes. */
  readonly value: string;
}

export interface Range {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

export type Label = "optional" | "required" | "repeated";

export interface FieldSyntax {
  readonly name: string;
  readonly number: number;
  readonly label: Label | null;
  /** As written: `int32`, `.shop.v1.Order`; for a map the value's type, for a group the group's name. */
  readonly type: string;
  readonly mapKey: string | null;
  readonly group: boolean;
  readonly oneof: string | null;
  /** The message that is extended, as written. */
  readonly extendee: string | null;
  readonly options: readonly Option[];
  readonly line: number;
}

export interface OneofSyntax {
  readonly name: string;
  readonly options: readonly Option[];
}

/** `export` and `local` exist since edition 2024. */
export type Visibility = "export" | "local" | null;

export interface MessageSyntax {
  readonly name: string;
  readonly line: number;
  readonly visibility: Visibility;
  readonly fields: FieldSyntax[];
  readonly oneofs: OneofSyntax[];
  readonly messages: MessageSyntax[];
  readonly enums: EnumSyntax[];
  readonly extensions: FieldSyntax[];
  readonly reserved: Range[];
  readonly reservedNames: string[];
  readonly extensionRanges: Range[];
  readonly options: Option[];
}

export interface EnumValueSyntax {
  readonly name: string;
  readonly number: number;
  readonly options: readonly Option[];
}

export interface EnumSyntax {
  readonly name: string;
  readonly line: number;
  readonly visibility: Visibility;
  readonly values: EnumValueSyntax[];
  readonly reserved: Range[];
  readonly reservedNames: string[];
  readonly options: Option[];
}

export interface MethodSyntax {
  readonly name: string;
  readonly line: number;
  readonly input: string;
  readonly output: string;
  readonly clientStreams: boolean;
  readonly serverStreams: boolean;
  readonly options: readonly Option[];
}

export interface ServiceSyntax {
  readonly name: string;
  readonly line: number;
  readonly methods: MethodSyntax[];
  readonly options: Option[];
}

export interface ImportSyntax {
  readonly path: string;
  readonly kind: "plain" | "public" | "weak" | "option";
  readonly line: number;
}

export interface FileSyntax {
  /** `proto2`, `proto3` or the edition's year. */
  syntax: string;
  package: string;
  readonly imports: ImportSyntax[];
  readonly options: Option[];
  readonly messages: MessageSyntax[];
  readonly enums: EnumSyntax[];
  readonly extensions: FieldSyntax[];
  readonly services: ServiceSyntax[];
  /** The number of words and signs in the file. */
  tokens: number;
}
