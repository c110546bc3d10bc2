// Says what the compiler's error numbers are about.

/** A name, an export or a module is not there. */
export const goneCodes: ReadonlySet<number> = new Set([
  2304, 2305, 2306, 2307, 2459, 2460, 2503, 2552, 2614, 2694, 2724, 18004,
]);
/** A member is not there. */
export const memberCodes: ReadonlySet<number> = new Set([2339, 2353, 2551, 2561]);
/** A call, or what has to be implemented, does not fit. */
export const callCodes: ReadonlySet<number> = new Set([
  2314, 2315, 2349, 2351, 2420, 2511, 2515, 2554, 2555, 2556, 2558, 2575, 2739, 2740, 2741, 2769,
]);
