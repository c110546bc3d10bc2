// Who looks: the token that a one-time code in the fragment was traded for. It is kept for this origin alone, never in a cookie, and
// leaves it only as the bearer of our own requests.

const place = "constel.session";

export interface Session {
  readonly token: string;
  readonly role: string;
  readonly expiresMs: number | undefined;
}

export class LogInFailed extends Error {}

export function storedSession(): Session | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(place) ?? "null") as Session | null;
    return typeof kept?.token === "string" ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keepSession(session: Session): void {
  localStorage.setItem(place, JSON.stringify(session));
}

export function endSession(): void {
  localStorage.removeItem(place);
}

/** The code works once; it leaves the address before anything else happens, so that no history holds it. */
export function takeCode(): string | undefined {
  const code = /^#code=([\w.-]{6,200})$/.exec(location.hash)?.[1];
  if (code === undefined) return undefined;
  history.replaceState(null, "", "#/now");
  dispatchEvent(new HashChangeEvent("hashchange"));
  return code;
}

export async function tradeCode(code: string): Promise<Session> {
  const response = await fetch("/api/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const body = (await response.json().catch(() => undefined)) as
    | { token?: string; role?: string; expires_ms?: number | null; error?: { message?: string; hint?: string } }
    | undefined;
  if (!response.ok || typeof body?.token !== "string")
    throw new LogInFailed(body?.error?.message ?? `the daemon answered ${response.status}`);
  return { token: body.token, role: body.role ?? "owner", expiresMs: body.expires_ms ?? undefined };
}
