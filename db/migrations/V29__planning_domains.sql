-- Parts of the cluster that different replicas plan at the same time. Without a row one replica plans everything, as before. What is in no
-- domain of its own is in the domain `default`, which has no row.
create table planning_domain (
    name    text primary key check (name <> 'default'),
    version bigint not null default 1
);
alter table pool add column domain text references planning_domain;

-- The domain that plans the job; null where nothing is divided, and for a job that no planner has assigned yet. What holds slots is in the
-- domain of their pool.
alter table job add column domain text;

-- The domain of which a round is; null where nothing is divided.
alter table round add column domain text;

-- Where domains are, `planner_lease` has a row `planner/NAME` for each of them, and nobody can take the row `planner`: so that a replica that
-- knows no domains plans nothing beside them. It is locked to give numbers, and to publish.

-- Replicas that would plan, so that each takes its share of the domains.
create table planner_replica (
    holder  text primary key,
    seen_at timestamptz not null
);

-- The newest estimates of each domain, where there are any.
create table domain_estimate (
    domain   text primary key,
    revision bigint not null,
    made_at  timestamptz not null,
    body     text not null
);
