// Secrets that are known by their own shape, exactly enough to refuse a text for: what merely looks random is no reason to keep an agent
// from speaking. Cheap; find-secrets.ts knows many more and is asked where a text has something like a key in it at all.

import type { FindSecrets, FoundSecret } from "../../ports/secrets.ts";
import { namedValuesIn } from "./named-values.ts";

const shapes: readonly (readonly [kind: string, shape: RegExp])[] = [
  [
    "a private key",
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\bPuTTY-User-Key-File-[23]:|\bPrivate-Lines: \d/g,
  ],
  ["a password in an address", /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:[^\s/@]{3,200}@[\w.-]/gi],
  [
    "an authorization header",
    /\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token|digest|apikey)\s+[A-Za-z0-9._~+/=-]{12,}/gi,
  ],
  [
    "a key in a header",
    /\b(?:x-)?(?:api-key|auth-token|private-token|vault-token|access-token|functions-key)["']?\s*:\s*["']?[A-Za-z0-9._~+/=-]{12,}/gi,
  ],
  [
    "a session cookie",
    /\b(?:set-)?cookie["']?\s*:\s*["']?[\w.-]{0,60}(?:sess|sid|auth|token)[\w.-]{0,60}=[A-Za-z0-9._~+/%=-]{16,}/gi,
  ],
  ["a user and password for curl", /\bcurl\b[^\n]{0,500}?\s(?:-u|--user)[ =]?["']?[^\s:"'$<]{1,60}:[^\s"'$<]{6,}/g],
  ["a password of .netrc", /\bmachine\s+\S+\s+login\s+\S+\s+password\s+\S{4,}/g],
  ["an API key (sk-…)", /\bsk-(?:[a-z]+\d*-)*[A-Za-z0-9_-]{20,}/g],
  ["a GitHub token", /\b(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g],
  [
    "a GitLab token",
    /\b(?:gl(?:pat|dt|rt|ft|ptt|cbt|soat|imt|agent|oas|ffct)-[A-Za-z0-9_.-]{20,}|GR1348941[A-Za-z0-9_-]{20})/g,
  ],
  ["an npm token", /\bnpm_[A-Za-z0-9]{30,}/g],
  [
    "a package registry's token",
    /\b(?:pypi-AgEI[\w-]{50,}|rubygems_[0-9a-f]{48}|CLOJARS_[0-9a-z]{60}|cio[A-Za-z0-9]{32}|dckr_(?:pat|oat)_[\w-]{24,}|oy2[a-z0-9]{43})\b/g,
  ],
  ["a Hugging Face token", /\b(?:hf_|api_org_)[A-Za-z0-9]{30,}/g],
  [
    "a key for a model's service",
    /\b(?:gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{30,}|pplx-[A-Za-z0-9]{40,}|csk-[a-z0-9]{40,}|lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}|nvapi-[\w-]{40,}|fw_[A-Za-z0-9]{24,}|tgp_v1_[\w-]{40,})/g,
  ],
  ["a Stripe key", /\b(?:(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})/g],
  [
    "a payment service's key",
    /\b(?:sq0(?:atp|csp)-[\w-]{22,}|EAAA[\w-]{60,}|access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}|(?:EZAK|EZTK)[A-Za-z0-9]{54}|FLWSECK(?:_TEST)?-[0-9a-f]{12,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|duffel_(?:test|live)_[\w=-]{43})/g,
  ],
  ["an AWS access key", /\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[0-9A-Z]{16}\b/g],
  ["an AWS session token", /\b(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{100,}/g],
  ["a Slack token", /\bx(?:ox[abceoprs]|app)-[A-Za-z0-9.-]{12,}/g],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}/g],
  ["a Google OAuth token", /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{28}|1\/\/0[\w-]{30,}|4\/0A[\w-]{40,})/g],
  [
    "an Azure key",
    /\b(?:AccountKey|SharedAccessKey|SharedSecret(?:Value|Key)?|PrimaryKey|SecondaryKey)\s*=\s*[A-Za-z0-9+/]{30,}={0,2}/gi,
  ],
  ["an Azure client secret", /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g],
  ["an Azure DevOps token", /\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/g],
  ["a signed address", /[?&](?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=[A-Za-z0-9%+/=_-]{30,}/g],
  [
    "a password in a connection string",
    /\b(?:server|data source|host|user id|uid|database|initial catalog|endpoint)\s*=[^;\n]{1,200};(?:[^;\n]{1,200};){0,12}\s*(?:password|pwd)\s*=\s*[^;\s$<{]{4,}/gi,
  ],
  ["a JSON web token", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
  ["an age key", /\bAGE-SECRET-KEY-1[A-Z0-9]{50,}/g],
  [
    "a cloud provider's token",
    /\b(?:do[opr]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}(?:-\d)?|hvs\.[\w-]{24,}|hv[br]\.[\w-]{24,}|s\.[A-Za-z0-9]{24}\b|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}|fo1_[\w-]{43}|fm[12][ar]?_[A-Za-z0-9+/]{100,}|pul-[0-9a-f]{40}|LTAI[A-Za-z0-9]{16,24}|v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}|tskey-[a-z]+-[\w-]{20,}|sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}|vercel_[\w]{24,}|nfp_[\w]{36,}|rnd_[A-Za-z0-9]{28,}|HRKU-[\w-]{30,}|pscale_(?:tkn|pw|oauth)_[\w=.-]{32,})/g,
  ],
  [
    "a tool's token",
    /\b(?:ATATT3[\w=-]{50,}|ATCTT3[\w=-]{50,}|ATBB[A-Za-z0-9]{32}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}|figd_[\w-]{36,}|ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}\b|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|sntr[yu]s?_[\w=+/-]{40,}|glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}|NRAK-[A-Z0-9]{27}|phx_[A-Za-z0-9]{40,}|phc_[A-Za-z0-9]{40,}|sgp_(?:[0-9a-f]{16}_)?[0-9a-f]{40}|sonar_[0-9a-f]{40}|sq[pua]_[0-9a-f]{40}|ops_eyJ[A-Za-z0-9+/=]{100,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{25,}|AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{59}|bkua_[0-9a-f]{40}|CCIPAT_[\w]{20,}|tfp_[\w]{40,}|pat-(?:na|eu)\d-[0-9a-f-]{36})/g,
  ],
  [
    "a mail service's key",
    /\b(?:SG\.[\w-]{20,24}\.[\w-]{39,50}|key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}|pub-[0-9a-f]{32}-[0-9a-f-]{10,})\b/g,
  ],
  ["a Twilio key", /\bSK[0-9a-f]{32}\b/g],
  ["a Discord token", /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}\b/g],
  ["a Facebook token", /\bEAA[A-Za-z0-9]{90,}/g],
  ["a token of constel's", /\bconstel_[A-Za-z0-9_-]{43}/g],
  ["a Telegram bot's token", /\b\d{8,12}:[A-Za-z0-9_-]{35}\b/g],
  [
    "a webhook address",
    /https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/\S{20,}|(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{40,}|[\w-]+\.webhook\.office\.com\/\S{40,}|maker\.ifttt\.com\/use\/\S{20,})/g,
  ],
  ["a seed phrase", /\b(?:seed|recovery|mnemonic)(?: phrase)?\s*[:=]\s*["']?(?:[a-z]{3,8} ){11,23}[a-z]{3,8}\b/gi],
];

/** Each of them has so long a word in it, or a name that says so; most of what agents say has neither, and need not be searched forty times. */
const longWord = /\S{10}|pass|pwd|secret|token|kennwort|senha|seed|mnemonic/i;

export function shapesIn(text: string): FoundSecret[] {
  if (!longWord.test(text)) return [];
  const shaped = shapes.flatMap(([kind, shape]) =>
    [...text.matchAll(shape)].map(({ index, 0: found }) => ({ start: index, end: index + found.length, kind })),
  );
  return [...shaped, ...namedValuesIn(text)].sort((a, b) => a.start - b.start);
}

/** A word that a key could be: long, with letters and digits. One look at each word: a megabyte without a blank is one too. */
const hasKeyLike = (text: string): boolean =>
  (text.match(/\S{16,}/g) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));

/** The shapes at once, and the large library only where it could find something. */
export const scanText: FindSecrets = (text) => {
  const own = shapesIn(text);
  return own.length > 0 || !hasKeyLike(text) ? own : scanWhole(text);
};

/** All that both know, for texts in which every one of them is to be hidden. */
export const scanForAll: FindSecrets = async (text) => {
  const own = shapesIn(text);
  const all = hasKeyLike(text) ? [...own, ...(await scanWhole(text))] : own;
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
};

async function scanWhole(text: string): Promise<readonly FoundSecret[]> {
  const { findSecrets } = await import("./find-secrets.ts");
  return findSecrets(text);
}
