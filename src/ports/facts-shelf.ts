// Keeps what is known of files beyond the life of a process, by name. It may forget anything at any time.

export interface FactsShelf {
  get(name: string): object | undefined;
  set(name: string, facts: object): void;
  /** Nothing more will be asked. */
  close(): void;
}
