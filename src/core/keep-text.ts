// A text of somebody's, made fit to be kept and to be shown to models later: what poses as context written by a machine is
// refused, secrets are taken out, and what a database cannot hold is dropped.

import { Refusal } from "../protocol/errors.ts";
import { findWrapperToken } from "../protocol/wrapper-tokens.ts";
import type { StoredTexts } from "../ports/stored-text.ts";
import type { Context } from "./context.ts";

export interface TextContext extends Context {
  readonly texts: StoredTexts;
}

/** Keeps every text of one input, and knows whether anything was taken out of them. */
export class TextKeeper {
  masked = false;
  readonly #texts: StoredTexts;

  constructor({ texts }: Pick<TextContext, "texts">) {
    this.#texts = texts;
  }

  async keep(text: string): Promise<string> {
    const token = findWrapperToken(text);
    if (token !== undefined) {
      throw new Refusal(
        "bus.wrapper-token",
        `the text contains the tag of machine-written context \`${token}\``,
        { token },
        "Describe the tag in words, and send it again.",
      );
    }
    const whole = text.replaceAll("\0", "").toWellFormed();
    const kept = await this.#texts.hideSecrets(whole);
    if (kept !== whole) this.masked = true;
    return kept;
  }

  async keepAll(texts: readonly string[]): Promise<string[]> {
    return await Promise.all(texts.map((text) => this.keep(text)));
  }
}
