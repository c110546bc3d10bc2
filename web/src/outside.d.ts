// Names that the protocol's files mention and a browser does not have; they look before they use them.

declare const require: (module: string) => unknown;
