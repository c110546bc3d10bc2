// Typed, prefixed, time-ordered ids: `evt_01J…`. 48 bits of milliseconds and 80 random bits, in Crockford's base 32,
// so that ids made later sort later and two machines never meet.

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export type Id<Prefix extends string> = `${Prefix}_${string}`;

export function makeId<Prefix extends string>(prefix: Prefix, nowMs: number, random: Uint8Array): Id<Prefix> {
  if (random.length < 10) throw new Error("makeId needs 10 random bytes");
  // Five bytes are eight digits of five bits; in two halves of 20 bits they fit plain numbers (BigInt took ten times as long).
  return `${prefix}_${timeDigits(nowMs)}${eightDigits(random, 0)}${eightDigits(random, 5)}`;
}

/** The last time that was asked for: a batch of rows shares one. */
let lastMs = -1;
let lastDigits = "";

function timeDigits(nowMs: number): string {
  if (nowMs === lastMs) return lastDigits;
  let digits = "";
  let rest = Math.max(0, Math.floor(nowMs));
  for (let digit = 0; digit < 10; digit++) {
    digits = alphabet.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  lastMs = nowMs;
  lastDigits = digits;
  return digits;
}

function eightDigits(bytes: Uint8Array, at: number): string {
  const middle = bytes[at + 2] ?? 0;
  return (
    fourDigits(((bytes[at] ?? 0) << 12) | ((bytes[at + 1] ?? 0) << 4) | (middle >> 4)) +
    fourDigits(((middle & 15) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0))
  );
}

function fourDigits(bits: number): string {
  return twoDigits((bits >> 10) & 1023) + twoDigits(bits & 1023);
}

/** Pairs of digits as they were met: looking one up is several times cheaper than putting it together. */
const pairs: (string | undefined)[] = [];

function twoDigits(bits: number): string {
  return (pairs[bits] ??= alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31));
}
