// The pages by their names in the address.

import type { Component } from "svelte";
import Agents from "./pages/Agents.svelte";
import Approvals from "./pages/Approvals.svelte";
import Audit from "./pages/Audit.svelte";
import Collisions from "./pages/Collisions.svelte";
import Cost from "./pages/Cost.svelte";
import Decisions from "./pages/Decisions.svelte";
import Landing from "./pages/Landing.svelte";
import Messages from "./pages/Messages.svelte";
import Now from "./pages/Now.svelte";
import Schedules from "./pages/Schedules.svelte";
import Services from "./pages/Services.svelte";
import Sql from "./pages/Sql.svelte";
import Tasks from "./pages/Tasks.svelte";
import Timeline from "./pages/Timeline.svelte";

export const pages: Readonly<Record<string, Component>> = {
  now: Now,
  agents: Agents,
  tasks: Tasks,
  collisions: Collisions,
  landing: Landing,
  messages: Messages,
  approvals: Approvals,
  timeline: Timeline,
  cost: Cost,
  schedules: Schedules,
  services: Services,
  decisions: Decisions,
  audit: Audit,
  sql: Sql,
};
