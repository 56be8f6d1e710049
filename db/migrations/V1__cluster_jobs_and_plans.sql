-- Desired state (what plans give) and observed state (what executors report) are kept apart: job.allocation is desired,
-- job.observed_* is observed. Every row that a client may change carries a version, which is its ETag.

create table accelerator_type (
    name       text primary key,
    memory_gib double precision not null,
    version    bigint not null default 1
);

create table pool (
    name        text primary key,
    whole_nodes boolean not null,
    version     bigint not null default 1
);

create table node (
    id                  text primary key,
    seq                 bigint generated always as identity,
    pool                text not null references pool,
    rack                text,
    accelerator_type    text references accelerator_type,
    devices             text[] not null,
    cpus                double precision not null,
    memory_gib          double precision not null,
    aggregation_slots   double precision not null,
    price_per_slot_hour double precision not null,
    state               text not null check (state in ('ACTIVE', 'CORDONED', 'DRAINING', 'LOST')),
    version             bigint not null default 1,
    updated_at          timestamptz not null default now()
);

create table tenant (
    name    text primary key,
    parent  text references tenant,
    weight  double precision not null,
    quotas  jsonb not null,
    version bigint not null default 1
);
insert into tenant (name, parent, weight, quotas) values ('root', null, 1, '{}');

-- One row: counts the changes of what submissions are held against, so that they need not read it again each time.
create table cluster_version (
    only_row boolean primary key default true check (only_row),
    version  bigint not null default 1
);
insert into cluster_version default values;
create function count_cluster_version() returns trigger language plpgsql as $$
begin
    update cluster_version set version = version + 1;
    return null;
end $$;
create trigger accelerator_type_version after insert or update or delete or truncate on accelerator_type
    for each statement execute function count_cluster_version();
create trigger pool_version after insert or update or delete or truncate on pool
    for each statement execute function count_cluster_version();
create trigger node_version after insert or update or delete or truncate on node
    for each statement execute function count_cluster_version();
create trigger tenant_version after insert or update or delete or truncate on tenant
    for each statement execute function count_cluster_version();

create table reservation (
    name      text primary key,
    nodes     text[] not null,
    tenant    text references tenant,
    starts_at timestamptz not null,
    ends_at   timestamptz not null,
    version   bigint not null default 1
);

-- One row: how rounds are planned and how often.
create table settings (
    only_row boolean primary key default true check (only_row),
    body     jsonb not null,
    version  bigint not null default 1
);

create table job (
    seq               bigint generated always as identity primary key,
    id                text not null unique,
    tenant            text not null references tenant,
    owner             text not null,
    name              text not null,
    external_id       text,
    labels            jsonb not null,
    spec              jsonb not null,
    -- counted by a trigger whenever spec is written: rounds read again only what changed
    spec_version      bigint not null default 1,
    deadline          timestamptz,
    promise           text not null check (promise in ('NONE', 'ASKED', 'PROMISED', 'AT_RISK')),
    wait_for_hardware boolean not null,
    state             text not null
        check (state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING', 'DONE', 'FAILED', 'CANCELLED')),
    held              boolean not null default false,
    submitted_at      timestamptz not null default now(),
    ended_at          timestamptz,
    -- work, in useful samples; raw samples are what executors count
    total_samples     double precision not null,
    done_samples      double precision not null default 0,
    raw_samples       double precision not null default 0,
    report_generation bigint not null default 0,
    report_seq        bigint not null default 0,
    -- history up to the last change of allocation
    attained_service  double precision not null default 0,
    run_seconds       double precision not null default 0,
    restarts          integer not null default 0,
    first_start       timestamptz,
    waiting_since     timestamptz not null default now(),
    -- desired: changes only with the generation
    generation        bigint not null default 0,
    allocation        jsonb,
    allocated_since   timestamptz,
    -- observed
    observed_state    text,
    observed_detail   text,
    observed_at       timestamptz,
    version           bigint not null default 1,
    unique (tenant, external_id)
);
create function count_spec_version() returns trigger language plpgsql as $$
begin
    new.spec_version := old.spec_version + 1;
    return new;
end $$;
create trigger job_spec_version before update of spec on job
    for each row execute function count_spec_version();
create index job_active on job (seq) where state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING');
create index job_by_tenant on job (tenant, seq);

create table job_event (
    id     bigint generated always as identity primary key,
    job_id text not null references job (id),
    at     timestamptz not null default now(),
    kind   text not null,
    detail jsonb not null
);
create index job_event_by_job on job_event (job_id, id);

create table job_allocation (
    job_id        text not null references job (id),
    generation    bigint not null,
    plan_revision bigint not null,
    change        text not null,
    allocation    jsonb,
    started_at    timestamptz not null,
    ended_at      timestamptz,
    primary key (job_id, generation)
);

create table idempotency_key (
    caller      text not null,
    key         text not null,
    fingerprint text not null,
    job_id      text not null,
    created_at  timestamptz not null default now(),
    primary key (caller, key)
);
create index idempotency_key_by_age on idempotency_key (created_at);

-- Exactly one replica plans. The epoch is the fencing number: publication checks it inside its transaction.
create table planner_lease (
    name       text primary key,
    holder     text not null,
    epoch      bigint not null,
    expires_at timestamptz not null
);
insert into planner_lease values ('planner', '', 0, now());

-- A request for a round is a row without a start; the planner takes it up as its next round.
create table round (
    number        bigint primary key,
    epoch         bigint not null,
    trigger       text not null,
    requested_at  timestamptz not null default now(),
    started_at    timestamptz,
    -- time of the snapshot; no later round is planned for an earlier time, whatever the clock says
    snapshot_at   timestamptz,
    finished_at   timestamptz,
    status        text not null
        check (status in ('REQUESTED', 'RUNNING', 'PUBLISHED', 'UNCHANGED', 'FAILED', 'FENCED')),
    plan_revision bigint,
    quality       jsonb,
    stats         jsonb,
    steps         jsonb,
    dropped       jsonb,
    error         text,
    memory        jsonb,
    input_hash    text,
    problem       bytea
);
create index round_unfinished on round (number) where status in ('REQUESTED', 'RUNNING');

create table plan (
    revision       bigint primary key,
    round_number   bigint not null unique references round,
    epoch          bigint not null,
    published_at   timestamptz not null,
    -- by node: the revision at which its part of the plan last changed
    node_revisions jsonb not null,
    summary        jsonb not null,
    body           text not null
);
