export const migrateSuite = (..._: unknown[]): void => {};
