// Declares what the program asks of a terminal multiplexer: one named terminal per agent, that outlives us, can be looked at and typed into,
// and that a person may attach to. Ending what runs inside a terminal, with all it started, is for process trees.

/** The terminal to start. The command line stays short: anything long (a prompt, a brief) goes by a file whose path is given. */
export interface TerminalWish {
  readonly name: string;
  /** An absolute path to a directory that exists. */
  readonly cwd: string;
  /** Run as it stands, by no shell. */
  readonly command: readonly [string, ...string[]];
  /** On top of the environment that all terminals share. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cols?: number;
  readonly rows?: number;
}

/** A terminal as it is now. A dead one stays, with its last screen and its exit status, until it is killed. */
export interface Terminal {
  readonly name: string;
  /** Unique while the multiplexer's server lives; starts again from the beginning with the next server. */
  readonly paneId: string;
  /** The process started in it, a session leader. When `dead`, the number may by now be another process's. */
  readonly pid: number;
  readonly dead: boolean;
  /** Known once dead, or a moment later, unless a signal ended it. */
  readonly exitStatus: number | undefined;
  /** The number of the signal that ended it, where the multiplexer tells. */
  readonly exitSignal: number | undefined;
  /** The name of the foreground process. */
  readonly currentCommand: string;
  /** Set by the program inside: not to be trusted. */
  readonly title: string;
  /** Someone scrolls back or chooses: typed keys would not reach the program. */
  readonly inMode: boolean;
  /** The position of the program's cursor, from the top left corner. */
  readonly cursorX: number;
  readonly cursorY: number;
  /** To the second. */
  readonly createdMs: number;
  /** A person's terminal shows it. */
  readonly attached: boolean;
  /** The time when output last came, to the second. */
  readonly lastActivityMs: number;
}

export interface Screen {
  readonly name: string;
  /** Lines from the top, spaces at line ends trimmed. Written by the program inside: not to be trusted. */
  readonly text: string;
  /** Of `text`; equal texts give equal hashes, in any process and any version. */
  readonly hash: string;
}

export interface PasteReceipt {
  /** UTF-8 bytes handed to the terminal. This is not yet proof that the program took them in. */
  readonly bytes: number;
  /** Control characters left out, because they would act as keys. */
  readonly removed: number;
}

export interface Terminals {
  /** Refuses a name that is taken. */
  create(wish: TerminalWish): Promise<{ readonly paneId: string; readonly pid: number }>;
  /** All of ours, sorted by name. */
  list(): Promise<readonly Terminal[]>;
  /** One of them; costs the same however many there are. */
  find(name: string): Promise<Terminal | undefined>;
  has(name: string): Promise<boolean>;
  /** The screens of those that exist; `lines` more from above the visible part. */
  captureMany(names: readonly string[], options?: { readonly lines?: number }): Promise<ReadonlyMap<string, Screen>>;
  /**
   * Puts text at the cursor without submitting it: leaves copy mode first, and with `clearLine` drops what stood half typed.
   * When an outage comes back with `mayRetry` false, the text may have arrived or not.
   */
  paste(name: string, text: string, options?: { readonly clearLine?: boolean }): Promise<PasteReceipt>;
  enter(name: string): Promise<void>;
  /** Keys by name (`Escape`, `C-c`, `y`), pressed in order, out of copy mode. */
  sendKeys(name: string, keys: readonly string[]): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** True when it was there. */
  kill(name: string): Promise<boolean>;
  /** Ends every terminal, a person's attached ones too. */
  killServer(): Promise<void>;
  /** Removes what is left on the disk of a multiplexer that has ended, unless one runs or starts. True when something went. */
  clearAway(): Promise<boolean>;
  /** The command line that shows it in a person's own terminal. */
  attachCommand(name: string): readonly string[];
  /** Called soon after a terminal appears, ends, dies or changes its title: a reason to look, not news in itself. */
  onChange(listener: () => void): () => void;
  /** Lets go of the multiplexer; terminals go on. */
  close(): Promise<void>;
}
