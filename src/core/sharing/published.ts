// What is published of shared repositories, for whatever carries it further.

import { sideLimits } from "../../ports/sides.ts";
import type { Store } from "../../store/open.ts";
import type { SharedSidesTable } from "../../store/tables/sharing.ts";
import { bundleOf, sharedRepositories, sidesOf } from "./sides.sql.ts";

type Kept = Pick<Store, "db" | "constellation">;

export interface Published {
  readonly repository: string;
  readonly sides: readonly SharedSidesTable[];
}

/** Each repository that its owner shares now. */
export async function published({ db, constellation }: Kept): Promise<Published[]> {
  const all: Published[] = [];
  for (const { repository, wanted } of await sharedRepositories(db, constellation))
    if (wanted === "shared") all.push({ repository, sides: await sidesOf(db, constellation, repository) });
  return all;
}

/** The objects of one of these sides, in base64. */
export function publishedObjects({ db, constellation }: Kept, side: Pick<SharedSidesTable, "repository" | "key">) {
  const { repository, key } = side;
  return bundleOf(db, { constellation, repository, key, longest: longestBundle });
}

/** Of the largest bundle, in base64. */
export const longestBundle = Math.ceil(sideLimits.bundleBytes / 3) * 4;
