// What reviews come to. The last word of each reviewer counts; a comment takes back neither a yes nor a no.

export function decide(
  reviews: readonly { readonly by: string; readonly says: string }[],
): "none" | "approved" | "changes-requested" {
  const last = new Map<string, string>();
  for (const { by, says } of reviews) {
    const word = words[says.toUpperCase()];
    if (word === "gone") last.delete(by);
    else if (word !== undefined) last.set(by, word);
  }
  const said = [...last.values()];
  return said.includes("changes") ? "changes-requested" : said.includes("yes") ? "approved" : "none";
}

const words: Readonly<Record<string, "yes" | "changes" | "gone">> = {
  APPROVED: "yes",
  CHANGES_REQUESTED: "changes",
  REQUEST_CHANGES: "changes",
  DISMISSED: "gone",
};
