// A short, stable hash of what a terminal shows: two processes, or two versions, can compare what they saw.

export function screenHash(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex").slice(0, 32);
}
