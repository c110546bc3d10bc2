// Declares what escalation asks of the network: one HTTP request, or one conversation by lines (SMTP). host/notify holds the real ones. Each
// has a deadline; each throws an Outage when the other side cannot be reached or does not answer in time.

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
}

export interface HttpSender {
  /** The status of the answer. Redirects are not followed: the body may hold what a third party should not see. */
  post(request: HttpRequest): Promise<{ status: number }>;
}

export interface HttpAsker {
  /** The status and the text of the answer, which may have a mebibyte. Redirects are not followed. */
  ask(request: HttpRequest): Promise<{ status: number; body: string }>;
}

export interface LineConnection {
  /** The next line without its end. */
  readLine(): Promise<string>;
  write(text: string): void;
  /** Encrypts what follows and verifies the other side's certificate against the host name. */
  startTls(): Promise<void>;
  close(): void;
}

export interface LineConnections {
  /** `deadlineMs` bounds the whole conversation: past it every wait fails and the connection closes. */
  open(to: { host: string; port: number; tls: boolean; deadlineMs: number }): Promise<LineConnection>;
}
