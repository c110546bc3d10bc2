// Protocol buffers: proto2, proto3 and editions. Here is only how a file is recognised; parser and comparison are loaded
// when two versions are compared.

import type { ContractFormat } from "../format.ts";

export const protobufFormat: ContractFormat = {
  name: "protobuf",
  recognises: (path, text) => /\.proto$/i.test(path) && declares.test(text),
  compare: async (before, after, signal, _today, budget) => {
    const { compareProtobuf } = await import("./compare.ts");
    return compareProtobuf(before, after, signal, budget);
  },
};

/**
 * Old files say no syntax, so any statement counts. Textual protobuf data has other extensions. A statement begins on its line: with line breaks
 * among what may stand before it, a file of a million empty lines would be searched from each of them.
 */
const declares =
  /^[\s\uFEFF]*$|(?:^|[;{}/\n])[ \t\r\uFEFF]*(?:syntax\s*=|edition\s*=|package\s+[\w.]+\s*;|import\s+(?:\w+\s+)?["']|option\s+[\w(]|(?:message|enum|service|extend)\s+[\w.]+\s*\{)/;
