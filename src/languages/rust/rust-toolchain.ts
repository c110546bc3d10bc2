// Asks `cargo check` for the errors of a tree. Cargo stands at the root of the file system, so that no `.cargo/config.toml` and no
// rust-toolchain file of the repository, or of a directory above the scratch place, is read: they could name a wrapper, a
// runner or another compiler. Build scripts and procedural macros are code that runs while compiling. Where the owner did not
// allow that for the repository, only crates are asked about that need none, and the others are named.

import { join, relative } from "node:path";
import type { SemanticRule } from "../../ports/semantic.ts";
import type { Toolchains } from "../../ports/toolchains.ts";
import { toolchainPrograms } from "../../protocol/compilers.ts";
import {
  type CompilerError,
  type Diagnosis,
  noDiagnosis,
  oneLine,
  type Toolchain,
  type ToolQuestion,
  whyEnded,
} from "../toolchain/toolchain.ts";
import { withoutBodies } from "../toolchain/without-bodies.ts";
import { type CargoMetadata, chosenCrates } from "./cargo-crates.ts";

const maxWorkspaces = 4;

export const rustToolchain: Toolchain = {
  language: "rust",
  program: toolchainPrograms.rust,
  title: "Rust",
  isExpected: true,
  restsOn: () => "",
  wants: (path) => !/(^|\/)(\.cargo\/|rust-toolchain(\.toml)?$|node_modules\/)/.test(path),
  lacking: "Cargo's registry on this machine does not have them",
  version: { arguments: ["--version"], pattern: /cargo (\S+)/ },
  variables: settled,
  scope: (merged, changed) => {
    const crates = [...merged.blobs.keys()]
      .filter((path) => /(^|\/)Cargo\.toml$/.test(path))
      .map((path) => path.slice(0, -"Cargo.toml".length));
    const nearest = changed
      .filter((path) => path.endsWith(".rs"))
      .map((path) => crates.filter((one) => path.startsWith(one)).sort((one, other) => other.length - one.length)[0]);
    return [...new Set(nearest.filter((one) => one !== undefined))].sort();
  },
  ask,
  read,
  isVisible: (before, after) => surface(before) !== surface(after),
};

/** What a body answers shows outside where its type is only called `impl …`. */
const closed = /^\s*(pub(\([^)]*\))?\s+)?(const\s+)?(unsafe\s+)?fn\b(?!.*\bimpl\b)/;
const surface = (text: string): string => withoutBodies(text, closed);

async function ask(question: ToolQuestion): Promise<Diagnosis> {
  const { scope, tree, place } = question;
  if (scope.length === 0) return noDiagnosis("no Cargo.toml stands above the changed files");
  const all: Diagnosis[] = [];
  const members = new Set<string>();
  const left: string[] = [];
  for (const crate of scope) {
    if (!tree.blobs.has(`${crate}Cargo.toml`) || members.has(`${crate}Cargo.toml`)) continue;
    if (all.length === maxWorkspaces) {
      left.push(crate);
      continue;
    }
    // Cargo itself knows which workspace a crate is in.
    const said = await askWorkspace(question, crate);
    if (said.root !== undefined) place.drop(join(said.root, "Cargo.lock"));
    if (said.diagnosis.failed !== undefined) return said.diagnosis;
    for (const one of said.members) members.add(one);
    all.push(said.diagnosis);
  }
  return {
    errors: all.flatMap(({ errors }) => errors),
    unchecked: [
      ...all.flatMap(({ unchecked }) => unchecked),
      ...(left.length === 0 ? [] : [`${left.length} more Rust crates were not asked about, ${left[0]} among them`]),
    ],
    missing: [],
  };
}

interface WorkspaceSaid {
  readonly diagnosis: Diagnosis;
  /** The root of the workspace in the tree, and the manifests of its crates. */
  readonly root?: string;
  readonly members: readonly string[];
}

async function askWorkspace(question: ToolQuestion, crate: string): Promise<WorkspaceSaid> {
  const { place, toolchains, program, restMs, signal } = question;
  const manifest = ["--offline", "--manifest-path", join(place.top, crate, "Cargo.toml")];
  const run = (words: readonly string[]): ReturnType<typeof place.run> =>
    place.run([program, ...words], {
      variables: { ...settled(toolchains), CARGO_TARGET_DIR: join(place.cache, "target") },
      cpuMs: restMs(),
      signal,
    });
  const none = (diagnosis: Diagnosis): WorkspaceSaid => ({ diagnosis, members: [] });
  const listed = await run(["metadata", "--format-version", "1", ...manifest]);
  if (listed.kind !== "ended") return none(whyEnded(listed, toolchains.rules.memoryBytes));
  if (listed.code !== 0) return none(noDiagnosis(whyNot(listed.stderr)));
  const metadata = JSON.parse(listed.stdout) as CargoMetadata;
  const inTop = (path: string): string => relative(place.top, path);
  const root = inTop(metadata.workspace_root);
  const own = new Set(metadata.workspace_members);
  const members = metadata.packages.filter(({ id }) => own.has(id)).map((one) => inTop(one.manifest_path));
  const crates = chosenCrates(metadata, toolchains.rules.mayRunBuildCode);
  if (crates.asked.length === 0) return { diagnosis: noDiagnosis(crates.why), root, members };
  const packages = crates.asked.flatMap((name) => ["-p", name]);
  const check = ["check", "--message-format=json", "--keep-going", "--all-targets", ...manifest, ...packages];
  const outcome = await run(check);
  if (outcome.kind !== "ended") return none(whyEnded(outcome, toolchains.rules.memoryBytes));
  const errors = cargoErrors(outcome.stdout, place.top, root === "" ? "" : `${root}/`);
  if (outcome.code !== 0 && errors.length === 0) return none(noDiagnosis(whyNot(outcome.stderr)));
  return { diagnosis: { errors, unchecked: crates.left === 0 ? [] : [crates.why], missing: [] }, root, members };
}

function whyNot(stderr: string): string {
  const missing =
    /no matching package named `([^`]+)`|failed to (?:download|get) `([^`]+)`|unable to update|offline/i.exec(stderr);
  const name = missing?.[1] ?? missing?.[2];
  if (name !== undefined) return `${name}, which it depends on, is not in Cargo's registry on this machine`;
  return oneLine(/^error: (.*)$/m.exec(stderr)?.[1] ?? stderr);
}

/** Everything that steers cargo, said here: variables come before any file. */
function settled(toolchains: Toolchains): Record<string, string> {
  const home = toolchains.variable("HOME") ?? "/nonexistent";
  return {
    CARGO_HOME: toolchains.variable("CARGO_HOME") ?? join(home, ".cargo"),
    RUSTUP_HOME: toolchains.variable("RUSTUP_HOME") ?? join(home, ".rustup"),
    RUSTUP_AUTO_INSTALL: "0",
    CARGO_NET_OFFLINE: "true",
    CARGO_TERM_COLOR: "never",
    CARGO_CACHE_AUTO_CLEAN_FREQUENCY: "never",
    RUSTC_WRAPPER: "",
    RUSTC_WORKSPACE_WRAPPER: "",
    RUSTFLAGS: "--cap-lints=allow",
  };
}

interface Span {
  readonly file_name: string;
  readonly line_start: number;
  readonly is_primary: boolean;
  readonly label?: string | null;
  readonly expansion?: { readonly span: Span } | null;
}

interface CargoMessage {
  readonly reason: string;
  readonly message?: {
    readonly level: string;
    readonly message: string;
    readonly code?: { readonly code: string } | null;
    readonly spans: readonly Span[];
  };
}

export function cargoErrors(text: string, top: string, root: string): CompilerError[] {
  const found = new Map<string, CompilerError>();
  for (const row of text.split("\n").filter((one) => one.startsWith("{"))) {
    const { reason, message } = JSON.parse(row) as CargoMessage;
    if (reason !== "compiler-message" || message?.level !== "error") continue;
    const primary = message.spans.find((span) => span.is_primary);
    const at = primary === undefined ? undefined : inTree(primary, top, root);
    if (at === undefined) continue;
    const code = message.code == null ? "" : ` [${message.code.code}]`;
    const label = primary?.label == null ? "" : `: ${primary.label}`;
    const error = { ...at, message: oneLine(`${message.message}${label}${code}`) };
    found.set(`${at.path}:${at.line}:${error.message}`, error);
  }
  return [...found.values()];
}

/** What a macro wrote stands where the macro was called. */
function inTree(span: Span, top: string, root: string): Pick<CompilerError, "path" | "line"> | undefined {
  for (let at: Span | undefined = span; at !== undefined; at = at.expansion?.span) {
    const { file_name: name } = at;
    if (name.startsWith(`${top}/`)) return { path: name.slice(top.length + 1), line: at.line_start };
    if (!name.startsWith("/") && !name.startsWith("<")) return { path: join(root, name), line: at.line_start };
  }
  return undefined;
}

const codes: readonly (readonly [RegExp, SemanticRule])[] = [
  [/\[E0(428|201|592|119|255|252|124)\]/, "duplicate-definition"],
  [/\[E0(046|004|063|023|027)\]/, "requires-more"],
  [/\[E0(061|050|053|057|107|186|185|195)\]/, "signature"],
  [/\[E0(603|616|624|451)\]/, "made-private"],
  [/\[E0(599|609|560|026|407|437|438|576)\]/, "removed-member"],
  [/\[E0(425|412|432|433|405|404|422|423|531|583)\]/, "removed"],
];

function read(message: string): { readonly names: readonly string[]; readonly rule: SemanticRule } {
  const rule = codes.find(([pattern]) => pattern.test(message))?.[1] ?? "type-mismatch";
  const told = [...message.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = ""]) => {
    const words = quoted.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
    return [words.at(-1), ...words].filter((word) => word !== undefined);
  });
  return { names: [...new Set(told.filter((word) => !plain.has(word)))], rule };
}

const plain = new Set(
  "i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool str char self Self crate super mut dyn impl fn String Option Result Vec Box".split(
    " ",
  ),
);
