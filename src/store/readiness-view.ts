// How ready each worktree's work is to land, as the view `merge_readiness` has it: a number, and what took from it.

import type { Dialect } from "./tables.ts";

/** Tells whether a part that is open in a pair is a fault of a file of this side. */
const hasFault: Readonly<Record<Dialect, (side: "ours" | "theirs") => string>> = {
  sqlite: (side) =>
    `exists (select 1 from json_each(p.open) part, json_each(part.value, '$.sides') side where json_extract(part.value, '$.what') = 'syntax' and side.value = '${side}')`,
  postgres: (side) =>
    `exists (select 1 from jsonb_array_elements(p.open::jsonb) part where part ->> 'what' = 'syntax' and part -> 'sides' @> '["${side}"]'::jsonb)`,
};

/**
 * A high finding takes 25 points, a medium one 10, a low one 3, together at most 60; a conflict with the default branch
 * 20 more; each commit behind it 1, at most 10; uncommitted work 10; a merge or rebase under way 20; pairs that were not
 * looked at wholly 5. What cannot be looked at has 0. What is broken whatever the others do has 20 at most: a changed file that does not parse or
 * has conflict markers in it, a gate that was red for the very commit, a contract that somebody's work relies on.
 */
export function readinessSql(dialect: Dialect, iso: (column: string) => string): string {
  // Everything is counted in one pass for all worktrees: asked for each worktree, and again wherever the score or a reason names it, the
  // same rows were read some thousand times.
  const sided = (own: string, other: string): string =>
    `select constellation, repository, kind, severity, ${own}_worktree as path, ${other}_branch as other from findings where state = 'open' and coalesce(${own}_worktree, '') <> ''`;
  const sumOf = (condition: string): string => `sum(case when ${condition} then 1 else 0 end)`;
  const found = `select f.constellation, f.path, ${sumOf("f.severity = 'high'")} as high, ${sumOf("f.severity = 'medium'")} as medium, ${sumOf("f.severity = 'low'")} as low, ${sumOf("f.kind = 'textual' and f.severity = 'high' and (f.other = d.default_branch or 'origin/' || f.other = d.default_branch)")} as with_default from (${sided("ours", "theirs")} union all ${sided("theirs", "ours")}) f left join repositories d on d.constellation = f.constellation and d.identity = f.repository group by f.constellation, f.path`;
  const openPairs = (side: string): string =>
    `select constellation, ${side} as path from open_pairs where open <> '[]' and ${side} is not null`;
  const unseen = `select constellation, path, count(*) as pairs from (${openPairs("ours_worktree")} union all ${openPairs("theirs_worktree")}) o group by constellation, path`;
  const isApart = (of: string): string => `${of}.skipped is not null or ${of}.operation is not null`;
  const apart = `select x.constellation, x.repository, count(*) as worktrees from worktrees x where ${isApart("x")} group by x.constellation, x.repository`;
  // Without pyright that is every pair of Python: they are counted in one pass, not once for each worktree.
  const noted = (side: string): string =>
    `select constellation, ${side} as path from open_pairs where open = '[]' and notes <> '[]' and ${side} is not null`;
  const unasked = `select constellation, path, count(*) as pairs from (${noted("ours_worktree")} union all ${noted("theirs_worktree")}) n group by constellation, path`;
  const faulty = (side: "ours" | "theirs"): string =>
    `select constellation, ${side}_worktree as path from open_pairs p where open like '%"syntax"%' and ${side}_worktree is not null and ${hasFault[dialect](side)}`;
  const faults = `select distinct constellation, path from (${faulty("ours")} union all ${faulty("theirs")}) s`;
  const red = `select distinct h.constellation, k.path, h.ready_sha from harvests h join workspaces k on k.constellation = h.constellation and k.id = h.workspace where h.outcome = 'red' and k.state = 'ready'`;
  // Ours is the side that uses the contract.
  const breaking = `select distinct constellation, theirs_worktree as path from findings where state = 'open' and kind = 'contract' and severity = 'high' and coalesce(theirs_worktree, '') <> ''`;
  const capped = (value: string, most: number): string =>
    `(case when ${value} > ${most} then ${most} else ${value} end)`;
  const said = (condition: string, text: string): string => `case when ${condition} then ${text} else '' end`;
  const counted = (column: string, what: string): string =>
    said(`${column} > 0`, `${column} || ' ${what}' || case when ${column} = 1 then '; ' else 's; ' end`);
  const count = (column: string): string => `coalesce(${column}, 0)`;
  const by = (table: string): string => `${table}.constellation = w.constellation and ${table}.path = w.path`;
  const openOf = `${count("o.pairs")} + ${count("a.worktrees")} - case when ${isApart("w")} then 1 else 0 end`;
  const facts = `select w.*, r.name as repository_name, ${count("f.high")} as high, ${count("f.medium")} as medium, ${count("f.low")} as low, ${count("f.with_default")} as with_default, ${count("w.behind")} as behind_known, ${openOf} as open_pairs, ${count("u.pairs")} as unasked_pairs, s.path as faulty, g.path as red, b.path as breaking from worktrees w join repositories r on r.constellation = w.constellation and r.identity = w.repository and r.wanted = 'observed' left join (${found}) f on ${by("f")} left join (${unseen}) o on ${by("o")} left join (${apart}) a on a.constellation = w.constellation and a.repository = w.repository left join (${unasked}) u on ${by("u")} left join (${faults}) s on ${by("s")} left join (${red}) g on ${by("g")} and g.ready_sha = w.head left join (${breaking}) b on ${by("b")}`;
  const lost = `${capped("high * 25 + medium * 10 + low * 3", 60)} + case when with_default > 0 then 20 else 0 end + ${capped("behind_known", 10)} + uncommitted * 10 + case when operation is not null then 20 else 0 end + case when open_pairs > 0 then 5 when unasked_pairs > 0 then 1 else 0 end`;
  const reasons = [
    said("skipped is not null", "'cannot be looked at: ' || coalesce(detail, skipped) || '; '"),
    said("faulty is not null", "'a changed file does not parse or has conflict markers; '"),
    said("red is not null", "'the gate was red for this commit; '"),
    said("breaking is not null", "'breaks a contract that others use; '"),
    counted("high", "high finding"),
    counted("medium", "medium finding"),
    counted("low", "low finding"),
    said("with_default > 0", "'conflicts with the default branch; '"),
    said("behind_known > 0", "'behind the default branch by ' || behind_known || '; '"),
    said("uncommitted > 0", "'uncommitted work; '"),
    said("operation is not null", "'in the middle of a ' || operation || '; '"),
    said(
      "open_pairs > 0",
      "open_pairs || case when open_pairs = 1 then ' pair' else ' pairs' end || ' not fully checked; '",
    ),
    said(
      "open_pairs = 0 and unasked_pairs > 0",
      "'not everything was asked about ' || unasked_pairs || case when unasked_pairs = 1 then ' pair; ' else ' pairs; ' end",
    ),
  ].join(" || ");
  const isBroken = "(faulty is not null or red is not null or breaking is not null)";
  const score = `case when skipped is not null or ${lost} > 100 then 0 when ${isBroken} and ${lost} < 80 then 20 else 100 - (${lost}) end`;
  return `select repository_name as repository, branch, path as worktree, agent, ${score} as score, rtrim(${reasons}, '; ') as reasons, high, medium, low, with_default as conflicts_with_default, open_pairs, ahead, behind, uncommitted, operation, ${iso("last_observed_ms")} as observed_at, repository as repository_id, constellation from (${facts}) facts`;
}
