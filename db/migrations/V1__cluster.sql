-- The cluster: accelerator types, pools, nodes and their health.
--
-- Conventions of the whole schema: `version` is the ETag of a row that clients may change. `seq` orders rows by creation
-- and is the cursor of lists. Times come from the clock of the database. JSON columns hold the documents of the API.

create table cluster_version (
    singleton boolean primary key default true check (singleton),
    version   bigint not null default 1
);
comment on table cluster_version is
    'One row. Rises with every change of the data that submissions are validated against. Replicas use it to validate their caches.';
insert into cluster_version default values;

-- Counts once per transaction, at commit. A statement-level trigger would hold the row lock until commit.
-- Two transactions that write nodes and accelerator types in a different order would then deadlock or wait.
create function increment_cluster_version() returns trigger language plpgsql as $$
begin
    if current_setting('spur.cluster_version_incremented_in', true) is distinct from pg_current_xact_id()::text then
        update cluster_version set version = version + 1;
        perform set_config('spur.cluster_version_incremented_in', pg_current_xact_id()::text, true);
    end if;
    return null;
end $$;

create table accelerator_type (
    name                 text primary key,
    memory_gib           double precision not null,
    max_all_reduce_slots integer check (max_all_reduce_slots >= 1),
    contention           double precision check (contention >= 0),
    idle_watts           double precision check (idle_watts >= 0),
    load_watts           double precision check (load_watts >= 0),
    version              bigint not null default 1
);
comment on table accelerator_type is 'Accelerator types that nodes may have.';
comment on column accelerator_type.memory_gib is 'Memory of one device, GiB.';
comment on column accelerator_type.max_all_reduce_slots is
    'Maximum number of devices across which the workers of a job may all-reduce. Null: unlimited. GPU slices (MIG) have 1.';
comment on column accelerator_type.contention is
    'Relative increase of the step time of a job on several nodes by each further such job on a node. Null: not measured.';
comment on column accelerator_type.idle_watts is 'Power of an idle device, watts. Null: unknown, counts as 0.';
comment on column accelerator_type.load_watts is 'Power of a busy device, watts. Null: unknown, counts as 0.';
create constraint trigger accelerator_type_version after insert or update or delete on accelerator_type
    deferrable initially deferred for each row execute function increment_cluster_version();
create trigger accelerator_type_truncated after truncate on accelerator_type
    for each statement execute function increment_cluster_version();

create table pool (
    name            text primary key,
    whole_nodes     boolean not null,
    max_run_seconds double precision check (max_run_seconds > 0),
    version         bigint not null default 1
);
comment on table pool is 'Pools of nodes.';
comment on column pool.whole_nodes is 'True if jobs receive only whole nodes of the pool.';
comment on column pool.max_run_seconds is 'Maximum of the time limits of jobs that are submitted to the pool. Null: none.';
create constraint trigger pool_version after insert or update or delete on pool
    deferrable initially deferred for each row execute function increment_cluster_version();
create trigger pool_truncated after truncate on pool
    for each statement execute function increment_cluster_version();

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
    labels              jsonb not null default '{}',
    shares_devices      boolean not null default false,
    version             bigint not null default 1
);
comment on table node is 'Nodes of the cluster.';
comment on column node.accelerator_type is 'Null: a node without accelerators.';
comment on column node.devices is 'Identifiers of the devices. Each device is one slot.';
comment on column node.cpus is 'CPU cores that jobs may use.';
comment on column node.memory_gib is 'Host memory that jobs may use, GiB.';
comment on column node.aggregation_slots is 'CPU cores that gradient aggregators of the node may use.';
comment on column node.price_per_slot_hour is 'Price of one slot for one hour. 0: no price.';
comment on column node.labels is 'Labels by name, which jobs may require.';
comment on column node.shares_devices is 'True if jobs that take a share of a device may start on it.';
create constraint trigger node_version after insert or update or delete on node
    deferrable initially deferred for each row execute function increment_cluster_version();
create trigger node_truncated after truncate on node
    for each statement execute function increment_cluster_version();

create table node_memory (
    node            text primary key references node on delete cascade,
    used_gib        double precision not null,
    risk            double precision not null,
    lending_refusal text,
    exports         jsonb not null default '[]',
    reported_at     timestamptz not null default now()
);
comment on table node_memory is 'Host memory of a node that is in use beyond the grants of jobs, as last reported.';
comment on column node_memory.used_gib is 'Memory in use, GiB.';
comment on column node_memory.risk is 'Probability that the use grows into memory that could be lent, from 0 to 1.';
comment on column node_memory.lending_refusal is 'Why the node lends no memory. Null: it lends.';
comment on column node_memory.exports is
    'Loans that borrowers can reach, with their keys: [{"preparationId": .., "generation": .., "port": .., "key": ..}].';

create table device_health (
    node              text not null references node on delete cascade,
    device            text not null,
    healthy           boolean not null,
    failures          integer not null,
    changed_at        timestamptz not null default clock_timestamp(),
    quarantined_until timestamptz,
    primary key (node, device)
);
comment on table device_health is
    'Devices that their executor has reported as unhealthy. Rounds exclude a device until the end of its quarantine.';
comment on column device_health.failures is
    'Number of transitions to unhealthy. The row is deleted after the maximum quarantine time in service.';
comment on column device_health.quarantined_until is 'End of the quarantine. Null while the device is unhealthy.';
create index device_health_by_quarantine_end on device_health (quarantined_until) where quarantined_until is not null;

create table maintenance_window (
    name            text primary key,
    nodes           text[] not null,
    pool            text,
    starts_at       timestamptz not null,
    ends_at         timestamptz not null,
    lead_seconds    double precision not null,
    reason          text,
    recurrence_rule text,
    time_zone       text,
    version         bigint not null default 1,
    check (starts_at < ends_at),
    check ((recurrence_rule is null) = (time_zone is null))
);
comment on table maintenance_window is
    'Maintenance windows. Ended windows are history, so that neither `nodes` nor `pool` is a foreign key.';
comment on column maintenance_window.nodes is 'Nodes under maintenance, in addition to all nodes of `pool`.';
comment on column maintenance_window.lead_seconds is 'The nodes drain from this time before the start on, seconds.';
comment on column maintenance_window.starts_at is 'Start of the first occurrence.';
comment on column maintenance_window.ends_at is 'End of the first occurrence.';
comment on column maintenance_window.recurrence_rule is 'Rule of RFC 5545 by which the window repeats. Null: once.';
comment on column maintenance_window.time_zone is 'IANA time zone of the rule.';
create index maintenance_window_by_end on maintenance_window (ends_at);
