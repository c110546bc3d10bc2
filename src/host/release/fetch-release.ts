// Gets files of a release from a directory or over HTTP, bounded in bytes and time. What they hold is verified by who asked.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";

/** A whole archive over a slow line. */
const deadlineMs = 900_000;
const mostRedirects = 5;

/** `from`: an address or a directory. Below it `latest/download/` has the newest release and `download/v1.2.3/` that one; a directory may also be one release. */
export function releaseFetcher(from: string) {
  const isAddress = /^https?:\/\//.test(from);
  return (version: string | undefined) => {
    const below = version === undefined ? "latest/download" : `download/v${version}`;
    return (name: string, mostBytes: number): Promise<Uint8Array | undefined> =>
      isAddress
        ? overHttp(`${from}/${below}/${name}`, mostBytes)
        : Promise.resolve(fromDirectory(from, below, name, mostBytes));
  };
}

function fromDirectory(from: string, below: string, name: string, mostBytes: number): Uint8Array | undefined {
  const path = [join(from, below, name), join(from, name)].find(existsSync);
  if (path === undefined) return undefined;
  if (statSync(path).size > mostBytes) throw new Outage("read", path, `it is over ${mostBytes} bytes`);
  return readFileSync(path);
}

async function overHttp(address: string, mostBytes: number): Promise<Uint8Array | undefined> {
  const { host, protocol } = new URL(address);
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    let response = await fetch(address, { redirect: "manual", signal });
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      const next = new URL(response.headers.get("location") ?? "", response.url || address);
      if (hops === mostRedirects || (protocol === "https:" && next.protocol !== "https:"))
        throw new Error("it leads on to somewhere else");
      response = await fetch(next, { redirect: "manual", signal });
    }
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await bounded(response, mostBytes);
  } catch (cause) {
    throw new Outage("fetch from", host, cause, { mayRetry: true });
  }
}

async function bounded(response: Response, mostBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > mostBytes) throw new Error(`its answer is over ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
