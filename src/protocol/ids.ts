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
  let noise = "";
  for (let half = 0; half < 2; half++) {
    let bits = 0n;
    for (let index = 0; index < 5; index++) bits = (bits << 8n) | BigInt(random[half * 5 + index] ?? 0);
    for (let digit = 35n; digit >= 0n; digit -= 5n) noise += alphabet.charAt(Number((bits >> digit) & 31n));
  }
  return `${prefix}_${time}${noise}`;
}
