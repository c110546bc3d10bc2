// The keys of the window. A key that was typed into a field is no key of ours.

import { activeList, type Movable, pressIn } from "./parts/active-rows.ts";
import { go, route } from "./route.svelte.ts";
import { places } from "./words/places.ts";

export const keyboard = $state({ isFindOpen: false, isHelpOpen: false });

/** After `g`, the next letter says where to. */
let isGoing = false;
let goingEnds: ReturnType<typeof setTimeout> | undefined;

const inList = (act: (list: Movable) => unknown) => (): boolean => {
  const list = activeList();
  if (list !== undefined) act(list);
  return list !== undefined;
};

const acts: Readonly<Record<string, () => boolean>> = {
  j: inList((list) => list.move(1)),
  ArrowDown: inList((list) => list.move(1)),
  k: inList((list) => list.move(-1)),
  ArrowUp: inList((list) => list.move(-1)),
  Enter: inList((list) => list.open()),
  g: beginGoing,
  "/": () => (keyboard.isFindOpen = true),
  "?": () => (keyboard.isHelpOpen = true),
  Escape: goBack,
};

export function press(event: KeyboardEvent): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) {
    if (key !== "k" || event.altKey) return;
    keyboard.isFindOpen = true;
    return event.preventDefault();
  }
  const element = target instanceof Element ? target : document.body;
  if (element.closest("input, textarea, select, dialog") !== null) return;
  // Enter on a link or a button is the browser's own.
  if (key === "Enter" && element !== document.body) return;
  if (perform(key)) event.preventDefault();
}

function perform(key: string): boolean {
  if (!isGoing) return acts[key]?.() ?? (key.length === 1 && (activeList()?.act(key) === true || pressOnPage(key)));
  isGoing = false;
  const place = places.find((one) => one.key === key);
  if (place !== undefined) go(place.page);
  return place !== undefined;
}

/** A verb of the one thing that the page shows. */
function pressOnPage(key: string): boolean {
  return pressIn(document.querySelector("main"), key);
}

function beginGoing(): boolean {
  isGoing = true;
  clearTimeout(goingEnds);
  goingEnds = setTimeout(() => (isGoing = false), 1_500);
  return true;
}

/** From one thing to the list that it stands in. */
function goBack(): boolean {
  if (route.id === undefined) return false;
  go(route.page);
  return true;
}
