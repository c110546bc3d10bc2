// Peers over ssh: the wire is stdin and stdout of `ssh HOST constel mesh serve --stdio`. Whoever may ssh there needs no open port and no code,
// and nothing of ours listens on a network at either end. ssh's own settings hold: keys, known hosts, jumps.

import { spawn } from "node:child_process";
import { type MeshStep, MeshTrouble, type Transport, type Wire } from "../../../ports/mesh.ts";
import { wireOfStreams } from "../stream-wire.ts";

const mostErrorBytes = 4_096;

export interface SshParts {
  /** ssh and its own options, as the owner set them. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function sshTransport({ command, env }: SshParts): Transport {
  return {
    kind: "ssh",
    async dial(at, signal) {
      const { host, program } = placeIn(at);
      const [file = "ssh", ...own] = command;
      const child = spawn(file, [...own, ...sshOptions, "--", host, `${program} mesh serve --stdio`], {
        env: { ...env },
        stdio: ["pipe", "pipe", "pipe"],
      });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString("utf8")).slice(-mostErrorBytes);
      });
      const end = (): void => {
        child.stdin.destroy();
        child.stdout.destroy();
        if (child.exitCode === null) child.kill("SIGTERM");
      };
      const started = Promise.withResolvers<void>();
      child.once("spawn", started.resolve);
      child.once("error", (cause) => started.reject(new MeshTrouble("program", at, `${file}: ${cause.message}`)));
      const over = new Promise<MeshTrouble>((resolve) => {
        child.once("close", (code) => resolve(troubleOf(at, code, said)));
      });
      await started.promise;
      const wire = wireOfStreams({ from: child.stdout, to: child.stdin, close: end }, { transport: "ssh", at });
      signal.addEventListener("abort", end, { once: true });
      return { ...wire, bytes: greeted(wire, over) };
    },
  };
}

/** Nothing is asked: there is nobody to answer. Nothing is forwarded: the other machine gets a stream and no more. */
const sshOptions = ["-T", "-o", "BatchMode=yes", "-o", "ForwardAgent=no", "-o", "ClearAllForwardings=yes"] as const;

/** The program answers by itself before anything of the other constellation's: what a login shell prints stands before it and is skipped. */
export const stdioGreeting = "constel-mesh-stdio\n";
const mostBeforeGreeting = 65_536;

async function* greeted(wire: Wire, over: Promise<MeshTrouble>): AsyncGenerator<Uint8Array> {
  let before = Buffer.alloc(0);
  let isGreeted = false;
  for await (const chunk of wire.bytes) {
    if (isGreeted) {
      yield chunk;
      continue;
    }
    before = Buffer.concat([before, chunk]);
    const found = before.indexOf(stdioGreeting);
    if (found < 0) {
      if (before.length > mostBeforeGreeting) break;
      continue;
    }
    isGreeted = true;
    const rest = before.subarray(found + stdioGreeting.length);
    if (rest.length > 0) yield rest;
  }
  if (isGreeted) return;
  wire.close();
  throw await over;
}

const steps: readonly (readonly [RegExp, MeshStep, string])[] = [
  [/Could not resolve hostname/i, "name", "ssh cannot resolve this name"],
  [/No route to host|Network is unreachable|timed out/i, "route", "ssh finds no way to this machine"],
  [/Connection refused/i, "port", "no ssh server answers there"],
  [/Host key verification failed|REMOTE HOST IDENTIFICATION/i, "key", "ssh does not know this machine's host key"],
  [/Permission denied/i, "key", "ssh is not let in: no key that the daemon can use without asking"],
  [/command not found|No such file|not found/i, "program", "constel is not found there: name its path after the host"],
];

function troubleOf(at: string, code: number | null, said: string): MeshTrouble {
  for (const [words, step, why] of steps) if (words.test(said)) return new MeshTrouble(step, at, why);
  const last = said.trim().split("\n").at(-1) ?? "";
  const words = last.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 200);
  return new MeshTrouble("wire", at, words === "" ? `ssh ended with ${code}` : words);
}

/** `HOST` or `HOST PROGRAM`. The host is an argument of ssh and never an option; the program is words of a shell there. */
export function placeIn(at: string): { readonly host: string; readonly program: string } {
  const [, host, program = "constel"] =
    /^([A-Za-z0-9_][A-Za-z0-9._:@[\]-]*)(?: ([A-Za-z0-9_~/][A-Za-z0-9._~/-]*))?$/.exec(at) ?? [];
  if (host === undefined) throw new MeshTrouble("name", at, "it is no host for ssh");
  return { host, program };
}
