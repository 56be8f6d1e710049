-- Tenants, their quotas and usage, reservations, and groups of jobs with a common cap.

create table tenant (
    name            text primary key,
    parent          text references tenant,
    weight          double precision not null,
    quotas          jsonb not null,
    max_run_seconds double precision check (max_run_seconds > 0),
    version         bigint not null default 1
);
comment on table tenant is 'The tree of tenants.';
comment on column tenant.parent is 'Null: the root.';
comment on column tenant.weight is 'Fair-share weight among siblings.';
comment on column tenant.quotas is 'Guaranteed and maximum numbers of slots, by accelerator type.';
comment on column tenant.max_run_seconds is
    'Maximum and default of the time limits of jobs that are submitted by it and the tenants below. Null: none.';
insert into tenant (name, parent, weight, quotas) values ('root', null, 1, '{}');
create constraint trigger tenant_version after insert or update or delete on tenant
    deferrable initially deferred for each row execute function increment_cluster_version();
create trigger tenant_truncated after truncate on tenant
    for each statement execute function increment_cluster_version();

create table tenant_usage (
    tenant       text primary key references tenant on delete cascade,
    slot_seconds double precision not null
);
comment on table tenant_usage is 'Past usage of each tenant for fair share.';
comment on column tenant_usage.slot_seconds is 'Slot-seconds with exponential decay by age, as of `usage_clock.as_of`.';

create table usage_clock (
    singleton boolean primary key default true check (singleton),
    as_of     timestamptz not null
);
comment on table usage_clock is 'One row. The time to which all rows of `tenant_usage` are decayed.';

create table reservation (
    name            text primary key,
    nodes           text[] not null,
    tenant          text references tenant,
    starts_at       timestamptz,
    ends_at         timestamptz,
    job             text,
    lead_seconds    double precision,
    requested_pool  text,
    requested_type  text,
    requested_slots integer check (requested_slots >= 1),
    recurrence_rule text,
    time_zone       text,
    version         bigint not null default 1,
    check ((recurrence_rule is null) = (time_zone is null))
);
comment on table reservation is 'Nodes that are reserved for a tenant or for one job during a time.';
comment on column reservation.nodes is 'Reserved nodes.';
comment on column reservation.starts_at is 'Start of the first occurrence. Null: unbounded.';
comment on column reservation.ends_at is 'End of the first occurrence. Null: unbounded.';
comment on column reservation.job is 'The job that the nodes are reserved for. Null: every job of the tenant.';
comment on column reservation.lead_seconds is
    'Other jobs release the nodes that many seconds before the start. Null: they may hold the nodes until the start.';
comment on column reservation.recurrence_rule is 'Rule of RFC 5545 by which the reservation repeats. Null: once.';
comment on column reservation.time_zone is 'IANA time zone of the rule.';
comment on column reservation.requested_pool is 'Requested pool, if the service selected the nodes.';
comment on column reservation.requested_type is 'Requested accelerator type, if the service selected the nodes.';
comment on column reservation.requested_slots is 'Requested number of slots, if the service selected the nodes.';

create table job_group (
    name      text primary key,
    tenant    text not null references tenant,
    max_slots integer,
    max_jobs  integer,
    version   bigint not null default 1
);
comment on table job_group is 'Groups of jobs with a common cap. A job names its group in its specification.';
comment on column job_group.max_slots is 'Maximum number of slots of all running jobs of the group. Null: unlimited.';
comment on column job_group.max_jobs is 'Maximum number of running jobs of the group. Null: unlimited.';
create constraint trigger job_group_version after insert or update or delete on job_group
    deferrable initially deferred for each row execute function increment_cluster_version();
create trigger job_group_truncated after truncate on job_group
    for each statement execute function increment_cluster_version();
