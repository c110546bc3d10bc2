// Our pages as HTML, by the runtime's own reader of Markdown. Every text is escaped, HTML within a page too; a comment is dropped.

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
  const headings: Rendered["headings"][number][] = [];
  const links: string[] = [];
  const linked = (target: string): string => {
    links.push(target);
    return escaped(linkTo(target));
  };
  const within =
    (tag: string) =>
    (inner: string): string =>
      `<${tag}>${inner}</${tag}>`;
  const block =
    (tag: string) =>
    (inner: string): string =>
      `<${tag}>${inner.trimEnd()}</${tag}>\n`;
  const html = Bun.markdown.render(
    withoutComments(markdown),
    {
      text: escaped,
      heading(inner, { level }) {
        const text = unescaped(inner.replaceAll(/<[^<>]*>/g, ""));
        const id = unused(slugOf(text), headings);
        headings.push({ level, text, id });
        return `<h${level} id="${id}">${inner}</h${level}>\n`;
      },
      paragraph: block("p"),
      blockquote: block("blockquote"),
      // What is too wide for a phone is moved by its keys too.
      code: (inner) => `<pre tabindex="0"><code>${inner.trimEnd()}</code></pre>\n`,
      codespan: within("code"),
      list: (inner, { ordered }) => block(ordered ? "ol" : "ul")(inner),
      listItem: (inner) => within("li")(inner.trimEnd()),
      hr: () => "<hr>\n",
      table: (inner) => `<div class="wide" tabindex="0"><table>${inner}</table></div>\n`,
      thead: within("thead"),
      tbody: within("tbody"),
      tr: within("tr"),
      th: within("th"),
      td: within("td"),
      strong: within("strong"),
      emphasis: within("em"),
      link: (inner, { href }) => `<a href="${linked(href)}">${inner}</a>`,
      image: (inner, { src }) => `<img alt="${inner}" src="${linked(src)}">`,
    },
    { noHtmlBlocks: true, noHtmlSpans: true, noIndentedCodeBlocks: true },
  );
  return { html: html.trimEnd(), headings, links };
}

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&gt;", ">").replaceAll("&lt;", "<").replaceAll("&amp;", "&");

/** As forges name a heading, so that a link to a part of a page works there too. */
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
