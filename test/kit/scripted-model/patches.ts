// Patches in the form that `apply_patch` takes. They are made of whole lines.

export function patchAdding(path: string, content: string): string {
  return envelope(`*** Add File: ${path}`, marked("+", content));
}

export function patchReplacing(path: string, old: string, fresh: string): string {
  return envelope(`*** Update File: ${path}`, ["@@", ...marked("-", old), ...marked("+", fresh)]);
}

function envelope(head: string, lines: readonly string[]): string {
  return ["*** Begin Patch", head, ...lines, "*** End Patch"].join("\n");
}

function marked(mark: string, text: string): readonly string[] {
  if (text === "") return [];
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${mark}${line}`);
}
