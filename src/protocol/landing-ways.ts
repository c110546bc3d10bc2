// How work lands: by a push to the target, or by a pull request at the forge; and how a forge merges one.

export const landingWays = ["push", "pull-request"] as const;
export type LandingWay = (typeof landingWays)[number];
export const mergeMethods = ["merge", "squash", "rebase", "queue"] as const;
