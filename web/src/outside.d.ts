// Names that the protocol's files mention and a browser does not have; they look before they use them.

declare const require: (module: string) => unknown;

/** Put in by scripts/build-web.ts. */
declare const CONSTEL_VERBS: readonly { readonly command: string; readonly says: string }[];
