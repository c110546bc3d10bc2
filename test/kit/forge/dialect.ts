// What the dialects of the double share: the wish they are handed, and the ways to answer it.

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

export interface DoubleWish {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** One page of a list, as all three cut it. */
export function pageOf(all: readonly unknown[], query: URLSearchParams): Response {
  const size = Number(query.get("per_page") ?? query.get("limit") ?? 30);
  const page = Number(query.get("page") ?? 1);
  return json(all.slice((page - 1) * size, page * size));
}

export const field = (body: unknown, name: string): string | undefined => {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === "string" ? value : undefined;
};
