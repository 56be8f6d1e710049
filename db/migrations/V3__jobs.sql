-- Jobs of both kinds: training jobs and data-preparation jobs.
--
-- Desired state (written by plans) and observed state (written by reports of executors) are separate columns:
-- job.allocation and job.resource_grant are desired, job.observed_* is observed.

-- PostgreSQL replaces the calls by the expression, so that queries with other states can use the partial indexes.
create function is_active(state text) returns boolean language sql immutable as $$
    select state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')
$$;
comment on function is_active(text) is 'True for the states of a job that has not ended.';

create function placement(allocation jsonb) returns table (node text, devices jsonb, slots integer) language sql immutable as $$
    select piece ->> 'node', piece -> 'devices', jsonb_array_length(piece -> 'devices')
    from jsonb_array_elements(allocation -> 'placement') piece
$$;
comment on function placement(jsonb) is 'Nodes of an allocation with its devices there. No rows without an allocation.';

create function slots_held(allocation jsonb, device_share double precision) returns double precision language sql immutable as $$
    select sum(slots) * coalesce(device_share, 1) from placement(allocation)
$$;
comment on function slots_held(jsonb, double precision) is
    'Slots of an allocation. A share of a device is that part of a slot. Null without an allocation.';

create function share_of_roles(allocation jsonb, roles jsonb, resource text) returns double precision language plpgsql immutable as $$
declare
    slots   integer[] := array(select piece.slots from placement(allocation) piece order by piece.slots desc);
    taken   integer[] := array_fill(0, array[cardinality(slots)]);
    amounts double precision[] := array_fill(0::double precision, array[cardinality(slots)]);
    role    jsonb;
    best    integer;
begin
    for role in select value from jsonb_array_elements(roles) with ordinality order by ordinality loop
        for replica in 1..(case when cardinality(slots) = 0 then 0 else (role ->> 'count')::integer end) loop
            best := 1;
            for i in 2..cardinality(slots) loop
                if (taken[i] + 1) * slots[best] < (taken[best] + 1) * slots[i] then
                    best := i;
                end if;
            end loop;
            taken[best] := taken[best] + 1;
            amounts[best] := amounts[best] + (role ->> resource)::double precision;
        end loop;
    end loop;
    return coalesce((select max(amounts[i] / slots[i]) from generate_subscripts(slots, 1) i), 0);
end
$$;
comment on function share_of_roles(jsonb, jsonb, text) is
    'Largest share of a slot in the replicas of roles on its node, for cpus or memoryGiB: as class Roles counts it.';

create function host_per_slot(allocation jsonb, spec jsonb, resource text) returns double precision language sql immutable as $$
    select cast(coalesce(allocation #>> array['configuration', 'host', resource], spec #>> array['host', resource], '0') as double precision)
        + case when spec ? 'roles' then share_of_roles(allocation, spec -> 'roles', replace(resource, 'PerSlot', '')) else 0 end
$$;
comment on function host_per_slot(jsonb, jsonb, text) is
    'Host resource per slot of an allocation, cpusPerSlot or memoryGiBPerSlot: as granted, else as stated by the job, with its roles.';

create table job_array (
    seq          bigint generated always as identity primary key,
    id           text not null unique,
    tenant       text not null references tenant,
    owner        text not null,
    name         text not null,
    indices      text not null,
    size         integer not null,
    group_name   text references job_group on delete set null,
    submitted_at timestamptz not null default now(),
    version      bigint not null default 1
);
comment on table job_array is 'Arrays: jobs that one request has submitted and that differ in their index.';
comment on column job_array.indices is 'Indices as stated, such as `0-99:2,200`.';
comment on column job_array.size is 'Number of its jobs.';
comment on column job_array.group_name is 'Job group that limits how many of its jobs run. Null: no limit.';
create index job_array_by_tenant on job_array (tenant);
create index job_array_by_group on job_array (group_name) where group_name is not null;

create table job (
    seq                   bigint generated always as identity primary key,
    id                    text not null unique,
    kind                  text not null default 'TRAINING' check (kind in ('TRAINING', 'DATA_PREPARATION')),
    tenant                text not null references tenant,
    owner                 text not null,
    name                  text not null,
    external_id           text,
    labels                jsonb not null,
    array_id              text references job_array (id),
    array_index           integer,
    -- specification
    spec                  jsonb not null,
    spec_version          bigint not null default 1,
    command               jsonb,
    next_command          jsonb,
    deadline              timestamptz,
    deadline_status       text not null check (deadline_status in ('NONE', 'PENDING', 'GUARANTEED', 'AT_RISK')),
    wait_for_hardware     boolean not null,
    not_before            timestamptz,
    depends_on            jsonb not null default '[]',
    unmet_dependencies    text[] not null default '{}',
    active_group          text generated always as (
        case when is_active(state) then spec ->> 'group' end) stored
        references job_group,
    limit_seconds         double precision generated always as (
        case when is_active(state) then cast(spec #>> '{timeLimit,seconds}' as double precision) end) stored,
    device_share          double precision generated always as (
        cast(spec #>> '{elasticity,deviceShare}' as double precision)) stored,
    -- life cycle
    state                 text not null
        check (state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING', 'DONE', 'FAILED', 'CANCELLED')),
    held                  boolean not null default false,
    submitted_at          timestamptz not null default now(),
    ended_at              timestamptz,
    -- progress
    total_work            double precision not null,
    done_work             double precision not null default 0,
    raw_samples           double precision not null default 0,
    expected_samples      double precision,
    report_generation     bigint not null default 0,
    report_seq            bigint not null default 0,
    checkpoint_step       bigint,
    checkpoint_at         timestamptz,
    checkpoint_samples    double precision,
    checkpoint_generation bigint,
    last_step_at          timestamptz,
    last_step_generation  bigint not null default 0,
    -- history up to the last change of the allocation
    attained_service      double precision not null default 0,
    run_seconds           double precision not null default 0,
    restarts              integer not null default 0,
    first_start           timestamptz,
    waiting_since         timestamptz not null default now(),
    unserved_since        timestamptz not null default now(),
    failures              integer not null default 0,
    retry_at              timestamptz,
    -- desired state: changes only with the generation
    generation            bigint not null default 0,
    started_generation    bigint not null default 0,
    allocation            jsonb,
    resource_grant        jsonb,
    allocated_since       timestamptz,
    -- observed state
    observed_state        text,
    observed_detail       text,
    observed_at           timestamptz,
    activity              jsonb not null default '{}',
    version               bigint not null default 1,
    unique (external_id, tenant)
) with (fillfactor = 70); -- most updates leave the indexed columns, and need no index entry if the page has room
comment on table job is 'Training jobs and data-preparation jobs: CPU jobs that may borrow memory of other nodes.';
comment on column job.owner is 'Principal that submitted the job.';
comment on column job.external_id is 'Identifier from the client, unique within the tenant.';
comment on column job.array_id is 'Array of the job. Null: none.';
comment on column job.array_index is 'Index in the array.';
comment on column job.labels is 'Labels from the client: a JSON object of strings.';
comment on column job.spec is 'Specification in the form of the API.';
comment on column job.spec_version is 'Incremented by a trigger with every write of `spec`. Rounds read only the specifications that changed.';
comment on column job.command is 'Command that executors start. Null: an external platform starts the job.';
comment on column job.next_command is
    'Command from the next generation on. A job with an allocation keeps its command until its generation rises.';
comment on column job.deadline_status is 'State of the deadline guarantee.';
comment on column job.wait_for_hardware is 'True if the job waits for suitable nodes instead of being rejected when there are none.';
comment on column job.not_before is
    'Rounds do not start the job before. `waiting_since` is set when it is reached. Null: none.';
comment on column job.depends_on is 'Dependencies as the owner states them: objects with the members `job` or `array`, and `when`.';
comment on column job.unmet_dependencies is
    'Jobs and arrays of `depends_on` whose condition is not met. Rounds start no job that has one. A canceled job keeps those that it had.';
comment on column job.active_group is
    'Group of a job that has not ended. The foreign key protects groups of active jobs from deletion.';
comment on column job.device_share is 'Share of one device that the job takes. Null: whole devices.';
comment on column job.limit_seconds is 'Maximum run time of a job that has not ended, seconds. Null: none.';
comment on column job.total_work is 'Stated work: effective samples, or seconds at full local memory of a data preparation.';
comment on column job.done_work is
    'Completed work: effective samples (raw samples weighted with the statistical efficiency), or seconds at full local memory.';
comment on column job.raw_samples is 'Samples that the executors counted.';
comment on column job.expected_samples is
    'Predicted total of effective samples for a job with a target loss. Null: `total_work` applies.';
comment on column job.report_generation is 'Generation of the last accepted progress report.';
comment on column job.report_seq is 'Sequence number of the last accepted progress report within its generation.';
comment on column job.checkpoint_samples is
    'Raw samples of the newest checkpoint. A later generation that reports fewer has lost work.';
comment on column job.checkpoint_generation is 'Generation that saved the newest checkpoint.';
comment on column job.last_step_at is 'End of the last reported step, from which the stall of a restart is measured.';
comment on column job.last_step_generation is 'Generation of that step. 0: no report has had the time of a step.';
comment on column job.attained_service is 'Slot-seconds held.';
comment on column job.run_seconds is 'Time with an allocation, seconds.';
comment on column job.failures is 'Consecutive failures.';
comment on column job.retry_at is 'End of the backoff after a failure. Rounds do not start the job before.';
comment on column job.generation is
    'Begins after the generations of earlier jobs with the same checkpoint directory. Rises with every change of the allocation, and with every start and stop of a data preparation. Memory loans change within a generation. Reports of older generations are rejected.';
comment on column job.started_generation is 'Last generation for which executors started processes. 0: none.';
comment on column job.allocation is 'Desired allocation. Null: the job holds no slots.';
comment on column job.resource_grant is
    'Node, CPU cores, and memory (local and borrowed) of a data preparation. Null: it does not run.';
comment on column job.activity is 'Activity of the borrowed memory by lender, as last reported.';
create index job_active on job (seq) where is_active(state);
create index job_by_checkpoints on job (tenant, (command ->> 'checkpointDir')) where command ->> 'checkpointDir' is not null;
create index job_by_tenant on job (tenant, seq);
create index job_by_array on job (array_id, array_index) where array_id is not null;
create index job_by_active_group on job (active_group, seq) where active_group is not null;
create index job_by_time_limit on job (seq) where limit_seconds is not null;
create index job_by_retry on job (retry_at) where retry_at is not null;
create index job_by_begin on job (not_before) where waiting_since < not_before and is_active(state);
-- Without fastupdate: each change of the state of a job looks up the index, and would read the list of pending entries.
create index job_by_unmet_dependency on job using gin (unmet_dependencies) with (fastupdate = off) where unmet_dependencies <> '{}';
create index job_by_dependency on job using gin (depends_on jsonb_path_ops) with (fastupdate = off) where depends_on <> '[]';
create index job_with_command on job (seq) where command is not null and state in ('RUNNING', 'COMPLETING');
create index job_active_preparation on job (seq) where kind = 'DATA_PREPARATION' and is_active(state);

create function increment_spec_version() returns trigger language plpgsql as $$
begin
    new.spec_version := old.spec_version + 1;
    return new;
end $$;
comment on function increment_spec_version() is 'Counts the changes of the specification of a job.';
create trigger job_spec_version before update of spec on job
    for each row execute function increment_spec_version();

create table job_event (
    id     bigint generated always as identity primary key,
    job_id text not null references job (id),
    at     timestamptz not null default now(),
    kind   text not null,
    detail jsonb not null
);
comment on table job_event is 'Event log of each job.';
comment on column job_event.detail is 'Data of the event. The members depend on `kind`.';
create index job_event_by_job on job_event (job_id, id);

create table job_allocation (
    job_id        text not null references job (id),
    generation    bigint not null,
    plan_revision bigint not null,
    change        text not null,
    allocation    jsonb,
    command       jsonb,
    message       text,
    key           uuid default gen_random_uuid(),
    started_at    timestamptz not null,
    ended_at      timestamptz,
    primary key (job_id, generation)
);
comment on table job_allocation is 'Allocation history: one row per generation of a job.';
comment on column job_allocation.change is 'Kind of change that the plan made (start, preempt, migrate, ...).';
comment on column job_allocation.allocation is 'Null: the job held no slots in this generation.';
comment on column job_allocation.command is
    'Command that this generation started, if the command of the job changed while executors still ran it. Null: that of the job.';
comment on column job_allocation.message is 'Reason of the change, by the plan that made it. Null: unknown.';
comment on column job_allocation.key is 'Capability that training code of this generation presents instead of a token.';
create index job_allocation_by_end on job_allocation (ended_at);

create table idempotency_key (
    caller      text not null,
    key         text not null,
    fingerprint text not null,
    job_id      text,
    array_id    text,
    created_at  timestamptz not null default now(),
    primary key (caller, key),
    check (num_nonnulls(job_id, array_id) = 1)
);
comment on table idempotency_key is 'Idempotency keys of submissions.';
comment on column idempotency_key.fingerprint is 'Hash of the request. The same key with another request is rejected.';
create index idempotency_key_by_age on idempotency_key (created_at);
