// How a browser gets its token. The owner's command is given a code, which stands in the fragment of a link; the page trades it, once and within
// two minutes, for a token of its own. Codes live in this process alone: a daemon that begins anew knows none. There is no cookie: cookies
// ignore ports, and any server that an agent starts on this machine would be sent it.

import { createSession } from "../../../core/tokens/tokens.ts";
import type { Context } from "../../../core/context.ts";
import type { Clock, Random } from "../../../ports/machine.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { codeInFragment, type SessionGiven, type WindowRole } from "../../../protocol/window.ts";

const codeMs = 120_000;
/** A working day and the evening after it. */
const sessionMs = 24 * 3_600_000;
/** Who asks for more links than this without using one has the oldest forgotten. */
const mostCodes = 20;

interface OpenCode {
  readonly role: WindowRole;
  readonly untilMs: number;
}

export class WindowSessions {
  readonly #clock: Clock;
  readonly #random: Random;
  /** By the hash of the code, so that how long a look takes tells nothing of it. */
  readonly #codes = new Map<string, OpenCode>();

  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** A code, and the end of the link that carries it. */
  makeCode(role: WindowRole): { fragment: string; expires_ms: number } {
    const code = Buffer.from(this.#random.bytes(24)).toString("base64url");
    const untilMs = this.#clock.nowMs() + codeMs;
    this.#codes.set(hashOf(code), { role, untilMs });
    for (const [hash] of [...this.#codes].slice(0, -mostCodes)) this.#codes.delete(hash);
    return { fragment: `${codeInFragment}=${code}`, expires_ms: untilMs };
  }

  /** The code is used up whatever becomes of it. */
  async open(context: Context, code: string): Promise<SessionGiven> {
    const hash = hashOf(code);
    const found = this.#codes.get(hash);
    this.#codes.delete(hash);
    const nowMs = this.#clock.nowMs();
    if (found === undefined || found.untilMs <= nowMs)
      throw new Refusal("http.no-code", "the link was used already, is over two minutes old, or was never made");
    const { role } = found;
    const wish = { name: sessionName(nowMs), role, scope: [], expires_ms: nowMs + sessionMs };
    const { token } = await createSession(context, wish);
    return { token, role, constellation: context.constellation, expires_ms: wish.expires_ms };
  }
}

/** `browser 2026-11-19 13.02`: a name as an observer's may be. */
const sessionName = (nowMs: number): string =>
  `browser ${new Date(nowMs).toISOString().slice(0, 16).replace("T", " ").replace(":", ".")}`;

const hashOf = (code: string): string => Bun.CryptoHasher.hash("sha256", code, "hex");
