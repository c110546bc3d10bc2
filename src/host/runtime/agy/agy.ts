// Antigravity CLI, driven over a pipe alone. Its hooks are left out: what it does when one says nothing differs by report, and a hook must never
// break its agent. So it hears by messages, as programs of ACP do.

import { drivenOnly } from "../driving/driven-only.ts";

export const agy = drivenOnly({ name: "agy", command: "agy", checkedVersions: [], mcp: false });
