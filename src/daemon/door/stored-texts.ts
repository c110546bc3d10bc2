// Texts that are kept pass here: secrets that can be told by their look, and those that the scanner knows.

import { maskKeys } from "../../floor/mask-argv.ts";
import { findSecrets } from "../../host/secrets/find-secrets.ts";
import { withoutSecrets } from "../../ports/secrets.ts";
import type { StoredTexts } from "../../ports/stored-text.ts";

/** Nothing shorter is a key that the scanner knows. */
const shortestKey = 16;

export const storedTexts: StoredTexts = {
  async hideSecrets(text) {
    const masked = maskKeys(text);
    return masked.length < shortestKey ? masked : withoutSecrets(masked, await findSecrets(masked));
  },
};
