-- Executors, the assignments that they run, and gradient aggregators.

create sequence executor_registration_epoch;
comment on sequence executor_registration_epoch is 'Registration epochs of executors, unique across all executors.';

create table executor (
    id                 text primary key,
    instance           text not null,
    registration_epoch bigint not null,
    state              text not null check (state in ('ALIVE', 'LOST')),
    version            text,
    address            text not null,
    devices            text[] not null,
    unhealthy          text[] not null default '{}',
    device_usage       jsonb not null default '[]',
    start_refusal      text,
    host_enforcement   text not null default 'NONE' check (host_enforcement in ('CGROUP', 'AFFINITY', 'NONE')),
    registered_at      timestamptz not null,
    seen_at            timestamptz not null,
    lease_expires_at   timestamptz not null,
    reclaim_at         timestamptz not null,
    lease_duration     interval not null default interval '3 minutes',
    observed_revision  bigint,
    node_state         text
);
comment on table executor is 'Executors. The id equals the id of the node. Leases run on the clock of the database.';
comment on column executor.instance is 'Identifier of the process of the executor.';
comment on column executor.registration_epoch is 'Registration epoch and fencing token: requests with an older one are rejected.';
comment on column executor.version is 'Software version of the executor.';
comment on column executor.devices is 'Devices that the executor registered.';
comment on column executor.unhealthy is 'Unhealthy devices of the last heartbeat.';
comment on column executor.device_usage is
    'Use of the devices by the last heartbeat: [{"uuid": .., "utilization": .., "memoryUsedMiB": .., "powerWatts": ..}].';
comment on column executor.host_enforcement is 'How the executor limits CPUs and memory of jobs, by its registration.';
comment on column executor.start_refusal is
    'Reason why the executor starts no processes, by its last heartbeat, for example a full disk. Null: it starts them.';
comment on column executor.lease_expires_at is 'End of the lease. The executor stops its processes when it cannot renew the lease in time.';
comment on column executor.reclaim_at is
    'End of the lease plus grace time. From then on the executor is LOST and its slots may be allocated to other jobs.';
comment on column executor.lease_duration is
    'Lease plus grace time as granted. Shows a lease that was granted before the clock was set back.';
comment on column executor.observed_revision is 'Revision of the plan that the executor last applied.';
comment on column executor.node_state is 'State of the node before it was marked LOST together with its executor.';
create index executor_by_reclaim on executor (reclaim_at) where state = 'ALIVE';

create sequence gang_port increment by 2 minvalue 20000 maxvalue 29998 cycle;
comment on sequence gang_port is 'Rendezvous ports of gangs. A gang uses the port and the next one.';

create function is_live(state text) returns boolean language sql immutable as $$
    select state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING')
$$;
comment on function is_live(text) is 'True for the states of an assignment that has not ended.';

create function holds_devices(state text) returns boolean language sql immutable as $$
    select state in ('STARTING', 'RUNNING', 'STOPPING')
$$;
comment on function holds_devices(text) is 'True if processes may exist, so that the assignment holds its devices.';

create table assignment (
    job_id            text not null,
    generation        bigint not null,
    node              text not null,
    role              text not null check (role in ('WORKER', 'AGGREGATOR')),
    devices           text[] not null,
    device_share      double precision check (device_share > 0 and device_share < 1),
    aggregation_slots double precision not null,
    node_rank         integer not null,
    rank_offset       integer not null,
    port              integer not null,
    resume_up_to      bigint,
    state             text not null default 'OFFERED' check (state in
        ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'FAILED', 'LOST')),
    orphan            boolean not null default false,
    seq               bigint not null default 0,
    pid               integer,
    exit_code         integer,
    requested         boolean,
    detail            text,
    ready_at          timestamptz,
    changed_at        timestamptz not null default now(),
    primary key (job_id, generation, node)
);
comment on table assignment is
    'Assignments: the part of a generation of a job on one node, as offered to and reported by its executor (observed state). '
    'The desired state follows from the job: generation, allocation and hold. '
    'There are no foreign keys, because executors may report jobs that the database does not contain.';
comment on column assignment.devices is 'Assigned devices of the node.';
comment on column assignment.device_share is 'Share of its single device that it takes. Null: whole devices.';
comment on column assignment.aggregation_slots is 'Assigned CPU cores for gradient aggregation.';
comment on column assignment.node_rank is 'Rank of the node within the gang.';
comment on column assignment.rank_offset is 'Rank of the first worker process on the node.';
comment on column assignment.port is 'Rendezvous port of the gang.';
comment on column assignment.resume_up_to is 'Highest checkpoint step from which the generation may resume. Null: no limit.';
comment on column assignment.orphan is 'Orphan: reported by an executor that should no longer run it.';
comment on column assignment.seq is 'Sequence number of the last accepted transition.';
comment on column assignment.requested is 'True if the executor itself ended the processes. False if they ended on their own.';
comment on column assignment.ready_at is 'Time from which no other assignment blocks the start.';
create index assignment_live_by_node on assignment (node)
    where is_live(state);
create index assignment_live_by_job on assignment (job_id)
    where is_live(state);
create index assignment_by_node on assignment (node, changed_at);
create index assignment_by_age on assignment (changed_at) where state in ('STOPPED', 'FAILED', 'LOST');

create table aggregator (
    node            text not null,
    number          integer not null,
    cpus            double precision not null,
    port            integer not null,
    shards          jsonb not null,
    draining_shards jsonb not null,
    primary key (node, number)
);
comment on table aggregator is 'Gradient aggregators of the current plan.';
comment on column aggregator.number is 'Number of the aggregator within its node.';
comment on column aggregator.cpus is 'Allocated CPU cores.';
comment on column aggregator.shards is
    'Assigned shards by job: [{"jobId": .., "generation": .., "workers": .., "shards": [..]}].';
comment on column aggregator.draining_shards is 'Shards of generations that are to end and still run, in the same form.';

create table aggregator_counter (
    node        text not null,
    number      integer not null,
    instance    text not null,
    seconds     double precision not null,
    cpu_seconds double precision,
    utilization double precision,
    shards      jsonb not null,
    reported_at timestamptz not null default now(),
    primary key (node, number)
);
comment on table aggregator_counter is
    'Counters of each aggregator at the last update of the learned aggregation cost, from heartbeats of executors.';
comment on column aggregator_counter.instance is 'Identifier of the process. Counters restart at 0 with every process.';
comment on column aggregator_counter.seconds is 'Uptime, seconds.';
comment on column aggregator_counter.cpu_seconds is 'CPU time, seconds. Null: not reported.';
comment on column aggregator_counter.utilization is
    'Utilization of the allocated cores between the last two reports, from 0 to 1. Null before the second report.';
comment on column aggregator_counter.shards is
    'Counters by job and generation: [{"jobId": .., "generation": .., "seconds": .., "load": .., "shards": [..]}].';

-- Notifications for executors that wait in a long poll. Triggers send them on the channel `spur_executors`, so that a change
-- by any replica is notified. The payload is a node whose assignments may have changed; the empty payload means all nodes.

create function notify_all_executors() returns trigger language plpgsql as $$
begin
    perform pg_notify('spur_executors', '');
    return null;
end $$;
comment on function notify_all_executors() is 'Notifies all nodes.';
create trigger aggregator_notification after insert or update or delete on aggregator
    for each statement execute function notify_all_executors();
create trigger preparation_notification after update on job
    for each row when (old.resource_grant is distinct from new.resource_grant)
    execute function notify_all_executors();
create trigger memory_export_notification after update on node_memory
    for each row when (old.exports is distinct from new.exports)
    execute function notify_all_executors();
create trigger first_memory_export_notification after insert on node_memory
    for each row when (new.exports <> '[]')
    execute function notify_all_executors();

-- In PL/pgSQL, because PostgreSQL plans a function in SQL again for each row of a plan with thousands of jobs.
create function notify_executors(job text, node text) returns void language plpgsql as $$
begin
    if notify_executors.node is not null then
        perform pg_notify('spur_executors', notify_executors.node);
    end if;
    perform pg_notify('spur_executors', a.node) from assignment a
        where a.job_id = notify_executors.job and a.node is distinct from notify_executors.node and is_live(a.state);
end $$;
comment on function notify_executors(text, text) is
    'Notifies a node, where other assignments may wait for its devices, and all nodes of the gang of a job.';

-- A step forward notifies only the other nodes of the gang: the executor that reported it reads the next step from the response.
-- A new assignment notifies its own node: those of the other nodes notify theirs.
-- Transactions with notifications commit one after the other, so those of jobs on a single node should send none.
create function notify_gang_of_assignment() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and new.state in ('ACCEPTED', 'STARTING', 'RUNNING') then
        perform pg_notify('spur_executors', a.node) from assignment a
            where a.job_id = new.job_id and a.node <> new.node
              and is_live(a.state);
    elsif tg_op = 'INSERT' then
        perform pg_notify('spur_executors', new.node);
    elsif new.state <> old.state then
        perform notify_executors(new.job_id, new.node);
    end if;
    return null;
end $$;
comment on function notify_gang_of_assignment() is 'Notifies the nodes of the gang of an assignment.';
create trigger assignment_notification after insert or update on assignment
    for each row execute function notify_gang_of_assignment();

create function notify_gang_of_job() returns trigger language plpgsql as $$
begin
    perform notify_executors(new.id, null);
    return null;
end $$;
comment on function notify_gang_of_job() is 'Notifies the nodes of the gang of a job.';
create trigger job_notification after update on job
    for each row when (new.command is not null and new.generation > 0
        and (old.generation, old.held, old.state) is distinct from (new.generation, new.held, new.state))
    execute function notify_gang_of_job();

create function activate_next_command() returns trigger language plpgsql as $$
begin
    update job_allocation h set command = old.command
    where h.job_id = new.id and h.command is null and exists (
        select from assignment a where a.job_id = h.job_id and a.generation = h.generation
            and is_live(a.state));
    new.command := new.next_command;
    new.next_command := null;
    return new;
end $$;
comment on function activate_next_command() is
    'Activates the next command of a job with its next generation, or when the job holds no resources. Generations that '
    'executors still run keep the previous command in the allocation history.';
create trigger job_next_command before update of generation, next_command on job
    for each row when (new.next_command is not null
        and (new.generation <> old.generation or new.allocation is null and new.resource_grant is null))
    execute function activate_next_command();
