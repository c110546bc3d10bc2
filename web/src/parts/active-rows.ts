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
