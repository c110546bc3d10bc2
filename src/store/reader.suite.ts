export const readerSuite = (..._: unknown[]): void => {};
