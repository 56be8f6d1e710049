-- What a job starts on its nodes, and how its starts have gone. Old replicas write none of this and read none of it.
alter table job add column command jsonb;
-- failures in a row, and the time before which no round may start the job again
alter table job add column failures integer not null default 0;
alter table job add column retry_at timestamptz;
-- the last generation of which processes were started; 0 before
alter table job add column started_generation bigint not null default 0;
alter table job add column checkpoint_step bigint;
create index job_to_offer on job (seq) where command is not null and state in ('RUNNING', 'COMPLETING');
create index job_by_retry on job (retry_at) where retry_at is not null;

-- Executors, each named like the node that it speaks for. Lease and grace run on the clock of the database.
create sequence executor_epoch;
create table executor (
    id                text primary key,
    instance          text not null,
    epoch             bigint not null,
    state             text not null check (state in ('ALIVE', 'LOST')),
    version           text,
    address           text not null,
    devices           text[] not null,
    unhealthy         text[] not null default '{}',
    registered_at     timestamptz not null,
    seen_at           timestamptz not null,
    lease_until       timestamptz not null,
    -- from then on the executor is lost and what it held may be given away
    reclaim_at        timestamptz not null,
    observed_revision bigint,
    -- state of the node before it was taken for lost with its executor
    node_state        text
);
create index executor_by_reclaim on executor (reclaim_at) where state = 'ALIVE';

-- Each gang has a port of its own and the one after it.
create sequence gang_port increment by 2 minvalue 20000 maxvalue 29998 cycle;

-- What executors were told to do and have reported of it: observed state. What is desired follows from the job alone: its
-- generation, its allocation, and whether it is held. No foreign keys: executors may report what nobody here knows.
create table assignment (
    job_id            text not null,
    generation        bigint not null,
    node              text not null,
    role              text not null check (role in ('WORKER', 'AGGREGATOR')),
    devices           text[] not null,
    aggregation_slots double precision not null,
    node_rank         integer not null,
    rank_offset       integer not null,
    port              integer not null,
    resume_up_to      bigint,
    state             text not null default 'OFFERED' check (state in
        ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING', 'STOPPED', 'FAILED', 'LOST')),
    -- true if an executor reported it that should not have run it any more
    stranger          boolean not null default false,
    seq               bigint not null default 0,
    pid               integer,
    exit_code         integer,
    requested         boolean,
    detail            text,
    -- since when nothing has been in its way
    ready_at          timestamptz,
    changed_at        timestamptz not null default now(),
    primary key (job_id, generation, node)
);
create index assignment_live_by_node on assignment (node)
    where state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING');
create index assignment_live_by_job on assignment (job_id)
    where state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING');
create index assignment_by_age on assignment (changed_at) where state in ('STOPPED', 'FAILED', 'LOST');

-- Whoever waits for assignments is told when they may have changed, whichever replica or version changed them.
create function tell_executors() returns trigger language plpgsql as $$
begin
    perform pg_notify('spur_executors', '');
    return null;
end $$;
create trigger assignment_told after insert or update on assignment
    for each row execute function tell_executors();
create trigger job_told after update on job
    for each row when (new.command is not null
        and (old.generation, old.held, old.state) is distinct from (new.generation, new.held, new.state))
    execute function tell_executors();
