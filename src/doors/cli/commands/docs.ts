// `constel docs`: the documentation, from the program itself: a page in the terminal, a search, or all of it as a site that opens without a network.

import { resolve } from "node:path";
import { TrustedDirectory } from "../../../files/trusted-directory.ts";
import { writeTrusted } from "../../../files/trusted-files.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { allPages, contentOf, type Pages, sections, titleOf } from "../docs/pages.ts";
import { withoutComments } from "../docs/markdown.ts";
import { searched, siteOf } from "../docs/site.ts";
import type { CommandResult, RunCommand } from "../input/command.ts";
import { table } from "../present/table.ts";

const mostFound = 20;
const excerpt = 100;

export const docs: RunCommand = async (context, input) => {
  const pages = await allPages();
  const to = input.flag("to");
  if (to !== undefined) return writeSite(pages, resolve(context.cwd, to), context.version);
  const words = input.rest("page");
  const [first] = words;
  if (first === undefined) return listing(pages);
  const name = words.length === 1 ? pageNamed(pages, first) : undefined;
  if (name !== undefined) {
    const text = withoutComments(pages.get(name) ?? "");
    return { json: { page: name, text }, text };
  }
  const found = searched(pages, words).slice(0, mostFound);
  if (found.length === 0)
    throw new Refusal("docs.unknown", `no page has ${words.join(" ")} in it`, { words: [...words] });
  return {
    json: { found },
    text: () =>
      table(
        ["page", "section", ""],
        found.map(({ page, heading, text }) => [page.replace(/\.md$/, ""), heading, text.slice(0, excerpt)]),
        context.output,
      ),
  };
};

/** By its whole name or the last part of it, with or without `.md`. */
function pageNamed(pages: Pages, word: string): string | undefined {
  const wanted = word.replace(/\.md$/, "").toLowerCase();
  const names = [...pages.keys()].filter((name) => name.endsWith(".md"));
  const plain = (name: string): string => name.replace(/\.md$/, "").toLowerCase();
  return names.find((name) => plain(name) === wanted) ?? names.find((name) => plain(name).endsWith(`/${wanted}`));
}

function listing(pages: Pages): CommandResult {
  const listed = [...pages].flatMap(([name, text]) =>
    name.endsWith(".md") ? [{ page: name.replace(/\.md$/, ""), title: titleOf(text) }] : [],
  );
  const lines = sections
    .filter(({ name }) => name !== "Decisions")
    .flatMap(({ name, holds }) => [
      name,
      ...listed.filter(({ page }) => holds(`${page}.md`)).map(({ page, title }) => `  ${page.padEnd(44)} ${title}`),
    ]);
  const hint = "Read one: constel docs PAGE. Search: constel docs WORDS. As a site: constel docs --to DIR";
  return { json: { pages: listed }, text: [...lines, "", hint].join("\n") };
}

function writeSite(pages: Pages, to: string, version: string): CommandResult {
  const { files, dead } = siteOf(pages, version);
  TrustedDirectory.open(to, "", { create: true }).close();
  for (const [name, text] of files) writeTrusted(to, name, contentOf(name, text), { sync: false });
  return {
    json: { directory: to, files: files.size, deadLinks: dead },
    text: `Wrote ${files.size} files. Open ${to}/index.html`,
  };
}
