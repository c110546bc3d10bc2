// Where one is: `#/collisions/fnd_…?view=matrix`. Everything that a page shows by choice stands there, so that a link shows the same.

interface Place {
  readonly page: string;
  readonly id: string | undefined;
  readonly query: ReadonlyMap<string, string>;
}

function read(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page = "", id] = path.split("/").map(decoded);
  return {
    page: page === "" ? "now" : page,
    id: id === "" ? undefined : id,
    query: new Map(new URLSearchParams(query)),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let place = $state.raw<Place>(read());

globalThis.addEventListener?.("hashchange", () => (place = read()));

export const route = {
  get page(): string {
    return place.page;
  },
  get id(): string | undefined {
    return place.id;
  },
  get(name: string): string {
    return place.query.get(name) ?? "";
  },
};

export function linkTo(page: string, id?: string | number, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${page}${id === undefined ? "" : `/${encodeURIComponent(String(id))}`}${asked === "" ? "" : `?${asked}`}`;
}

export function go(page: string, id?: string | number, query: Readonly<Record<string, string>> = {}): void {
  location.hash = linkTo(page, id, query);
}

/** A choice on the page: it stands in the address and makes no step of the history. */
export function choose(choices: Readonly<Record<string, string>>): void {
  const query = Object.fromEntries(place.query);
  history.replaceState(null, "", linkTo(place.page, place.id, { ...query, ...choices }));
  place = read();
}
