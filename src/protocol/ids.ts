// Typed, prefixed, time-ordered ids: `evt_01J…`. 48 bits of milliseconds and 80 random bits, in Crockford's base 32,
// so that ids made later sort later and two machines never meet.

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export type Id<Prefix extends string> = `${Prefix}_${string}`;

export function makeId<Prefix extends string>(prefix: Prefix, nowMs: number, random: Uint8Array): Id<Prefix> {
  if (random.length < 10) throw new Error("makeId needs 10 random bytes");
  let time = "";
  let rest = Math.max(0, Math.floor(nowMs));
  for (let digit = 0; digit < 10; digit++) {
    time = alphabet.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  // Five bytes are eight digits of five bits; in two halves of 20 bits they fit plain numbers (BigInt took ten times as long).
  let noise = "";
  for (let at = 0; at < 10; at += 5) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = random.subarray(at, at + 5);
    noise += fourDigits((a << 12) | (b << 4) | (c >> 4)) + fourDigits(((c & 15) << 16) | (d << 8) | e);
  }
  return `${prefix}_${time}${noise}`;
}

function fourDigits(bits: number): string {
  return (
    alphabet.charAt((bits >> 15) & 31) +
    alphabet.charAt((bits >> 10) & 31) +
    alphabet.charAt((bits >> 5) & 31) +
    alphabet.charAt(bits & 31)
  );
}
