// Serves a directory of bare repositories over HTTP through git's own `http-backend`, as forges do.

export async function serveGit(projects: string, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const child = Bun.spawn(["git", "http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      GIT_PROJECT_ROOT: projects,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_NOSYSTEM: "1",
      HOME: projects,
      REMOTE_USER: "somebody",
      REMOTE_ADDR: "127.0.0.1",
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers.get("content-type") ?? "",
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: request.headers.get("content-encoding") ?? "",
      GIT_PROTOCOL: request.headers.get("git-protocol") ?? "",
    },
    stdin: body,
    stdout: "pipe",
    stderr: "ignore",
  });
  const out = Buffer.from(await new Response(child.stdout).arrayBuffer());
  await child.exited;
  const end = out.indexOf("\r\n\r\n");
  const headers = new Headers();
  let status = 200;
  for (const line of out.subarray(0, Math.max(0, end)).toString("latin1").split("\r\n")) {
    const [name = "", ...value] = line.split(": ");
    if (name === "Status") status = Number(value.join(": ").split(" ")[0]);
    else if (name !== "") headers.set(name, value.join(": "));
  }
  return new Response(out.subarray(end + 4), { status, headers });
}
