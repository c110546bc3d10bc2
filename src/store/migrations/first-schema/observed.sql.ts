// Repositories, their worktrees, findings and what keeps them quiet, claims and gate results.

// Only a few findings are open, and few pairs have anything open, so these two have indexes of their own.
export const observedTables = `
create table repositories (
  constellation text not null, identity text not null, name text not null, wanted text not null,
  added_ms bigint not null, added_by text not null, default_branch text, problem text, last_observed_ms bigint,
  pairs bigint not null default 0, primary key (constellation, identity)
);

create table clones (
  constellation text not null, repository text not null, path text not null, added_ms bigint not null,
  primary key (constellation, path)
);

create table worktrees (
  constellation text not null, path text not null, repository text not null, branch text, head text,
  snapshot_commit text, snapshot_tree text, operation text, skipped text, detail text, ahead bigint, behind bigint,
  uncommitted bigint not null, agent text, first_seen_ms bigint not null, last_observed_ms bigint not null,
  changed_ms bigint, primary key (constellation, path)
);
create index worktrees_repository on worktrees (repository);

create table findings (
  id text not null primary key, constellation text not null, fingerprint text not null, kind text not null,
  severity text not null, repository text not null, pair text not null, ours_label text not null,
  ours_worktree text, ours_branch text, theirs_label text not null, theirs_worktree text, theirs_branch text,
  title text not null, action text not null, files text not null, symbols text not null, evidence text not null,
  evidence_hash text not null, evidence_kind text not null, state text not null, opened_ms bigint not null,
  updated_ms bigint not null, closed_ms bigint, closed_because text, times_opened bigint not null,
  dismissed_ms bigint, dismissed_by text, dismissed_reason text, dismissed_scope text, dismissal text,
  by_compiler bigint not null default 0, blocking bigint not null default 0, closed_by text,
  unique (constellation, repository, fingerprint)
);
create index findings_state on findings (repository, state);
create index findings_ours on findings (ours_worktree, state);
create index findings_theirs on findings (theirs_worktree, state);
create index findings_end on findings (constellation, state, closed_ms);
create index findings_open on findings (opened_ms) where state = 'open';

create table open_pairs (
  constellation text not null, repository text not null, pair text not null, ours_label text not null,
  ours_worktree text, theirs_label text not null, theirs_worktree text, open text not null,
  since_ms bigint not null, notes text not null default '[]', primary key (constellation, repository, pair)
);
create index open_pairs_ours on open_pairs (constellation, ours_worktree) where open <> '[]';
create index open_pairs_theirs on open_pairs (constellation, theirs_worktree) where open <> '[]';

create table dismissals (
  id text not null primary key, constellation text not null, repository text not null, scope text not null,
  fingerprint text, pair text, branches text, files text, kind text, rules text not null, severity text not null,
  reason text not null, dismissed_by text not null, at_ms bigint not null
);
create index dismissals_repository on dismissals (repository);

create table claims (
  id text not null primary key, constellation text not null, repository text not null, holder text not null,
  worktree text not null, patterns text not null, severity text not null, reason text not null,
  made_by text not null, made_ms bigint not null, expires_ms bigint not null, dropped_ms bigint, dropped_by text,
  exclusive bigint not null default 0, signature text
);
create index claims_end on claims (constellation, expires_ms);

create table gate_runs (
  constellation text not null, key text not null, repository text not null, tree text not null,
  command text not null, outcome text not null, confirmed bigint not null, detail text not null,
  ran_ms bigint not null, primary key (constellation, key)
);
create index gate_runs_age on gate_runs (constellation, ran_ms);
`;
