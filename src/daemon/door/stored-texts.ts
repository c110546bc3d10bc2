// Texts that are kept pass here: secrets that can be told by their look, and those that the scanner knows.

import { maskKeys } from "../../floor/mask-argv.ts";
import { scanForAll } from "../../host/secrets/shapes.ts";
import { withoutSecrets } from "../../ports/secrets.ts";
import type { StoredTexts } from "../../ports/stored-text.ts";

/** Nothing shorter is a secret that the scanner knows. */
const shortestKey = 8;

export const storedTexts: StoredTexts = {
  async hideSecrets(text) {
    const masked = maskKeys(text);
    return masked.length < shortestKey ? masked : withoutSecrets(masked, await scanForAll(masked));
  },
};
