// One forge double for all adapters: a server on loopback with a real bare repository behind `git http-backend`, and one model
// that GitHub's, Gitea's and GitLab's interfaces are spoken for. Troubles are set by the test: what happens to which request.

import { join } from "node:path";
import { answerAsGitea } from "./gitea.ts";
import { answerAsGithub } from "./github.ts";
import { answerAsGitlab } from "./gitlab.ts";
import { json } from "./dialect.ts";
import { serveGit } from "./git-http.ts";
import { ForgeModel } from "./model.ts";

export type Dialect = "github" | "gitea" | "gitlab";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Answers a request in place of the forge; undefined lets it through. `after`: the forge did it, and this is what is heard of it. */
export type Trouble = (request: { method: string; path: string }, after: Response | undefined) => Response | undefined;

export const token = "ghp_" + "t0ken".repeat(7) + "x";

export class ForgeDouble {
  readonly model: ForgeModel;
  readonly seen: Seen[] = [];
  trouble: Trouble | undefined;
  /** The one token that is let in. */
  token = token;
  /** Nothing answers: connections are taken and cut. */
  isDown = false;
  readonly #server: ReturnType<typeof Bun.serve>;
  readonly #projects: string;

  constructor(top: string) {
    this.model = new ForgeModel(top);
    this.#projects = join(top, "git");
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 120,
      fetch: (request) => this.#answer(request),
    });
  }

  get host(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  get origin(): string {
    return `http://${this.host}/${this.model.owner}/${this.model.name}.git`;
  }

  api(dialect: Dialect): string {
    return `http://${this.host}/api/${{ github: "v3", gitea: "v1", gitlab: "v4" }[dialect]}`;
  }

  /** The calls that changed something, as `POST /pulls`. */
  writes(): string[] {
    return this.seen
      .filter(({ method, path }) => method !== "GET" && path.startsWith("/api/"))
      .map(({ method, path }) => `${method} ${path.replace(/^\/api\/v\d\/(repos|projects)\/[^/]+(\/shop)?/, "")}`);
  }

  async close(): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const { method } = request;
    const path = url.pathname;
    if (this.isDown) {
      this.seen.push({ method, path, status: 0 });
      return new Response("the proxy cannot reach the forge", { status: 502 });
    }
    if (!path.startsWith("/api/")) return await serveGit(this.#projects, request);
    const before = this.trouble?.({ method, path }, undefined);
    const response = before ?? (await this.#speak(request, url));
    const told = before ?? this.trouble?.({ method, path }, response) ?? response;
    this.seen.push({ method, path, status: told.status });
    return told;
  }

  async #speak(request: Request, url: URL): Promise<Response> {
    const given = request.headers.get("authorization") ?? request.headers.get("private-token") ?? "";
    if (given.replace(/^(Bearer|token) /, "") !== this.token) return json({ message: "Bad credentials" }, 401);
    const text = await request.text();
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    this.model.keepRefs();
    const [, , version = "", ...rest] = url.pathname.split("/");
    const wish = {
      method: request.method,
      path: `/${rest.map(decodeURIComponent).join("/")}`,
      query: url.searchParams,
      body,
    };
    const raw = { ...wish, path: `/${rest.join("/")}` };
    if (version === "v3" || version === "graphql")
      return answerAsGithub(this.model, version === "graphql" ? { ...raw, path: "/graphql" } : raw);
    return version === "v1" ? answerAsGitea(this.model, raw) : answerAsGitlab(this.model, raw);
  }
}
