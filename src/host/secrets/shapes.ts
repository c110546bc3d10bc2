// Secrets that are known by their own shape, exactly enough to refuse a text for: what merely looks random is no reason to keep an agent
// from speaking. Cheap; find-secrets.ts knows many more and is asked where a text has something like a key in it at all.

import type { FindSecrets, FoundSecret } from "../../ports/secrets.ts";

const shapes: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----/g],
  ["a password in an address", /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,200}@[\w.-]/gi],
  ["an authorization header", /\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{12,}/gi],
  ["an API key (sk-…)", /\bsk-(?:[a-z]+-)*[A-Za-z0-9_]{20,}/g],
  ["a GitHub token", /\b(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g],
  ["a GitLab token", /\bglpat-[A-Za-z0-9_-]{20,}/g],
  ["an npm token", /\bnpm_[A-Za-z0-9]{30,}/g],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/g],
  ["a Stripe key", /\b(?:sk|rk)_live_[A-Za-z0-9]{16,}/g],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ["a Slack token", /\bxox[abprs]-[A-Za-z0-9-]{12,}/g],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}/g],
  ["a JSON web token", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
  ["an age key", /\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/g],
  ["a token of constel's", /\bconstel_[A-Za-z0-9_-]{43}/g],
  ["a Telegram bot's token", /\b\d{8,12}:[A-Za-z0-9_-]{35}\b/g],
  ["a webhook address", /https:\/\/hooks\.slack\.com\/services\/\S{20,}/g],
];

/** Each of them has so long a word in it; most of what agents say has none, and need not be searched seventeen times. */
const longWord = /\S{10}/;

export function shapesIn(text: string): FoundSecret[] {
  if (!longWord.test(text)) return [];
  return shapes
    .flatMap(([kind, shape]) =>
      [...text.matchAll(shape)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, kind })),
    )
    .sort((a, b) => a.start - b.start);
}

/** A word that a key could be: long, with letters and digits. One look at each word: a megabyte without a blank is one too. */
const hasKeyLike = (text: string): boolean =>
  (text.match(/\S{16,}/g) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));

/** The shapes at once, and the large library only where it could find something. */
export const scanText: FindSecrets = (text) => {
  const own = shapesIn(text);
  return own.length > 0 || !hasKeyLike(text) ? own : scanWhole(text);
};

async function scanWhole(text: string): Promise<readonly FoundSecret[]> {
  const { findSecrets } = await import("./find-secrets.ts");
  return findSecrets(text);
}
