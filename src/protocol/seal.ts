// A sealed line: a JSON object whose last field is a code over all that stands before it. Pure text; who has the secrets is host/keys.

const tail = /,"seal":"([A-Za-z0-9_-]{43})"\}$/;

export function withSeal(json: string, seal: string): string {
  return `${json.slice(0, -1)},"seal":"${seal}"}`;
}

/** Undefined when the line carries none. */
export function splitSeal(line: string): { readonly json: string; readonly seal: string } | undefined {
  const found = tail.exec(line);
  return found === null ? undefined : { json: `${line.slice(0, found.index)}}`, seal: found[1] ?? "" };
}
