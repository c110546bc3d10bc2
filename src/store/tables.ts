// Every table by its name; the shape of each is in tables/<subject>.ts. Columns are snake_case; ids are TEXT, times are whole
// milliseconds (`*_ms`), JSON is TEXT: what both databases hold alike. A subject's tables are added there, here, and in a
// migration of its own (see migrations/all.ts). Every row that can come from another machine carries its constellation.

import type {
  AccountLimitsTable,
  AgentsTable,
  BudgetsReachedTable,
  SessionsTable,
  TokenUsageTable,
} from "./tables/agents.ts";
import type {
  A2aArtefactsTable,
  A2aChangesTable,
  A2aMessagesTable,
  A2aPushesTable,
  A2aRequestsTable,
} from "./tables/a2a.ts";
import type { IssueFollowsTable, IssueTasksTable } from "./tables/issues.ts";
import type { ContractUsersTable, KnownServicesTable } from "./tables/services.ts";
import type { MeshPeersTable } from "./tables/mesh.ts";
import type {
  MeshArrivalsTable,
  MeshOutboxTable,
  MeshRowsTable,
  MeshStreamsTable,
  MeshToldTable,
} from "./tables/mesh-items.ts";
import type { MessagesTable } from "./tables/messages.ts";
import type {
  AddressedEventsTable,
  AgentNoticesTable,
  SubscriptionsTable,
  TellingsTable,
  WorkplacesTable,
} from "./tables/notices.ts";
import type {
  ApprovalsTable,
  FiringsTable,
  OwnerDirectivesTable,
  OwnerNeedsTable,
  SnoozesTable,
  SchedulesTable,
} from "./tables/night.ts";
import type {
  ClaimsTable,
  ClonesTable,
  DismissalsTable,
  FindingsTable,
  GateRunsTable,
  OpenPairsTable,
  RepositoriesTable,
  WorktreesTable,
} from "./tables/observed.ts";
import type { BranchChecksTable, PullRequestsTable } from "./tables/pulls.ts";
import type {
  CliInvocationsTable,
  CrashesTable,
  IntakePositionsTable,
  MetaTable,
  SchemaMigrationsTable,
  SourceErrorsTable,
  TicksTable,
  WatchdogEventsTable,
} from "./tables/records.ts";
import type {
  ArtefactContentsTable,
  ArtefactsTable,
  DispatchesTable,
  HandoversTable,
  GitOperationsTable,
  LandedCommitsTable,
  HarvestsTable,
  RescuesTable,
  ReviewsTable,
  TaskAfterTable,
  TaskCriteriaTable,
  TaskEventsTable,
  TaskLeasesTable,
  TaskQueueTable,
  TasksTable,
  WorkspacesTable,
} from "./tables/tasks.ts";
import type {
  DecisionsTable,
  DeliveriesTable,
  McpToolCallsTable,
  MemoriesTable,
  PublishedTable,
} from "./tables/told.ts";
import type { ChainHeadsTable, EventSignaturesTable, EventsTable } from "./tables/timeline.ts";
import type { SharedRepositoriesTable, SharedSidesTable, SideBundlesTable } from "./tables/sharing.ts";
import type { SignedDirectivesTable, TokensTable } from "./tables/trust.ts";
import type { WorkersTable, WorkerTurnsTable } from "./tables/workers.ts";

export interface Tables {
  events: EventsTable;
  chain_heads: ChainHeadsTable;
  event_signatures: EventSignaturesTable;
  cli_invocations: CliInvocationsTable;
  source_errors: SourceErrorsTable;
  intake_positions: IntakePositionsTable;
  crashes: CrashesTable;
  ticks: TicksTable;
  watchdog_events: WatchdogEventsTable;
  messages: MessagesTable;
  repositories: RepositoriesTable;
  clones: ClonesTable;
  worktrees: WorktreesTable;
  findings: FindingsTable;
  open_pairs: OpenPairsTable;
  dismissals: DismissalsTable;
  claims: ClaimsTable;
  gate_runs: GateRunsTable;
  agents: AgentsTable;
  sessions: SessionsTable;
  token_usage: TokenUsageTable;
  account_limits: AccountLimitsTable;
  budgets_reached: BudgetsReachedTable;
  tasks: TasksTable;
  task_after: TaskAfterTable;
  task_criteria: TaskCriteriaTable;
  artefacts: ArtefactsTable;
  artefact_contents: ArtefactContentsTable;
  task_events: TaskEventsTable;
  workspaces: WorkspacesTable;
  rescues: RescuesTable;
  dispatches: DispatchesTable;
  task_reviews: ReviewsTable;
  task_queue: TaskQueueTable;
  harvests: HarvestsTable;
  pull_requests: PullRequestsTable;
  branch_checks: BranchChecksTable;
  issue_follows: IssueFollowsTable;
  issue_tasks: IssueTasksTable;
  known_services: KnownServicesTable;
  contract_users: ContractUsersTable;
  git_operations: GitOperationsTable;
  landed_commits: LandedCommitsTable;
  task_leases: TaskLeasesTable;
  agent_notices: AgentNoticesTable;
  tellings: TellingsTable;
  addressed_events: AddressedEventsTable;
  subscriptions: SubscriptionsTable;
  workplaces: WorkplacesTable;
  published: PublishedTable;
  deliveries: DeliveriesTable;
  decisions: DecisionsTable;
  memories: MemoriesTable;
  mcp_tool_calls: McpToolCallsTable;
  approvals: ApprovalsTable;
  schedules: SchedulesTable;
  firings: FiringsTable;
  owner_needs: OwnerNeedsTable;
  snoozes: SnoozesTable;
  tokens: TokensTable;
  signed_directives: SignedDirectivesTable;
  owner_directives: OwnerDirectivesTable;
  handovers: HandoversTable;
  workers: WorkersTable;
  worker_turns: WorkerTurnsTable;
  mesh_peers: MeshPeersTable;
  a2a_requests: A2aRequestsTable;
  a2a_messages: A2aMessagesTable;
  a2a_artefacts: A2aArtefactsTable;
  a2a_changes: A2aChangesTable;
  a2a_pushes: A2aPushesTable;
  mesh_streams: MeshStreamsTable;
  mesh_outbox: MeshOutboxTable;
  mesh_arrivals: MeshArrivalsTable;
  mesh_rows: MeshRowsTable;
  mesh_told: MeshToldTable;
  shared_repositories: SharedRepositoriesTable;
  shared_sides: SharedSidesTable;
  side_bundles: SideBundlesTable;
  meta: MetaTable;
  schema_migrations: SchemaMigrationsTable;
}

export type TableName = keyof Tables;
export type Dialect = "sqlite" | "postgres";
