// The secret that the TCP surface asks for: 32 random bytes in the home's keys/, made on first use.

import { inHome } from "./paths.ts";
import { createTrusted, readTrusted, removeTrusted } from "../files/trusted-files.ts";

export function httpToken(home: string): string {
  const existing = readTrusted(home, inHome.httpToken)?.toString().trim();
  if (existing !== undefined && existing !== "") return existing;
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  if (existing === "") removeTrusted(home, inHome.httpToken); // left by a crash
  // Of two who make one at the same time, both must go on with the same.
  if (createTrusted(home, inHome.httpToken, `${token}\n`)) return token;
  return httpToken(home);
}
