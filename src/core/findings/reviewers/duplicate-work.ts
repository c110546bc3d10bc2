// Two sides that write the same thing in different places: nearly the same new file, or the same exported name in new files of
// one package. Precision comes first: tests, fixtures, configuration, scaffolding copied from what is there, names that the
// package uses by convention, and single common words say nothing.

import type { ChangedFile } from "../../../ports/git.ts";
import type { Exported, ReadBlob, TreeView } from "../../../ports/semantic.ts";
import { isCommonName, mentionsExport, saysTheSame } from "./telling-names.ts";
import { migrationOf } from "./migration-name.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene, SideChanges } from "../scene.ts";
import { shingle, type Shingled, similarity } from "./shingles.ts";

const alike = 0.85;
const leastLines = 15;
/** Past this many new files a side brings in a library or a generator's output. */
const maxPerSide = 300;
const maxConventionFiles = 300;

interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly shingles: Shingled;
  readonly names: readonly Exported[];
}

export async function reviewDuplicateWork(scene: PairScene): Promise<Said[]> {
  const [our, their] = [candidates(scene, scene.ours), candidates(scene, scene.theirs)];
  if (our.length === 0 || their.length === 0 || our.length > maxPerSide || their.length > maxPerSide) return [];
  const left = await Promise.all(our.map((file) => load(file, scene)));
  const right = await Promise.all(their.map((file) => load(file, scene)));
  const pairs = left.flatMap((mine) =>
    mine === undefined ? [] : right.flatMap((yours) => (yours === undefined ? [] : [suspect(mine, yours)])),
  );
  const suspects = pairs.filter((one) => one !== undefined);
  if (suspects.length === 0) return [];
  const base = await scene.tree("base");
  const findings: Said[] = [];
  for (const one of suspects) {
    const finding = await confirm(one, base, scene.read);
    if (finding !== undefined) findings.push(finding);
  }
  return findings;
}

const sources = /\.([cm]?[jt]sx?|pyi?|go|rs|java|kt|rb|php|cs|swift|scala|ex|exs|c|cc|cpp|h|hpp|vue|svelte|sql|sh)$/;
const scaffolding =
  /(^|\/)(tests?|__tests__|specs?|fixtures?|testdata|mocks?|__mocks__|examples?|stories|e2e|benchmarks?|generated|gen)\/|[._-](test|spec|stories|bench|fixture|mock|suite|config|conf|generated|d)\.|(^|\/)(test_[^/]*|conftest|setup|__init__|__main__|index\.d|mod|lib|main|doc)\.[a-z]+$/;

function candidates(scene: PairScene, side: SideChanges): ChangedFile[] {
  return side.files.filter(
    ({ change, path, after }) =>
      change === "added" &&
      after?.mode.startsWith("100") === true &&
      sources.test(path) &&
      !scaffolding.test(path) &&
      !scene.conflicted.has(path) &&
      scene.excluded(path) === undefined &&
      (migrationOf(path, "")?.slot ?? undefined) === undefined,
  );
}

async function load(file: ChangedFile, { read, exports }: PairScene): Promise<NewFile | undefined> {
  const text = file.after === undefined ? undefined : await read(file.after.blob);
  if (text === undefined || text.length > 200_000) return undefined;
  // What says of itself that a program wrote it is nobody's work.
  if (/generated|do not edit/i.test(text.slice(0, 400))) return undefined;
  const names = (await exports(file.path, text)).filter(({ name }) => !isCommonName(name));
  return { path: file.path, text, shingles: shingle(text), names };
}

interface Suspect {
  readonly mine: NewFile;
  readonly yours: NewFile;
  readonly likeness: number;
  readonly shared: readonly { name: string; mine: number; yours: number }[];
}

function suspect(mine: NewFile, yours: NewFile): Suspect | undefined {
  if (mine.path === yours.path) return undefined;
  const isLong = Math.min(mine.shingles.lines, yours.shingles.lines) >= leastLines;
  const likeness = isLong ? similarity(mine.shingles, yours.shingles, alike) : 0;
  // In one directory of Go the merge would not even compile, and that is said elsewhere.
  const isClash = mine.path.endsWith(".go") && directoryOf(mine.path) === directoryOf(yours.path);
  const shared = (isClash ? [] : mine.names).flatMap((own) => {
    const other = yours.names.find((one) => saysTheSame(own, one));
    return other === undefined ? [] : [{ name: own.name, mine: own.line, yours: other.line }];
  });
  return likeness >= alike || shared.length > 0 ? { mine, yours, likeness, shared } : undefined;
}

async function confirm(one: Suspect, base: TreeView, read: ReadBlob): Promise<Said | undefined> {
  const { mine, yours } = one;
  const isAlike = one.likeness >= alike && !(await isCopied(one, base, read));
  const packages = [packageOf(mine.path, base), packageOf(yours.path, base)];
  const mayShare =
    packages[0] === packages[1] && (!hasSameRole(mine, yours) || similarity(mine.shingles, yours.shingles, 0.5) >= 0.5);
  const names = mayShare && one.shared.length > 0 ? await unconventional(one, packages[0] ?? "", base, read) : [];
  const [name] = names;
  if (!isAlike && name === undefined) return undefined;
  const paths = [mine.path, yours.path].sort();
  const what = isAlike
    ? `nearly the same file: ${mine.path} and ${yours.path}`
    : `the same ${names.map((each) => each.name).join(", ")}, in ${mine.path} and ${yours.path}`;
  const [at, to] = name === undefined ? [1, 1] : [name.mine, name.yours];
  return {
    subject: paths.join("\n"),
    title: `${ours} and ${theirs} both write ${what}`,
    action: "Agree on one of the two and let the other side use it.",
    symbols: names.map((each) => each.name),
    evidence: [
      {
        rule: isAlike ? "similar-file" : "same-symbol",
        path: paths[0] ?? "",
        symbol: name?.name ?? null,
        ours: [hunk(mine.path, at, linesFrom(mine.text, at))],
        theirs: [hunk(yours.path, to, linesFrom(yours.text, to))],
        message: isAlike
          ? `${Math.round(one.likeness * 100)} % of the two new files is the same.`
          : `Both sides add ${names.map((each) => each.name).join(", ")} to one package.`,
      },
    ],
  };
}

/** Files of one name in neighbouring directories (plugins/a/index.ts, plugins/b/index.ts) play the same role on purpose. */
function hasSameRole(mine: NewFile, yours: NewFile): boolean {
  return (
    baseName(mine.path) === baseName(yours.path) || stemOf(mine.path) === "index" || stemOf(yours.path) === "index"
  );
}

/** Both were made from something that was there before: scaffolding, not the same idea twice. */
async function isCopied({ mine }: Suspect, base: TreeView, read: ReadBlob): Promise<boolean> {
  const extension = mine.path.slice(mine.path.lastIndexOf("."));
  const name = baseName(mine.path);
  const near = [...base.blobs].filter(([path]) => path.endsWith(extension));
  const ranked = near.sort(([a], [b]) => Number(baseName(b) === name) - Number(baseName(a) === name));
  for (const [, blob] of ranked.slice(0, maxConventionFiles)) {
    const text = await read(blob);
    if (text !== undefined && similarity(shingle(text), mine.shingles, 0.6) >= 0.6) return true;
  }
  return false;
}

/** Names that no file of the package exports already. One that some do is a convention, and one more is no surprise. */
async function unconventional(
  one: Suspect,
  inPackage: string,
  base: TreeView,
  read: ReadBlob,
): Promise<Suspect["shared"]> {
  const extension = /\.[^./]+$/.exec(one.mine.path)?.[0] ?? "";
  const prefix = inPackage === "" ? "" : `${inPackage}/`;
  const files = [...base.blobs].filter(([path]) => path.startsWith(prefix) && path.endsWith(extension));
  const distance = (path: string): number => Number(directoryOf(path) !== directoryOf(one.mine.path));
  files.sort(([a], [b]) => distance(a) - distance(b));
  const left = new Set(one.shared.map(({ name }) => name));
  for (const [, blob] of files.slice(0, maxConventionFiles)) {
    if (left.size === 0) break;
    const text = (await read(blob)) ?? "";
    for (const name of left) if (text.includes(name) && mentionsExport(text, name)) left.delete(name);
  }
  return one.shared.filter(({ name }) => left.has(name));
}

const manifests = [
  "package.json",
  "pyproject.toml",
  "go.mod",
  "Cargo.toml",
  "setup.py",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
];

/** The nearest directory above that holds a manifest; "" is the top. */
function packageOf(path: string, tree: TreeView): string {
  for (let directory = directoryOf(path); directory !== ""; directory = directoryOf(directory)) {
    if (manifests.some((name) => tree.blobs.has(`${directory}/${name}`))) return directory;
  }
  return "";
}

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const stemOf = (path: string): string => baseName(path).replace(/\..*$/, "");
const linesFrom = (text: string, line: number): string =>
  text
    .split("\n")
    .slice(line - 1, line + 11)
    .join("\n");
