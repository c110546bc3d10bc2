// The ways to the owner's key that a command has: the terminal for a passphrase, the ssh-agent, the keychain.

import { systemKeychain, type Keychain } from "../../host/keys/keychain.ts";
import type { OwnerWays } from "../../host/keys/owner-signer.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { askPassphrase } from "./input/ask-passphrase.ts";
import type { CliContext } from "./context.ts";

export const ownerWays = (context: CliContext): OwnerWays => ({
  passphrase: () => askPassphrase(context, "Passphrase: "),
  sshSocket: context.env.SSH_AUTH_SOCK,
  keychain: () => keychainOf(context),
});

export const keychainOf = ({ env }: CliContext): Keychain => systemKeychain(systemProcesses, childEnvironment(env));
