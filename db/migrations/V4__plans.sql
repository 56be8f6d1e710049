-- Planning: settings, leader election, rounds, plans, their approval, and predictions of start and completion times.

create table settings (
    singleton boolean primary key default true check (singleton),
    body      jsonb not null,
    version   bigint not null default 1
);
comment on table settings is 'One row: objective, solver limits and round interval.';
comment on column settings.body is 'Settings document in the form of the API.';

create view resource_price as
select (select jsonb_object_agg(node.id, price_per_slot_hour
            + kilowatt_hour * greatest(0, coalesce(load_watts, 0) - coalesce(idle_watts, 0)) / 1000)
        from node left join accelerator_type on accelerator_type.name = node.accelerator_type) as by_node,
    cpu_hour
from (
    select coalesce(max((body #>> '{planning,prices,pricePerCpuHour}')::double precision), 0) as cpu_hour,
        coalesce(max((body #>> '{planning,prices,pricePerKilowattHour}')::double precision), 0) as kilowatt_hour
    from settings) as stated;
comment on view resource_price is 'One row: the current prices that allocations are charged.';
comment on column resource_price.by_node is 'Price of one busy slot with its power for one hour, by node.';
comment on column resource_price.cpu_hour is 'Price of one host CPU for one hour.';

create function price_per_hour(allocation jsonb, spec jsonb, by_node jsonb, cpu_hour double precision)
returns double precision language sql immutable as $$
    select sum(slots * (coalesce((spec #>> '{elasticity,deviceShare}')::double precision, 1) * coalesce((by_node ->> node)::double precision, 0)
        + cpu_hour * host_per_slot(allocation, spec, 'cpusPerSlot')))
    from placement(allocation)
$$;
comment on function price_per_hour(jsonb, jsonb, jsonb, double precision) is
    'Price of the slots, CPUs and power of an allocation for one hour. The slots of deleted nodes have no price.';

create table planner_lease (
    singleton      boolean primary key default true check (singleton),
    holder         text not null,
    lease_term     bigint not null,
    expires_at     timestamptz not null,
    acquired_at    timestamptz,
    lease_duration interval not null default interval '8 seconds'
);
comment on table planner_lease is
    'One row: leader election. The holder plans. The row is also the lock for round numbers and publication.';
comment on column planner_lease.lease_term is
    'Term of the lease and fencing token. Publication compares it within its transaction.';
comment on column planner_lease.acquired_at is 'Beginning of the current term. Null: no term has begun.';
comment on column planner_lease.lease_duration is
    'Granted duration. A lease that ends later than twice this from now was granted before the clock was set back.';
insert into planner_lease (holder, lease_term, expires_at) values ('', 0, now());

create function set_lease_acquired_at() returns trigger language plpgsql as $$
begin
    new.acquired_at = clock_timestamp();
    return new;
end $$;
create trigger planner_lease_acquired before update of lease_term on planner_lease
    for each row when (new.lease_term <> old.lease_term) execute function set_lease_acquired_at();

create table round (
    number        bigint primary key,
    lease_term    bigint not null,
    trigger       text not null,
    status        text not null
        check (status in ('REQUESTED', 'RUNNING', 'PUBLISHED', 'UNCHANGED', 'FAILED', 'ABANDONED', 'FENCED')),
    requested_at  timestamptz not null default now(),
    started_at    timestamptz,
    snapshot_at   timestamptz,
    finished_at   timestamptz,
    plan_revision bigint,
    quality       jsonb,
    stats         jsonb,
    steps         jsonb,
    dropped       jsonb,
    error         text,
    memory        jsonb,
    input_hash    text,
    snapshot      bytea
);
comment on table round is 'Planning rounds. A request for a round is a row with the status REQUESTED that the next round takes.';
comment on column round.lease_term is 'Lease term of the planner.';
comment on column round.snapshot_at is
    'Time of the snapshot. It never decreases from round to round, even if the clock is set back.';
comment on column round.quality is 'Objective value, best bound, and gap.';
comment on column round.stats is 'Statistics of the solver.';
comment on column round.steps is 'Duration of each step of the round, seconds.';
comment on column round.dropped is 'Jobs whose decision was discarded because their state changed during the round.';
comment on column round.memory is 'State for the warm start of the next round, such as dual values.';
comment on column round.input_hash is 'Hash of the snapshot.';
comment on column round.snapshot is 'Snapshot that the round solved, compressed. Removed before the row itself.';
create index round_unfinished on round (number) where status in ('REQUESTED', 'RUNNING');

create table plan (
    revision       bigint primary key,
    round_number   bigint not null unique references round,
    lease_term     bigint not null,
    published_at   timestamptz not null,
    explained_at   timestamptz not null default now(),
    node_revisions jsonb not null,
    summary        jsonb not null,
    body           text not null
);
comment on table plan is 'Published plans.';
comment on column plan.explained_at is 'Time of the last round whose explanations the plan has; it decided the same.';
comment on column plan.lease_term is 'Lease term of the planner.';
comment on column plan.node_revisions is 'By node: the revision in which its part of the plan last changed.';
comment on column plan.summary is 'Summary document of the plan, in the form of the API.';
comment on column plan.body is 'Plan document in the form of the API.';

create table proposal (
    number          bigint generated always as identity primary key,
    round_number    bigint not null,
    base_revision   bigint not null,
    status          text not null
        check (status in ('OPEN', 'APPROVED', 'PUBLISHED', 'REFUSED', 'REJECTED', 'SUPERSEDED')),
    created_at      timestamptz not null default now(),
    decided_at      timestamptz,
    decided_by      text,
    note            text,
    reasons         text[] not null default '{}',
    plan_revision   bigint,
    objective_delta double precision not null,
    body            text not null,
    diff            text not null
);
comment on table proposal is
    'Plans that require approval. At most one is open, and at most one is approved and not yet published.';
comment on column proposal.base_revision is 'Revision of the plan that the proposal replaces.';
comment on column proposal.reasons is 'Reasons why an approved proposal could not be published.';
comment on column proposal.plan_revision is 'Revision that the approval published.';
comment on column proposal.objective_delta is 'Objective value of the proposal minus that of the current plan.';
create unique index proposal_open on proposal (status) where status = 'OPEN';
create unique index proposal_approved on proposal (status) where status = 'APPROVED';

create table eta (
    singleton  boolean primary key default true check (singleton),
    revision   bigint not null,
    created_at timestamptz not null,
    body       text not null
);
comment on table eta is 'One row: the newest start and completion times that were predicted for the whole cluster.';
comment on column eta.revision is 'Plan that the prediction begins with.';

create table eta_record (
    singleton  boolean primary key default true check (singleton),
    revision   bigint not null,
    updated_at timestamptz not null,
    body       text not null
);
comment on table eta_record is
    'One row: backtest of earlier predictions of completion times, and the predictions that are still open, as JSON. '
    'The prediction intervals are calibrated with it.';
