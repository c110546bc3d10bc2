// Typed, prefixed, time-ordered ids: `evt_01J…`. 48 bits of milliseconds and 80 random bits, in Crockford's base 32,
// so that ids made later sort later and two machines never meet.

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export type Id<Prefix extends string> = `${Prefix}_${string}`;

export function makeId<Prefix extends string>(prefix: Prefix, nowMs: number, random: Uint8Array): Id<Prefix> {
  if (random.length < 10) throw new Error("makeId needs 10 random bytes");
  if (nowMs !== lastMs || prefix !== lastPrefix) beginWith(prefix, nowMs);
  const end = digitsOf(random, 5, digitsOf(random, 0, begun));
  return id.toString("latin1", 0, end) as Id<Prefix>;
}

// An id is written digit by digit into one place and read from there as a whole. Text that is put together from pieces takes three
// times as long, most of it when somebody first needs it in one piece.
const digits = Buffer.from(alphabet);
let id = Buffer.alloc(64);

/** The prefix and the time that stand there already: a batch of rows shares them. */
let lastPrefix = "";
let lastMs = -1;
let begun = 0;

function beginWith(prefix: string, nowMs: number): void {
  const length = prefix.length + 1;
  if (id.length < length + 26) id = Buffer.alloc(length + 26);
  id.write(`${prefix}_`, 0, "latin1");
  let rest = Math.max(0, Math.floor(nowMs));
  for (let place = length + 9; place >= length; place--) {
    id[place] = digits[rest % 32] ?? 0;
    rest = Math.floor(rest / 32);
  }
  lastPrefix = prefix;
  lastMs = nowMs;
  begun = length + 10;
}

/** Five bytes are eight digits of five bits; in two halves of 20 bits they fit plain numbers. Answers where they end. */
function digitsOf(random: Uint8Array, from: number, at: number): number {
  const middle = random[from + 2] ?? 0;
  fourDigits(((random[from] ?? 0) << 12) | ((random[from + 1] ?? 0) << 4) | (middle >> 4), at);
  fourDigits(((middle & 15) << 16) | ((random[from + 3] ?? 0) << 8) | (random[from + 4] ?? 0), at + 4);
  return at + 8;
}

function fourDigits(bits: number, at: number): void {
  id[at] = digits[bits >> 15] ?? 0;
  id[at + 1] = digits[(bits >> 10) & 31] ?? 0;
  id[at + 2] = digits[(bits >> 5) & 31] ?? 0;
  id[at + 3] = digits[bits & 31] ?? 0;
}
