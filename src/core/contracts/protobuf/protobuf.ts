// Protocol buffers: proto2, proto3 and editions. Here is only how a file is recognised; parser and comparison are loaded
// when two versions are compared.

import type { ContractFormat } from "../format.ts";

export const protobufFormat: ContractFormat = {
  name: "protobuf",
  recognises: (path, text) => /\.proto$/i.test(path) && declares.test(text),
  compare: async (before, after, signal) => {
    const { compareProtobuf } = await import("./compare.ts");
    return compareProtobuf(before, after, signal);
  },
};

/** Old files say no syntax, so any statement counts. Textual protobuf data has other extensions. */
const declares =
  /^[\s\uFEFF]*$|(?:^|[;{}/\n])\s*(?:syntax\s*=|edition\s*=|package\s+[\w.]+\s*;|import\s+(?:\w+\s+)?["']|option\s+[\w(]|(?:message|enum|service|extend)\s+[\w.]+\s*\{)/;
