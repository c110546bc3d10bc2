// Reads from the settings how a secret is met on each surface.

import type { SecretMode, SecretModeOf } from "../protocol/secret-surfaces.ts";
import type { Config } from "./declarations.ts";

export function secretModeIn(config: Config): SecretModeOf {
  return (surface) => (config[`secrets.${surface}`] || config["secrets.mode"]) as SecretMode;
}
