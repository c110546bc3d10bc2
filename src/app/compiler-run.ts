// The compiler's helper in the single-file program; from a clone the helper is started as a file of its own. What it lays down for the system to start stands in a
// private temporary directory; the helper of a later run removes what a killed one left.

import { TrustedDirectory } from "../files/trusted-directory.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import { serveBuiltCompiler } from "../languages/all.ts";
import type { LaidDown, LayDown } from "../languages/language.ts";

const layDown: LayDown = (files) => {
  const laid = Promise.withResolvers<LaidDown>();
  const removed = Promise.withResolvers<void>();
  withTemporaryDirectory("compiler", async (directory) => {
    using place = TrustedDirectory.open(directory);
    for (const { name, content, runs } of files)
      place.writeNew(name, content, { mode: runs ? 0o700 : 0o600, sync: false });
    laid.resolve({ directory, remove: removed.resolve });
    await removed.promise;
  }).catch(laid.reject);
  return laid.promise;
};

await serveBuiltCompiler(layDown);
