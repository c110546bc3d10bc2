// Generated code that will be older than its contract: one side changes a contract (OpenAPI, GraphQL, protobuf, AsyncAPI)
// without making its output anew, while the other side works on that output, on the contract, or on code that uses the
// output. Only with evidence that the output is made from this contract: its header names it, or the generator's own naming
// does. A side that merely has not regenerated yet, with nobody else concerned, is its own business and would be repeated
// for every other worktree.

import type { ChangedFile } from "../../../ports/git.ts";
import type { ReadBlob, TreeView } from "../../../ports/semantic.ts";
import { headerLines, isGeneratedName } from "../../contracts/generated-header.ts";
import { hunk, ours, type Said, theirs } from "../pair-finding.ts";
import type { PairScene, SideChanges } from "../scene.ts";

const maxOutputs = 500;
const maxOtherFiles = 300;

export async function reviewStaleTypes(scene: PairScene): Promise<Said[]> {
  const changers = [
    { changer: scene.ours, other: scene.theirs, isOurs: true },
    { changer: scene.theirs, other: scene.ours, isOurs: false },
  ].filter(({ changer }) => changer.files.some(isContractChange));
  if (changers.length === 0) return [];
  const base = await scene.tree("base");
  const findings: Said[] = [];
  for (const { changer, other, isOurs } of changers) {
    for (const contract of changer.files.filter(isContractChange)) {
      if (!(await saysSomethingElse(contract, scene.read))) continue;
      for (const output of await outputsOf(contract.path, base, scene.read)) {
        if (changer.paths.has(output)) continue; // made anew
        const finding = await concern(contract, output, other, isOurs, scene);
        if (finding !== undefined) findings.push(finding);
      }
    }
  }
  return findings;
}

export function isContract(path: string): boolean {
  return (
    /\.(proto|graphqls?|gql)$/.test(path) ||
    /(^|\/)[\w.-]*(openapi|swagger|asyncapi)[\w.-]*\.(ya?ml|json)$/i.test(path) ||
    /(^|\/)(openapi|swagger|asyncapi|api-spec)\/[\w./-]+\.(ya?ml|json)$/i.test(path)
  );
}

const isContractChange = ({ change, path }: ChangedFile): boolean => change === "modified" && isContract(path);

/** More than comments and space changed. */
async function saysSomethingElse({ before, after }: ChangedFile, read: ReadBlob): Promise<boolean> {
  if (before === undefined || after === undefined) return false;
  const bare = async (blob: string): Promise<string> =>
    withoutComments((await read(blob)) ?? "")
      .replaceAll(/\s+/g, " ")
      .trim();
  return (await bare(before.blob)) !== (await bare(after.blob));
}

/** Without whole lines of comment, and without what stands between the signs of a comment that ends. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  const begin = /\/\*|^[ \t]*(?:#|\/\/).*$/gm;
  const last = text.lastIndexOf("*/");
  let at = 0;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const isBlock = found[0] === "/*";
    if (isBlock && last < found.index + 2) continue; // it never ends
    kept.push(text.slice(at, found.index));
    at = isBlock ? text.indexOf("*/", found.index + 2) + 2 : begin.lastIndex;
    begin.lastIndex = at;
  }
  return kept.join("") + text.slice(at);
}

/** Files that a generator makes from this contract, each with proof. */
export async function outputsOf(contract: string, tree: TreeView, read: ReadBlob): Promise<string[]> {
  const name = contract.slice(contract.lastIndexOf("/") + 1);
  const stem = name.replace(/\.[^.]+$/, "");
  const namesakes = [...tree.blobs.keys()].filter((path) => path === name || path.endsWith(`/${name}`));
  const outputs: string[] = [];
  let looked = 0;
  for (const [path, blob] of tree.blobs) {
    if (!isGeneratedName(path) || path === contract) continue;
    const file = path.slice(path.lastIndexOf("/") + 1);
    const isByName =
      contract.endsWith(".proto") &&
      namesakes.length === 1 &&
      /^(_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|_grpc\.pb\.go|_pb\.(js|ts|d\.ts)|\.pb\.(cc|h))$/.test(
        file.startsWith(stem) ? file.slice(stem.length) : "",
      );
    if (isByName) outputs.push(path);
    else if (looked < maxOutputs) {
      looked += 1;
      if (headerNames((await read(blob)) ?? "", contract, name, namesakes.length)) outputs.push(path);
    }
  }
  return outputs;
}

/** The first lines name the contract: by its whole path, or by its file name when there is only one of that name. */
function headerNames(text: string, contract: string, name: string, namesakes: number): boolean {
  return headerLines(text).some((line) => {
    const words = line.split(/[\s"'`(),;]+/).map((word) => word.replace(/^\.{0,2}\//, "").replace(/[.:]$/, ""));
    return words.some((word) => word === contract || (namesakes === 1 && (word === name || word.endsWith(`/${name}`))));
  });
}

async function concern(
  contract: ChangedFile,
  output: string,
  other: SideChanges,
  isOurs: boolean,
  scene: PairScene,
): Promise<Said | undefined> {
  const touch = await touchOf(contract.path, output, other, scene);
  if (touch === undefined) return undefined;
  const [changer, worker] = isOurs ? [ours, theirs] : [theirs, ours];
  const contractText = contract.after === undefined ? "" : ((await scene.read(contract.after.blob)) ?? "");
  const shown = [hunk(contract.path, 1, contractText.split("\n").slice(0, 8).join("\n"))];
  return {
    subject: `${contract.path}\n${output}`,
    title: `${changer} changes ${contract.path} without regenerating ${output}, and ${worker} ${touch.deed}`,
    action: `Regenerate ${output} from ${contract.path} on the side that changed it, before the other continues.`,
    symbols: [],
    evidence: [
      {
        rule: touch.rule,
        path: output,
        symbol: null,
        ours: isOurs ? shown : touch.shown,
        theirs: isOurs ? touch.shown : shown,
        message: `${output} is generated from ${contract.path}.`,
      },
    ],
  };
}

async function touchOf(
  contract: string,
  output: string,
  other: SideChanges,
  scene: PairScene,
): Promise<{ rule: string; deed: string; shown: ReturnType<typeof hunk>[] } | undefined> {
  if (scene.conflicted.has(output) || scene.conflicted.has(contract)) return undefined;
  if (other.paths.has(output)) return { rule: "output", deed: "changes that output", shown: [hunk(output, 1, "")] };
  if (other.paths.has(contract)) return undefined; // it is as stale there; the contract's own change is what matters
  const module = output.slice(output.lastIndexOf("/") + 1).replace(/(\.d)?\.[^.]+$/, "");
  const pattern = new RegExp(`(import|require|from)\\b.*\\b${module.replaceAll(/[^\w]/g, "\\$&")}\\b`);
  for (const { path, after } of other.files.slice(0, maxOtherFiles)) {
    if (after === undefined || !/\.([cm]?[jt]sx?|py|go|vue|svelte)$/.test(path)) continue;
    const lines = ((await scene.read(after.blob)) ?? "").split("\n");
    // Imports are short lines; a minified one would only take time.
    const at = lines.findIndex((line) => line.length < 400 && pattern.test(line));
    if (at !== -1) {
      return { rule: "user", deed: `works on ${path}, which uses it`, shown: [hunk(path, at + 1, lines[at] ?? "")] };
    }
  }
  return undefined;
}
