// Claude Code and Codex are told before they edit.

import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { toldInTime } from "./told-in-time.ts";

toldInTime(claude, { isolate: true, slowMs: 30_000 });
toldInTime(codex, { isolate: true, slowMs: 30_000 });
