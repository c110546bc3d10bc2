// The steps a demo brief lists, read from its words. Pure.

export type Step =
  | { readonly kind: "replace"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: "append"; readonly file: string; readonly line: string }
  | { readonly kind: "commit"; readonly message: string }
  | { readonly kind: "ready" };

const replace = /^- In `([^`]+)` replace `([^`]+)` with `([^`]+)`\.$/;
const append = /^- Append to `([^`]+)`: `([^`]+)`\.$/;
const commit = /^- Commit as "([^"]+)"\.$/;
const ready = /^- Say that it is ready\.$/;

export function stepsIn(brief: string): Step[] {
  return brief.split("\n").flatMap((line): Step[] => {
    const [, file = "", from = "", to = ""] = replace.exec(line) ?? [];
    if (file !== "") return [{ kind: "replace", file, from, to }];
    const [, target = "", added = ""] = append.exec(line) ?? [];
    if (target !== "") return [{ kind: "append", file: target, line: added }];
    const message = commit.exec(line)?.[1];
    if (message !== undefined) return [{ kind: "commit", message }];
    return ready.test(line) ? [{ kind: "ready" }] : [];
  });
}
