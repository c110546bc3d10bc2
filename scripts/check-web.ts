// Checks the types of the window, its components included:  check-web.ts
// svelte-check knows the compiler's interface of TypeScript 6 alone, and asks for it under the plain name. So a copy of it runs where that
// name leads to the second compiler.

import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const top = join(import.meta.dir, "..");
const place = join(top, "node_modules/.cache/svelte-check");

rmSync(place, { recursive: true, force: true });
mkdirSync(join(place, "node_modules"), { recursive: true });
for (const part of ["bin", "dist", "package.json"])
  cpSync(join(top, "node_modules/svelte-check", part), join(place, part), { recursive: true });
symlinkSync(join(top, "node_modules/typescript6"), join(place, "node_modules/typescript"));

const asked = ["--workspace", join(top, "web"), "--tsconfig", join(top, "web/tsconfig.json"), "--fail-on-warnings"];
const checker = Bun.spawn([process.execPath, join(place, "bin/svelte-check"), ...asked, "--output", "human"], {
  cwd: join(top, "web"),
  stdio: ["ignore", "inherit", "inherit"],
});
process.exitCode = await checker.exited;
