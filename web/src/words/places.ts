// The pages, once: the navigation, the palette and the keys read them here.

export interface PlaceToGo {
  readonly page: string;
  readonly name: string;
  /** After `g`. */
  readonly key: string;
  readonly isMain: boolean;
}

const place = (page: string, name: string, key: string, isMain = false): PlaceToGo => ({ page, name, key, isMain });

export const places: readonly PlaceToGo[] = [
  place("now", "Now", "n", true),
  place("agents", "Agents", "a", true),
  place("tasks", "Tasks", "t", true),
  place("collisions", "Collisions", "c", true),
  place("landing", "Landing", "l", true),
  place("messages", "Messages", "m", true),
  place("approvals", "Approvals", "p", true),
  place("timeline", "Timeline", "i"),
  place("cost", "Cost", "o"),
  place("schedules", "Schedules", "s"),
  place("services", "Services", "v"),
  place("decisions", "Decisions", "d"),
  place("audit", "Audit", "u"),
  place("sql", "SQL", "q"),
];
