// Markdown as our own pages use it, as HTML: headings, paragraphs, lists, tables, code, quotes, links, pictures. Everything is escaped first; a comment is dropped. What
// is not understood stays text.

export interface Rendered {
  readonly html: string;
  readonly headings: readonly { readonly level: number; readonly text: string; readonly id: string }[];
  /** As they stand in the page. */
  readonly links: readonly string[];
}

/** A comment that never ends takes the rest with it. */
export function withoutComments(text: string): string {
  const [first = "", ...parts] = text.split("<!--");
  const rest = parts.map((part) => {
    const end = part.indexOf("-->");
    return end === -1 ? "" : part.slice(end + 3).replace(/^\n/, "");
  });
  return [first, ...rest].join("");
}

export function rendered(markdown: string, linkTo: (target: string) => string): Rendered {
  const lines = withoutComments(markdown).split("\n");
  const headings: Rendered["headings"][number][] = [];
  const links: string[] = [];
  const inline = (text: string): string => inlineOf(text, linkTo, links);
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6}) (.*)$/.exec(line);
    if (line.trim() === "") at++;
    else if (heading !== null) {
      const [, marks = "", text = ""] = heading;
      const id = unused(slugOf(text), headings);
      headings.push({ level: marks.length, text, id });
      out.push(`<h${marks.length} id="${id}">${inline(text)}</h${marks.length}>`);
      at++;
    } else if (line.startsWith("```")) {
      const end = lines.findIndex((one, index) => index > at && one.startsWith("```"));
      const last = end === -1 ? lines.length : end;
      out.push(`<pre><code>${escaped(lines.slice(at + 1, last).join("\n"))}</code></pre>`);
      at = last + 1;
    } else {
      const last = endOf(lines, at);
      out.push(blockOf(lines.slice(at, last), inline));
      at = last;
    }
  }
  return { html: out.join("\n"), headings, links };
}

const isItem = (line: string): boolean => /^\s*([-*]|\d+\.) /.test(line);

/** A block ends at an empty line, a heading or code; a list goes on over an empty line before another item. */
function endOf(lines: readonly string[], from: number): number {
  let at = from + 1;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (/^(#{1,6} |```)/.test(line)) break;
    if (line.trim() !== "") continue;
    if (!(isItem(lines[from] ?? "") && isItem(lines[at + 1] ?? ""))) break;
  }
  return at;
}

function blockOf(lines: readonly string[], inline: (text: string) => string): string {
  const [first = "", second = ""] = lines;
  if (first.startsWith("|") && /^\|[\s:|-]+$/.test(second)) return tableOf(lines, inline);
  if (first.startsWith(">"))
    return `<blockquote>${inline(lines.map((line) => line.replace(/^> ?/, "")).join(" "))}</blockquote>`;
  if (isItem(first)) return listOf(lines, inline);
  return `<p>${inline(lines.join("\n"))}</p>`;
}

function tableOf(lines: readonly string[], inline: (text: string) => string): string {
  const cells = (line: string): string[] =>
    line
      .trim()
      .replace(/^\|/, "")
      .replace(/\|$/, "")
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll("\\|", "|")));
  const [head = "", , ...rows] = lines;
  const row = (line: string, tag: string): string =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  const body = rows.filter((line) => line.startsWith("|")).map((line) => row(line, "td"));
  return `<div class="wide"><table><thead>${row(head, "th")}</thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** Two levels: an item that is indented belongs to the one before. */
function listOf(lines: readonly string[], inline: (text: string) => string): string {
  const items: { text: string; inner: string[] }[] = [];
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const last = items.at(-1);
    if (/^([-*]|\d+\.) /.test(line)) items.push({ text: line.replace(/^\S+ /, ""), inner: [] });
    else if (last !== undefined && (isItem(line) || last.inner.length > 0)) last.inner.push(line.trim());
    else if (last !== undefined) last.text += `\n${line.trim()}`;
  }
  const tag = /^\d/.test(lines[0] ?? "") ? "ol" : "ul";
  const shown = items.map(({ text, inner }) => {
    const below = inner.length > 0 && isItem(inner[0] ?? "") ? listOf(inner, inline) : inline(inner.join(" "));
    return `<li>${inline(text)}${below}</li>`;
  });
  return `<${tag}>${shown.join("")}</${tag}>`;
}

/** Code first, so that nothing inside it is taken for something else. */
function inlineOf(text: string, linkTo: (target: string) => string, links: string[]): string {
  const codes: string[] = [];
  const held = text.replaceAll(/(`+)(.+?)\1(?!`)/gs, (_, __, code: string) => `\uE000${codes.push(code) - 1}\uE000`);
  const linked = (target: string): string => {
    links.push(target);
    return escaped(linkTo(target));
  };
  return escaped(held)
    .replaceAll(
      /!\[([^\][]*)\]\(([^)\s]+)\)/g,
      (_, alt: string, target: string) => `<img alt="${alt}" src="${linked(unescaped(target))}">`,
    )
    .replaceAll(
      /\[([^\][]+)\]\(([^)\s]+)\)/g,
      (_, shown: string, target: string) => `<a href="${linked(unescaped(target))}">${shown}</a>`,
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/(?<![\w*])\*([^*\n]+)\*(?![\w*])/g, "<em>$1</em>")
    .replaceAll(/\uE000(\d+)\uE000/g, (_, index: string) => `<code>${escaped(codes[Number(index)] ?? "")}</code>`);
}

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replaceAll(/\s+/g, "-") || "section";

function unused(slug: string, headings: Rendered["headings"]): string {
  const taken = new Set(headings.map(({ id }) => id));
  let id = slug;
  for (let count = 1; taken.has(id); count++) id = `${slug}-${count}`;
  return id;
}
