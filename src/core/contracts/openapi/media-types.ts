// Matches the media types of one version with those of the other: names in any case, and ranges such as `text/*`.

/** Case and spaces do not matter, and JSON is UTF-8 whether it says so or not. */
function normal(type: string): string {
  return type
    .toLowerCase()
    .replaceAll(/\s+/g, "")
    .replace(/;charset="?utf-?8"?/, "");
}

export function covers(range: string, type: string): boolean {
  const [wide, narrow] = [normal(range), normal(type)];
  if (wide === narrow || wide === "*/*" || wide === "*") return true;
  return wide.endsWith("/*") && narrow.startsWith(wide.slice(0, -1));
}

/** The key that applies to a media type: the same, or the narrowest range around it. */
export function mostSpecific(type: string, keys: readonly string[]): string | undefined {
  const same = keys.find((key) => normal(key) === normal(type));
  return same ?? keys.filter((key) => covers(key, type)).sort((one, other) => other.length - one.length)[0];
}

export function isXml(type: string): boolean {
  return /[/+]xml\b/i.test(type);
}
