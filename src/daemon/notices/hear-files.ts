// The notices' part of what agents are to hear next (floor/hear/hear-files.ts), written only when it differs, and the marks beside
// it, `state/hear/<agent>.told/<item>`.

import { agentOfFile, isAgentId } from "../../protocol/agent-id.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { createTrusted, listTrusted, removeTrusted } from "../../files/trusted-files.ts";
import { writeHear } from "../../floor/hear/hear-files.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import type { SealedHome } from "../../ports/keys.ts";
import type { HearDesk } from "../../ports/hear-desk.ts";
import type { Hear } from "../../protocol/hear.ts";
import { inHome } from "../../settings/paths.ts";

const plainName = /^[A-Za-z0-9_-]{1,100}$/;

export class HearFiles implements HearDesk {
  readonly #home: string;
  readonly #sealed: SealedHome;
  /** What lies there, by agent; read once from the disk, where another daemon may have left it. */
  #lies: Map<string, string> | undefined;

  constructor(home: string) {
    this.#home = home;
    this.#sealed = sealedHome(home);
  }

  marks(agent: string): ReadonlyMap<string, number> {
    const marks = new Map<string, number>();
    const place = this.#marksOf(agent);
    const names = listTrusted(this.#home, place);
    if (names.length === 0) return marks;
    using directory = TrustedDirectory.open(this.#home, place);
    for (const name of names) {
      const stat = plainName.test(name) ? directory.stat(name) : undefined;
      if (stat !== undefined) marks.set(name, stat.mtimeMs);
    }
    return marks;
  }

  marked(): ReadonlySet<string> {
    const names = listTrusted(this.#home, inHome.hear);
    return new Set(names.flatMap((name) => agentOfFile(name, ".told") ?? []));
  }

  claim(agent: string, item: string): boolean {
    return createTrusted(this.#home, `${this.#marksOf(agent)}/${item}`, "daemon");
  }

  forget(agent: string, item: string): void {
    removeTrusted(this.#home, `${this.#marksOf(agent)}/${item}`);
  }

  lay(agent: string, hear: Hear | undefined): void {
    const lies = (this.#lies ??= this.#read());
    // Under another key, what lies there is nobody's.
    const text = hear === undefined ? undefined : this.#sealed.seal(JSON.stringify(hear));
    if (lies.get(agent) === text) return;
    writeHear(this.#sealed, agent, "notices", hear?.items ?? [], hear?.join ?? null);
    if (text === undefined) lies.delete(agent);
    else lies.set(agent, text);
  }

  laid(): readonly string[] {
    return [...(this.#lies ??= this.#read()).keys()];
  }

  /** What another daemon left may differ from what is laid next in form alone: then it is written once more. */
  #read(): Map<string, string> {
    const names = listTrusted(this.#home, inHome.hear);
    return new Map(names.filter(isAgentId).map((agent) => [agent, ""]));
  }

  #marksOf(agent: string): string {
    return `${inHome.hear}/${agent}.told`;
  }
}
