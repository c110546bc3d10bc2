// Where the served door listens: `host:port`, an IPv6 address in brackets.

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
}

const form = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i;

export const isListenPlace = (text: string): boolean => {
  const [, , , port] = form.exec(text) ?? [];
  return port !== undefined && Number(port) <= 65_535;
};

export function listenPlace(text: string): ListenPlace {
  const [, six, plain = "", port] = form.exec(text) ?? [];
  return { host: six ?? plain, port: Number(port) };
}

/** Only programs of this machine reach it. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
