// The owner's page and its two assets. They are the same for everybody and hold nothing of anybody's, so they need no token; Host and Origin were
// checked before. What the page may load and do is said by its headers, whatever text an agent gets into it.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { cloneOfSources } from "../../../ports/clone.ts";
import { builtWindow } from "./built-window.ts";

const assets = {
  "/": { file: "index.html", type: "text/html;charset=utf-8" },
  "/app.js": { file: "app.js", type: "text/javascript;charset=utf-8" },
  "/app.css": { file: "app.css", type: "text/css;charset=utf-8" },
} as const;

type Asset = (typeof assets)[keyof typeof assets];

/** Nothing but our own script, style and answers; no frame may hold the page, and no form or base leads out of it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
};

/** Undefined when this is no request for the page. The page's own views are paths below `/`, named after the `#`. */
export function answerPage({ method, url, headers }: Request): Response | undefined {
  const { pathname } = new URL(url);
  if ((method !== "GET" && method !== "HEAD") || !Object.hasOwn(assets, pathname)) return undefined;
  const asset = assets[pathname as keyof typeof assets];
  const text = textOf(asset);
  if (text === undefined)
    return new Response(notBuilt, {
      status: 503,
      headers: { ...pageHeaders, "content-type": "text/html;charset=utf-8" },
    });
  const own = { ...pageHeaders, "content-type": asset.type, vary: "accept-encoding" };
  if (!/\bgzip\b/.test(headers.get("accept-encoding") ?? "")) return new Response(text, { headers: own });
  return new Response(packed(asset, text), { headers: { ...own, "content-encoding": "gzip" } });
}

export const hasPage = (): boolean => Object.values(assets).every((asset) => textOf(asset) !== undefined);

/** From the program itself, or from the clone it stands in. */
function textOf({ file }: Asset): string | undefined {
  return builtWindow === undefined ? fromClone(file) : builtWindow[file];
}

interface Kept {
  readonly changedMs: number;
  readonly text: string;
}

const kept = new Map<string, Kept>();

/** Read anew when it was built anew. */
function fromClone(file: string): string | undefined {
  const top = cloneOfSources();
  if (top === undefined) return undefined;
  const path = join(top, "web/dist", file);
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (changedMs === undefined) return undefined;
  const before = kept.get(file);
  if (before?.changedMs === changedMs) return before.text;
  const text = readFileSync(path, "utf8");
  kept.set(file, { changedMs, text });
  return text;
}

const packings = new WeakMap<Asset, { readonly text: string; readonly bytes: Uint8Array<ArrayBuffer> }>();

function packed(asset: Asset, text: string): Uint8Array<ArrayBuffer> {
  const before = packings.get(asset);
  if (before?.text === text) return before.bytes;
  const bytes = Bun.gzipSync(text);
  packings.set(asset, { text, bytes });
  return bytes;
}

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>constel</title>
<h1>The page was not built</h1>
<p>This installation of constel has no dashboard page. In its clone, <code>scripts/install.sh</code> builds it; then load this page again.</p>
<p>Everything it shows is also a command: <code>constel watch</code>, <code>constel status</code>.</p>
`;
