// The view `task_phases`: where the time of each task went. A task's events say when one phase ends and the next begins; what its agent waited
// for the owner meanwhile comes from permission requests and from its agent's states, and is taken off the working time. Nothing is counted twice: waits that
// overlap are one wait.

/** Each event that begins a phase. An event that ends work begins none. */
const phases: Readonly<Record<string, string>> = {
  queued: "'clone'",
  dispatched: "'start'",
  brief_delivered: "'work'",
  ready: "'land'",
  closed: "null",
  cancelled: "null",
  released: "null",
  dispatch_failed: "null",
};

const literals = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

/** One row for each task that was ever queued, given out, or called ready. A phase that is not over lasts until now. */
export function taskPhasesSql({ now }: { readonly now: string }): string {
  const kinds = Object.entries(phases)
    .map(([type, phase]) => `when '${type}' then ${phase}`)
    .join(" ");
  // A task that goes to a workspace, to nobody, is worked on from then on.
  const given = `case when e.type = 'dispatched' and e.data like '%"agent":null%' then 'work' else case e.type ${kinds} end end`;
  const moves = `select e.constellation, e.task, e.at_ms as from_ms, ${given} as phase, coalesce(lead(e.at_ms) over (partition by e.constellation, e.task order by e.seq), ${now}) as to_ms from task_events e where e.type in (${literals(Object.keys(phases))})`;
  const asked = `select a.constellation, cast(a.task as bigint) as task, a.asked_ms as from_ms, coalesce(a.answered_ms, ${now}) as to_ms from approvals a where a.task is not null`;
  // Of a prompt on the screen, or a question: between its agent's coming to it and its leaving it.
  const changes =
    "select v.constellation, v.subject, v.data, v.at_ms as from_ms, lead(v.at_ms) over (partition by v.constellation, v.subject order by v.seq) as to_ms from events v where v.type = 'agent.seen-changed'";
  const prompted = `select d.constellation, d.task, c.from_ms, coalesce(c.to_ms, ${now}) from (${changes}) c join dispatches d on d.constellation = c.constellation and c.subject = 'agent:' || d.agent where c.data like '%"to":"waiting-%' and d.delivered_ms is not null`;
  // Each wait within each span of work: only that much of it kept the task.
  const within =
    "select m.constellation, m.task, case when w.from_ms > m.from_ms then w.from_ms else m.from_ms end as from_ms, case when w.to_ms < m.to_ms then w.to_ms else m.to_ms end as to_ms from moves m join waits w on w.constellation = m.constellation and w.task = m.task and w.from_ms < m.to_ms and w.to_ms > m.from_ms where m.phase = 'work'";
  const before =
    "max(to_ms) over (partition by constellation, task order by from_ms, to_ms rows between unbounded preceding and 1 preceding)";
  // What of each wait lies behind the end of those before it.
  const alone = `select constellation, task, case when ended is null or from_ms >= ended then to_ms - from_ms when to_ms > ended then to_ms - ended else 0 end as ms from (select constellation, task, from_ms, to_ms, ${before} as ended from within_work) w`;
  const minutes = (phase: string): string =>
    `coalesce(sum(case when m.phase = '${phase}' then m.to_ms - m.from_ms end), 0) / 60000.0`;
  return (
    `with moves as (${moves}), waits as (${asked} union all ${prompted}), within_work as (${within}), ` +
    `owed as (select constellation, task, sum(ms) / 60000.0 as minutes from (${alone}) a group by constellation, task), ` +
    `spent as (select m.constellation, m.task, ${minutes("clone")} as clone_minutes, ${minutes("start")} as start_minutes, ${minutes("work")} as busy_minutes, ${minutes("land")} as land_minutes from moves m group by m.constellation, m.task) ` +
    "select s.task, t.title, t.state, t.agent, s.clone_minutes, s.start_minutes, s.busy_minutes - coalesce(o.minutes, 0) as work_minutes, coalesce(o.minutes, 0) as owner_minutes, s.land_minutes, s.clone_minutes + s.start_minutes + s.busy_minutes + s.land_minutes as all_minutes, t.updated_ms, s.constellation from spent s join tasks t on t.constellation = s.constellation and t.number = s.task left join owed o on o.constellation = s.constellation and o.task = s.task"
  );
}
