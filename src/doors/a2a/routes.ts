// The addresses of HTTP+JSON, each with the method that it asks for.

export interface Route {
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

const id = "([^/:]{1,200})";

const routes: readonly (readonly [verb: string, path: RegExp, method: string, names: readonly string[]])[] = [
  ["POST", /^\/message:send$/, "SendMessage", []],
  ["POST", /^\/message:stream$/, "SendStreamingMessage", []],
  ["GET", /^\/tasks$/, "ListTasks", []],
  ["GET", new RegExp(`^/tasks/${id}$`), "GetTask", ["id"]],
  ["POST", new RegExp(`^/tasks/${id}:cancel$`), "CancelTask", ["id"]],
  ["POST", new RegExp(`^/tasks/${id}:subscribe$`), "SubscribeToTask", ["id"]],
  ["GET", new RegExp(`^/tasks/${id}:subscribe$`), "SubscribeToTask", ["id"]],
  ["POST", new RegExp(`^/tasks/${id}/pushNotificationConfigs$`), "CreateTaskPushNotificationConfig", ["taskId"]],
  ["GET", new RegExp(`^/tasks/${id}/pushNotificationConfigs$`), "ListTaskPushNotificationConfigs", ["taskId"]],
  [
    "GET",
    new RegExp(`^/tasks/${id}/pushNotificationConfigs/${id}$`),
    "GetTaskPushNotificationConfig",
    ["taskId", "id"],
  ],
  [
    "DELETE",
    new RegExp(`^/tasks/${id}/pushNotificationConfigs/${id}$`),
    "DeleteTaskPushNotificationConfig",
    ["taskId", "id"],
  ],
  ["GET", /^\/extendedAgentCard$/, "GetExtendedAgentCard", []],
];

export function routeOf(verb: string, path: string): Route | undefined {
  for (const [wanted, pattern, method, names] of routes) {
    const found = verb === wanted ? pattern.exec(path) : null;
    if (found === null) continue;
    const values = found.slice(1).map(decoded);
    if (values.includes(undefined)) return undefined;
    return { method, params: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""])) };
  }
  return undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
