// Two sides that write the same thing in different places: nearly the same new file, or the same exported name in new files of
// one package. Precision comes first: tests, fixtures, configuration, scaffolding copied from what is there, names that the
// package uses by convention, and single common words say nothing.

import type { ChangedFile } from "../../../ports/git.ts";
import type { Exported, ReadableLanguage, ReadableLanguages, ReadBlob, TreeView } from "../../../ports/semantic.ts";
import { isCommonName, saysTheSame } from "./telling-names.ts";
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
  readonly open: ReadableLanguage | undefined;
  readonly shingles: Shingled;
  readonly names: readonly Exported[];
}

export async function reviewDuplicateWork(scene: PairScene): Promise<Said[]> {
  const { languages } = scene;
  const [our, their] = [scene.ours, scene.theirs].map((side) => candidates(scene, side, languages)) as [
    ChangedFile[],
    ChangedFile[],
  ];
  if (our.length === 0 || their.length === 0 || our.length > maxPerSide || their.length > maxPerSide) return [];
  const left = await Promise.all(our.map((file) => load(file, scene.read, languages)));
  const right = await Promise.all(their.map((file) => load(file, scene.read, languages)));
  const pairs = left.flatMap((mine) =>
    mine === undefined ? [] : right.flatMap((yours) => (yours === undefined ? [] : [suspect(mine, yours)])),
  );
  const suspects = pairs.filter((one) => one !== undefined);
  if (suspects.length === 0) return [];
  const base = await scene.tree("base");
  const findings: Said[] = [];
  for (const one of suspects) {
    const finding = await confirm(one, base, scene.read, languages);
    if (finding !== undefined) findings.push(finding);
  }
  return findings;
}

/** Sources that nobody parses here can still be nearly the same text. */
const otherSources = /\.(kt|rb|php|cs|swift|scala|ex|exs|c|cc|cpp|h|hpp|vue|svelte|sql|sh)$/;
const scaffolding =
  /(^|\/)(tests?|__tests__|specs?|fixtures?|testdata|mocks?|__mocks__|examples?|stories|e2e|benchmarks?|generated|gen)\/|[._-](test|spec|stories|bench|fixture|mock|suite|config|conf|generated|d)\.|(^|\/)(test_[^/]*|setup|lib|main|doc)\.[a-z]+$/;

function candidates(scene: PairScene, side: SideChanges, languages: ReadableLanguages): ChangedFile[] {
  const isWork = (path: string): boolean => {
    const language = languages.of(path)?.language;
    const isSource = language === undefined ? otherSources.test(path) : language.customaryFiles?.test(path) !== true;
    return isSource && !scaffolding.test(path);
  };
  return side.files.filter(
    ({ change, path, after }) =>
      change === "added" &&
      after?.mode.startsWith("100") === true &&
      isWork(path) &&
      !scene.conflicted.has(path) &&
      scene.excluded(path) === undefined &&
      (migrationOf(path, "")?.slot ?? undefined) === undefined,
  );
}

async function load(file: ChangedFile, read: ReadBlob, languages: ReadableLanguages): Promise<NewFile | undefined> {
  const text = file.after === undefined ? undefined : await read(file.after.blob);
  if (text === undefined || text.length > 200_000) return undefined;
  // A file that says of itself that a program wrote it is nobody's work.
  if (/generated|do not edit/i.test(text.slice(0, 400))) return undefined;
  const open = languages.of(file.path);
  const names = ((await open?.exports(file.path, text)) ?? []).filter(({ name }) => !isCommonName(name));
  return { path: file.path, text, open, shingles: shingle(text), names };
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
  // Where a directory is one scope the merge would not even compile, and that is said elsewhere.
  const isClash =
    mine.open?.language.sharesNamesInDirectory === true && directoryOf(mine.path) === directoryOf(yours.path);
  const shared = (isClash ? [] : mine.names).flatMap((own) => {
    const other = yours.names.find((one) => saysTheSame(own, one));
    return other === undefined ? [] : [{ name: own.name, mine: own.line, yours: other.line }];
  });
  return likeness >= alike || shared.length > 0 ? { mine, yours, likeness, shared } : undefined;
}

async function confirm(
  one: Suspect,
  base: TreeView,
  read: ReadBlob,
  languages: ReadableLanguages,
): Promise<Said | undefined> {
  const { mine, yours } = one;
  const isAlike = one.likeness >= alike && !(await isCopied(one, base, read));
  const manifests = languages.all.flatMap(({ language }) => language.manifests ?? []);
  const packages = [packageOf(mine.path, base, manifests), packageOf(yours.path, base, manifests)];
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
    for (const name of left) if (text.includes(name) && defines(text, name, one.mine.open)) left.delete(name);
  }
  return one.shared.filter(({ name }) => left.has(name));
}

/** Tells whether a text seems to define the name; cheap, and on the generous side. */
function defines(text: string, name: string, open: ReadableLanguage | undefined): boolean {
  const pattern = open?.language.definition(name.replaceAll("$", "\\$"));
  return pattern !== undefined && new RegExp(`(^|\\n)(${pattern})`).test(text);
}

/** The nearest directory above that holds a manifest; "" is the top. */
function packageOf(path: string, tree: TreeView, manifests: readonly string[]): string {
  for (let directory = directoryOf(path); directory !== ""; directory = directoryOf(directory)) {
    if (manifests.some((name) => tree.blobs.has(`${directory}/${name}`))) return directory;
  }
  return "";
}

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const stemOf = (path: string): string => baseName(path).replace(/\.[^]*$/, "");
const linesFrom = (text: string, line: number): string =>
  text
    .split("\n")
    .slice(line - 1, line + 11)
    .join("\n");
