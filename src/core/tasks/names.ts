// Names made from titles. A title may be a novel; a path component holds 255 bytes, and git makes `<name>.lock` beside a
// branch, so the parts are capped well below.

const longestSlug = 48;

/** Lower-case letters, digits and dashes of the title's beginning; `task` when nothing is left. */
export function slugOf(title: string): string {
  const plain = title
    .slice(0, 500)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  const cut = plain.slice(0, longestSlug);
  // Not in the middle of a word, when there is a word before it.
  const whole = plain.length > longestSlug && cut.includes("-") ? cut.slice(0, cut.lastIndexOf("-")) : cut;
  return whole === "" ? "task" : whole;
}

export function branchOf(constellation: string, number: number, title: string): string {
  return `constel/${slugOf(constellation)}/${number}-${slugOf(title)}`;
}

/** One path component for a repository's workspace. */
export function workspaceName(name: string | undefined): string {
  return name === undefined ? "repo" : slugOf(name);
}
