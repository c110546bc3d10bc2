// The address of a request, once a language has put its parts together: which path is asked for, and whose.

export interface Address {
  /** From the first slash on, with `{}` where a value is put in. */
  readonly path: string;
  /** Hosts, and names of settings that hold an address. */
  readonly hints: readonly string[];
}

const longest = 500;

/** `text`: parts that are known, and between marks the names of those that are not. */
export function addressOf(text: string): Address | undefined {
  const hints = [...text.matchAll(/\uE000([^\uE000]*)\uE000/g)].flatMap(([, name = ""]) =>
    name === "?" ? [] : [name],
  );
  let rest = text;
  const host = /^(?:https?:|wss?:)?\/\/([^/\uE000]*)/.exec(rest);
  if (host !== null) {
    if (host[1] !== undefined && host[1] !== "") hints.push(host[1]);
    rest = rest.slice(host[0].length);
  }
  // A value at the very beginning is the place, not a part of the path.
  rest = rest.replace(/^(\uE000[^\uE000]*\uE000)+(?=\/)/, "");
  const path = rest
    .replaceAll(/\uE000[^\uE000]*\uE000/g, "{}")
    .replace(/[?#].*$/s, "")
    .replaceAll(/\/{2,}/g, "/");
  if (!path.startsWith("/") || path.length > longest || /\s/.test(path)) return undefined;
  return { path: path.replace(/(?<=.)\/$/, ""), hints };
}

/** A name in capitals, or one that speaks of an address, may say whose it is; `id` says nothing. */
export const isTelling = (name: string): boolean =>
  /^[A-Z][A-Z0-9_]{2,}$/.test(name) || /(url|uri|host|base|origin|endpoint|server)/i.test(name);
