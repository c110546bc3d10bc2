// Writes docs/decisions/README.md: every decision with its title and standing, read from the pages themselves.
//   bun scripts/decision-index.ts [--check]

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const directory = join(import.meta.dir, "..", "docs", "decisions");
const page = join(directory, "README.md");

const rows = readdirSync(directory)
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .sort()
  .map((name) => {
    const text = readFileSync(join(directory, name), "utf8");
    const title = (text.split("\n", 1)[0] ?? "").replace(/^#\s*\d+[.:]\s*/, "");
    return `| ${Number(name.slice(0, 4))} | [${capitalised(title)}](${name}) | ${standing(text)} |`;
  });

const wanted = `# Decisions

Choices that were hard, one short page each. A page is superseded, not rewritten: it then says by which one.
\`bun scripts/decision-index.ts\` writes this list from the pages.

| number | decision | standing |
| --- | --- | --- |
${rows.join("\n")}
`;

if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== wanted) {
    console.error("docs/decisions/README.md is out of date: run bun scripts/decision-index.ts");
    process.exit(1);
  }
} else writeFileSync(page, wanted);

function standing(text: string): string {
  const by = /^Superseded(?: in part)? by (?:decision )?[^.\n]*/im.exec(text)?.[0];
  return by === undefined ? "in force" : by.charAt(0).toLowerCase() + by.slice(1);
}

function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}
