// The documentation as a static site that needs no network and no server: a page each, one style, and a search over all headings and texts that runs in the
// browser. The same pages are read in the terminal by `constel docs`.

import { dirname, join, normalize } from "node:path/posix";
import { escaped, rendered, type Rendered, withoutComments } from "./markdown.ts";
import { type Pages, sections, titleOf } from "./pages.ts";

export interface Site {
  readonly files: ReadonlyMap<string, string>;
  /** `page: link` of each link within the site that leads nowhere. */
  readonly dead: readonly string[];
}

export function siteOf(pages: Pages, version: string): Site {
  const names = [...pages.keys()].filter((name) => name.endsWith(".md"));
  const made = new Map(names.map((name) => [name, rendered(pages.get(name) ?? "", hrefOf)]));
  const files = new Map<string, string>();
  for (const [name, text] of pages) if (!name.endsWith(".md")) files.set(name, text);
  for (const [name, page] of made) files.set(htmlOf(name), pageOf(name, page, pages, version));
  files.set("index.html", indexOf(pages, version));
  files.set("style.css", style);
  files.set("search.js", `${searchScript}\nconstelPages(${JSON.stringify(searchIndex(pages, made))});\n`);
  return { files, dead: deadLinks(made, files) };
}

const htmlOf = (name: string): string => (name === "index.md" ? "contents.html" : name.replace(/\.md$/, ".html"));

const isOutside = (target: string): boolean => /^[a-z]+:/.test(target);

/** What leads to a page leads to its HTML; what leads out of docs/ is a file of the clone, and is only named. */
function hrefOf(target: string): string {
  if (isOutside(target) || target.startsWith("#")) return target;
  const [path = "", anchor] = target.split("#");
  return `${path.endsWith(".md") ? htmlOf(path) : path}${anchor === undefined ? "" : `#${anchor}`}`;
}

function deadLinks(made: ReadonlyMap<string, Rendered>, files: ReadonlyMap<string, string>): string[] {
  const dead: string[] = [];
  for (const [name, { links, headings }] of made) {
    for (const link of links.filter((one) => !isOutside(one))) {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? name : normalize(join(dirname(name), path));
      if (target.startsWith("..")) continue; // a file of the clone
      const known = path === "" ? headings : made.get(target)?.headings;
      const isThere = path === "" || files.has(path.endsWith(".md") ? htmlOf(target) : target);
      if (!isThere || (anchor !== undefined && known?.some(({ id }) => id === anchor) !== true))
        dead.push(`${name}: ${link}`);
    }
  }
  return dead;
}

function pageOf(name: string, { html, headings }: Rendered, pages: Pages, version: string): string {
  const inPage = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`);
  const up = "../".repeat(name.split("/").length - 1);
  const aside =
    inPage.length > 1
      ? `<nav class="inner" aria-label="On this page"><h2>On this page</h2><ul>${inPage.join("")}</ul></nav>`
      : "";
  return shell({
    title: titleOf(pages.get(name) ?? name),
    up,
    version,
    body: `<main>${html}</main>${aside}`,
    nav: navOf(pages, name),
  });
}

/** Decisions are many: they have an index of their own. */
function navOf(pages: Pages, current: string): string {
  const up = "../".repeat(current.split("/").length - 1);
  return sections
    .map(({ name, holds }) => {
      const own = [...pages.keys()].filter((page) => page.endsWith(".md") && holds(page));
      const shown = name === "Decisions" ? own.filter((page) => page.endsWith("README.md")) : own;
      const items = shown.map((page) => {
        const here = page === current ? ' aria-current="page"' : "";
        return `<li><a href="${up}${htmlOf(page)}"${here}>${escaped(titleOf(pages.get(page) ?? "") || page)}</a></li>`;
      });
      return items.length === 0 ? "" : `<h2>${name}</h2><ul>${items.join("")}</ul>`;
    })
    .join("");
}

function indexOf(pages: Pages, version: string): string {
  const body = `<main><h1>constel</h1><p>constel runs a constellation of coding agents and keeps their parallel work from colliding.
Begin with <a href="guides/your-first-constellation.html">your first constellation</a>.</p>${navOf(pages, "")}</main>`;
  return shell({ title: "constel", up: "", version, body, nav: navOf(pages, "") });
}

interface Shell {
  readonly title: string;
  readonly up: string;
  readonly version: string;
  readonly nav: string;
  readonly body: string;
}

const shell = ({ title, up, version, nav, body }: Shell): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><link rel="stylesheet" href="${up}style.css"></head>
<body data-up="${up}"><header><a href="${up}index.html">constel ${escaped(version)}</a>
<input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"><ol id="found"></ol></header>
<div class="columns"><nav class="pages" aria-label="Pages">${nav}</nav>${body}</div><script src="${up}search.js"></script></body></html>
`;

/** A row for each section of a page: where it is, its headings, and the words in it. */
function searchIndex(pages: Pages, made: ReadonlyMap<string, Rendered>): readonly (readonly string[])[] {
  return [...made].flatMap(([name, { headings }]) => {
    const texts = (pages.get(name) ?? "").split(/^#{1,6} .*$/m).slice(1);
    return headings.map(({ id, text }, at) => {
      const words = withoutComments(texts[at] ?? "").replaceAll(/[`*|#>[\]()]|\s+/g, " ");
      return [`${htmlOf(name)}#${id}`, titleOf(pages.get(name) ?? ""), text, words.slice(0, 1_500)];
    });
  });
}

/** For the terminal: the sections in which all words stand, those with a word in a heading first. */
export function searched(pages: Pages, words: readonly string[]): { page: string; heading: string; text: string }[] {
  const names = [...pages.keys()].filter((name) => name.endsWith(".md"));
  const made = new Map(names.map((name) => [name, rendered(pages.get(name) ?? "", (target) => target)]));
  const wanted = words.map((word) => word.toLowerCase());
  const score = ([, title = "", heading = "", text = ""]: readonly string[]): number => {
    const [head, body] = [`${title} ${heading}`.toLowerCase(), text.toLowerCase()];
    if (!wanted.every((word) => head.includes(word) || body.includes(word))) return 0;
    return (
      1 +
      wanted.filter((word) => heading.toLowerCase().includes(word)).length * 4 +
      wanted.filter((word) => head.includes(word)).length
    );
  };
  return searchIndex(pages, made)
    .map((row) => ({ row, points: score(row) }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.points - a.points)
    .map(({ row: [place = "", , heading = "", text = ""] }) => {
      const page = names.find((name) => htmlOf(name) === place.split("#")[0]) ?? "";
      return { page, heading, text: text.trim() };
    });
}

const searchScript = `"use strict";
function constelPages(pages) {
  const field = document.getElementById("search"), list = document.getElementById("found"), up = document.body.dataset.up;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter((word) => word !== "");
    const points = ([, title, heading, text]) => {
      const head = (title + " " + heading).toLowerCase(), body = text.toLowerCase();
      if (words.length === 0 || !words.every((word) => head.includes(word) || body.includes(word))) return 0;
      return 1 + words.filter((word) => heading.toLowerCase().includes(word)).length * 4 + words.filter((word) => head.includes(word)).length;
    };
    const found = pages.map((page) => [points(page), page]).filter(([n]) => n > 0).sort(([a], [b]) => b - a).slice(0, 20);
    list.replaceChildren(...found.map(([, [place, title, heading]]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = up + place; link.textContent = heading === title ? title : title + ": " + heading;
      item.append(link); return item;
    }));
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; list.replaceChildren(); }
    if (event.key === "Enter") { const first = list.querySelector("a"); if (first) location.href = first.href; }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  });
}`;

const style = `:root{color-scheme:light dark;--text:#1b1f24;--soft:#57606a;--line:#d0d7de;--back:#fff;--code:#f3f5f7;--link:#0b57b0}
@media (prefers-color-scheme:dark){:root{--text:#dfe5ec;--soft:#9aa6b2;--line:#343b44;--back:#14181d;--code:#1f252c;--link:#7db7ff}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:16px/1.6 system-ui,sans-serif}
a{color:var(--link)}header{display:flex;gap:1rem;align-items:center;padding:.6rem 1.2rem;border-bottom:1px solid var(--line);position:sticky;top:0;background:var(--back);z-index:1}
header a{font-weight:600;text-decoration:none;color:var(--text)}#search{margin-left:auto;width:min(22rem,50vw);padding:.35rem .6rem;border:1px solid var(--line);border-radius:6px;background:var(--back);color:var(--text);font:inherit}
#found{position:absolute;right:1.2rem;top:100%;margin:0;padding:0;list-style:none;background:var(--back);border:1px solid var(--line);max-height:70vh;overflow:auto;width:min(30rem,90vw)}
#found:empty{display:none}#found a{display:block;padding:.4rem .8rem;font-weight:400}
.columns{display:grid;grid-template-columns:16rem minmax(0,46rem) minmax(0,14rem);gap:2.5rem;max-width:82rem;margin:0 auto;padding:1rem 1.2rem}
nav ul{list-style:none;padding:0;margin:0}nav h2{font-size:.85rem;color:var(--soft);margin:1rem 0 .2rem}nav a{text-decoration:none;display:block;padding:.1rem 0;line-height:1.4}nav a[aria-current]{font-weight:600}
.columns>nav{position:sticky;top:4.5rem;align-self:start;max-height:calc(100vh - 5.5rem);overflow:auto;font-size:.92rem}main{min-width:0}main>:first-child{margin-top:.4rem}main :is(h1,h2,h3){line-height:1.25;scroll-margin-top:4.5rem}
pre{background:var(--code);padding:.8rem;overflow:auto;border-radius:6px}code{background:var(--code);padding:.1em .3em;border-radius:4px;font:.9em ui-monospace,monospace}pre code{padding:0;background:none}
.wide{overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}img{max-width:100%}
@media (max-width:75rem){.columns{grid-template-columns:14rem minmax(0,1fr)}.columns>.inner{display:none}}
@media (max-width:50rem){.columns{display:flex;flex-direction:column}main{order:-1}.columns>nav{position:static;max-height:none;border-top:1px solid var(--line)}}
`;
