// A small project as a model that each language can write down: modules with functions, types, enums and interfaces, and consumers
// whose statements point at them. Because statements point, whoever renames something renames its uses with it.

export interface Callable {
  name: string;
  arity: number;
  isPrivate?: boolean;
}

export interface TypeModel {
  name: string;
  fields: string[];
  methods: Callable[];
}

export interface EnumModel {
  name: string;
  variants: string[];
}

export interface InterfaceModel {
  name: string;
  methods: Callable[];
}

export interface ModuleModel {
  name: string;
  functions: Callable[];
  types: TypeModel[];
  enums: EnumModel[];
  interfaces: InterfaceModel[];
  /** Written first in the module's own file. */
  extras: Block[];
}

/** How a consumer brings in what it uses; each language reads it in its own way. */
export type Style = "names" | "module" | "full" | "all";

export interface ConsumerModel {
  name: string;
  style: Style;
  blocks: Block[];
}

export interface Block {
  name: string;
  statements: Statement[];
}

export type Statement =
  | { kind: "call"; module: ModuleModel; target: Callable }
  | { kind: "make"; module: ModuleModel; type: TypeModel; read: boolean }
  | { kind: "method"; module: ModuleModel; type: TypeModel; target: Callable; by: "made" | "parameter" }
  | { kind: "match"; module: ModuleModel; enum: EnumModel }
  | { kind: "variant"; module: ModuleModel; enum: EnumModel; at: number }
  | { kind: "implement"; module: ModuleModel; interface: InterfaceModel }
  /** Near-misses: a local of that name, the name in a text and a comment. */
  | { kind: "shadow"; name: string }
  | { kind: "text"; name: string };

export interface ProjectModel {
  modules: ModuleModel[];
  consumers: ConsumerModel[];
}

/** A language's way to write the model down. */
export type Render = (project: ProjectModel) => Record<string, string>;

export const modulesOf = (consumer: ConsumerModel): ModuleModel[] => [
  ...new Set(
    consumer.blocks.flatMap(({ statements }) => statements.flatMap((one) => ("module" in one ? [one.module] : []))),
  ),
];

export const numbers = (count: number): string => Array.from({ length: count }, (_, at) => String(at + 1)).join(", ");
