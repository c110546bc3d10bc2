// The keychain of the operating system, where the owner's private key may be kept: the Secret Service of a Linux desktop through `secret-tool`,
// the keychain of macOS through `security`. Both ask their user where they are locked. The key is never an argument of a command,
// which other processes could read.

import type { Processes } from "../../ports/machine.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";

export interface Keychain {
  store(account: string, secret: string): Promise<void>;
  /** Refused where there is none. */
  read(account: string): Promise<string>;
}

const service = "constel owner";
/** Somebody may have to type a password. */
const deadlineMs = 120_000;

interface Way {
  readonly program: string;
  store(account: string, secret: string): { readonly argv: readonly string[]; readonly stdin: string };
  read(account: string): readonly string[];
}

const secretTool: Way = {
  program: "secret-tool",
  store: (account, secret) => ({
    argv: ["store", "--label", `constel: the owner's key ${account}`, "service", service, "account", account],
    stdin: secret,
  }),
  read: (account) => ["lookup", "service", service, "account", account],
};

/** `security -i` reads its commands from standard input, so that the secret is no argument. */
const security: Way = {
  program: "security",
  store: (account, secret) => ({
    argv: ["-i"],
    stdin: `add-generic-password -U -a ${account} -s "${service}" -w ${secret}\n`,
  }),
  read: (account) => ["find-generic-password", "-a", account, "-s", service, "-w"],
};

export function systemKeychain(
  processes: Processes,
  env: Readonly<Record<string, string>>,
  platform: string = process.platform,
): Keychain {
  const way = platform === "darwin" ? security : secretTool;
  const run = async (argv: readonly string[], stdin?: string): Promise<string> => {
    if (Bun.which(way.program, { PATH: env["PATH"] ?? "" }) === null)
      throw noKeychain(`\`${way.program}\` is not on the PATH`);
    try {
      const outcome = await processes.run([way.program, ...argv], {
        env,
        deadlineMs,
        ...(stdin === undefined ? {} : { stdin }),
      });
      if (outcome.code === 0) return new TextDecoder().decode(outcome.stdout).trim();
      throw noKeychain(`\`${way.program}\` ended with ${outcome.code}: ${outcome.stderr.trim().slice(0, 200)}`);
    } catch (cause) {
      throw cause instanceof Refusal ? cause : noKeychain(messageOf(cause));
    }
  };
  return {
    async store(account, secret) {
      const { argv, stdin } = way.store(account, secret);
      await run(argv, stdin);
      // What cannot be read back is not kept.
      if ((await run(way.read(account))) !== secret) throw noKeychain("what was put into it does not come back");
    },
    async read(account) {
      const secret = await run(way.read(account));
      if (secret === "") throw noKeychain(`it has no key called ${account}`);
      return secret;
    },
  };
}

const noKeychain = (why: string): Refusal => new Refusal("keys.no-keychain", `the keychain cannot be used: ${why}`);
