// Writes a file that calls a process the leader of an agent, as constel would but for its seal.
//   bun plant-launch.ts <home> <agent> <role> <pid>

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [home = "", agent = "", role = "", pid = ""] = process.argv.slice(2);
const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
const own = JSON.parse(readFileSync(join(home, "state/agents/agent1.json"), "utf8")) as { leader: { token: string } };
const token = `${own.leader.token.split("-")[0]}-${started}`;
const launch = { ...own, agent, role, cgroup: undefined, leader: { pid: Number(pid), token } };
writeFileSync(join(home, "state/agents", `${agent}.json`), JSON.stringify(launch));
