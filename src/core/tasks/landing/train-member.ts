// One task's place in a train: its row, what it must show, and the workspace that has it.

import type { HarvestsTable, TaskCriteriaTable, TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";

export interface TrainMember {
  readonly row: HarvestsTable;
  readonly task: TasksTable;
  readonly criteria: readonly TaskCriteriaTable[];
  readonly workspace: WorkspacesTable | undefined;
}
