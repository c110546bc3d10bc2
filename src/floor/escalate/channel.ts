// The ways a person can be told. Configuration gives a list of these; deliver.ts knows how each is done.

export type Channel =
  | {
      /** Any program: the subject is its last argument, the body its standard input. */
      readonly type: "command";
      readonly command: readonly string[];
    }
  | {
      /** HTTP POST of a JSON object: constellation, subject, body, at. */
      readonly type: "webhook";
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly type: "ntfy"; readonly server?: string; readonly topic: string; readonly token?: string }
  | {
      /** An incoming webhook of Slack; `url` is the secret. */
      readonly type: "slack";
      readonly url: string;
    }
  | {
      /** A webhook of a Discord channel; `url` is the secret. */
      readonly type: "discord";
      readonly url: string;
    }
  | { readonly type: "desktop" }
  | {
      readonly type: "smtp";
      readonly host: string;
      readonly port: number;
      /** `starttls` refuses to go on with a server that does not offer it. `none` is for a relay on this machine. */
      readonly security: "tls" | "starttls" | "none";
      readonly from: string;
      readonly to: readonly string[];
      readonly username?: string;
      readonly password?: string;
    }
  | { readonly type: "telegram"; readonly token: string; readonly chat: string; readonly server?: string }
  | {
      /** macOS only, through Messages. */
      readonly type: "imessage";
      readonly to: string;
    };

export type ChannelType = Channel["type"];
export type ChannelOf<T extends ChannelType> = Extract<Channel, { type: T }>;
