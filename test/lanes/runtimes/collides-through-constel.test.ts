// Claude Code and Codex collide with somebody, and are told by the daemon.

import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { collidesThroughConstel } from "./collides-through-constel.ts";

collidesThroughConstel(claude, { isolate: true, onlyFirst: false, slowMs: 90_000 });
collidesThroughConstel(codex, { isolate: true, onlyFirst: false, slowMs: 90_000 });
