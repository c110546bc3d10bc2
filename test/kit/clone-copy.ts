// A copy of this clone's sources, with its dependencies linked in, for tests that change a source or choose which of the two
// forms of the program runs: without the quick program being built, bin/constel runs the sources.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectTop } from "./home.ts";

export class CloneCopy {
  readonly top: string;

  constructor() {
    this.top = mkdtempSync(join(tmpdir(), "constel-clone-"));
    for (const name of ["src", "bin", "scripts", "package.json", "bun.lock"])
      cpSync(join(projectTop, name), join(this.top, name), { recursive: true });
    mkdirSync(join(this.top, "node_modules"));
    for (const name of readdirSync(join(projectTop, "node_modules"))) {
      if (!name.startsWith(".")) symlinkSync(join(projectTop, "node_modules", name), this.at("node_modules", name));
    }
    writeFileSync(this.at("node_modules/.constel-installed"), `bun='${process.execPath}'\n`);
  }

  at(...parts: string[]): string {
    return join(this.top, ...parts);
  }

  get program(): readonly [string] {
    return [this.at("bin/constel")];
  }

  async buildQuick(): Promise<void> {
    const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
    const child = Bun.spawn([process.execPath, ...guards, this.at("scripts/build-quick.ts")], {
      stdout: "ignore",
      stderr: "pipe",
    });
    const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (code !== 0) throw new Error(`the quick program was not built: ${said}`);
  }

  close(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
