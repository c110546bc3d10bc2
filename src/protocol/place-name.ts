// The name of a repository, as people call it, from where it is: `api` of /srv/api, /srv/api/, /srv/api.git, /srv/api/.git and git@host:team/api.git.

/** The place without what only git needs. */
export const plainPlace = (place: string): string =>
  place.replace(/(?<!\/)\/+$/, "").replace(/\/\.git(?:\/worktrees\/[^/]+)?$/, "") || "/";

/** Its last part. */
export function placeName(place: string): string {
  const last = /[^/:]+$/.exec(plainPlace(place))?.[0] ?? "/";
  return last.replace(/(.)\.git$/, "$1");
}
