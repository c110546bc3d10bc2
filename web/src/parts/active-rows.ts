// The lists on the page, for the keys that move in them: the one last touched, else the first.

export interface Movable {
  move(by: number): void;
  open(): void;
  act(key: string): boolean;
}

const lists: Movable[] = [];
let touched: Movable | undefined;

export function enlist(list: Movable): () => void {
  lists.push(list);
  return () => {
    lists.splice(lists.indexOf(list), 1);
    if (touched === list) touched = undefined;
  };
}

export function touch(list: Movable): void {
  touched = list;
}

export const activeList = (): Movable | undefined => touched ?? lists[0];

/** Does what has this key within `place`; false when nothing there has it, or it cannot be done now. */
export function pressIn(place: Element | null | undefined, key: string): boolean {
  const found = place?.querySelector<HTMLElement>(`[data-hotkey="${CSS.escape(key)}"]:not(:disabled)`);
  found?.click();
  return found !== null && found !== undefined;
}
