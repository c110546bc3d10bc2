// One HTTP request to an address that was looked up before, so that a name that changes in between leads nowhere else. No redirect is
// followed, and the answer is bounded in time and in bytes.

import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP } from "node:net";

export type LookUp = (host: string) => Promise<readonly string[]>;

export const lookUp: LookUp = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** All addresses that a URL's host has; one that is written as an address has itself. */
export async function addressesOf({ hostname }: URL, look: LookUp): Promise<readonly string[]> {
  const host = unbracketed(hostname);
  return isIP(host) === 0 ? await look(host) : [host];
}

export interface Exchange {
  readonly url: URL;
  /** The looked-up address that is connected to. */
  readonly address: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
  /** Of the answer. 0: nothing of it is read. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Exchanged {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export function exchange(wish: Exchange): Promise<Exchanged> {
  const { url, address, method, headers, body, deadlineMs, mostBytes, signal } = wish;
  const isSecure = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const host = unbracketed(url.hostname);
  const late = AbortSignal.timeout(deadlineMs);
  const request = (isSecure ? overHttps : overHttp)(
    {
      host: address,
      port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
        host: url.host,
      },
      agent: false,
      timeout: deadlineMs,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    },
    (response) => {
      const status = response.statusCode ?? 0;
      const type = (response.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
      readText(response, mostBytes).then((text) => resolve({ status, type, text }), reject);
    },
  );
  request.on("error", reject);
  request.end(body);
  return promise;
}

async function readText(response: IncomingMessage, mostBytes: number): Promise<string> {
  if (mostBytes === 0) {
    response.destroy();
    return "";
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) {
      response.destroy();
      throw new Error(`its answer has more than ${mostBytes} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
