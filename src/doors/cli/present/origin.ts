// Where work lands, as people name it. A repository without an origin is its own: then the address is its `.git`.

/** The last part of the address: `api` of `git@host:team/api.git`, of `/srv/api.git` and of `/home/ada/api/.git`. */
export const originName = (origin: string): string => /([^/:]+?)(?:\.git)?$/.exec(originPlace(origin))?.[1] ?? origin;

/** The address without what only git needs. */
export const originPlace = (origin: string): string => origin.replace(/\/+$/, "").replace(/\/\.git$/, "");
