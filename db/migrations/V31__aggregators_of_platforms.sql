-- Aggregators that connectors have a platform run, or are about to. A line is here before the platform is asked, and until nothing of
-- it is there any more.
create table platform_aggregator (
    -- what it is known by on the platform
    mark        uuid primary key default gen_random_uuid(),
    seq         bigint generated always as identity,
    connector   text not null references connector,
    node        text not null,
    number      integer not null,
    pool        text not null,
    port        integer not null,
    -- by which it asks what it is to sum
    key         uuid not null unique default gen_random_uuid(),
    closing     boolean not null default false,
    -- by when what was asked for last is to be seen
    asked_until timestamptz,
    promised    boolean not null default false,
    -- where it was seen
    host        text,
    host_port   integer,
    since       timestamptz,
    failures    integer not null default 0,
    detail      text not null,
    -- when it last asked what it is to sum
    called_at   timestamptz
);
create unique index platform_aggregator_wanted on platform_aggregator (connector, node, number, port) where not closing;

-- How the processes of a job on a platform speak to Spur, and which of them do.
alter table connector_job
    -- by which they ask where their gradients are summed; several jobs of an owner may have the same
    add column key            uuid,
    -- differs for each time that the platform starts them; null while none run
    add column run            text,
    -- which run that is: what aggregators take for the generation, since a platform starts jobs anew without asking
    add column run_number     bigint not null default 0,
    -- generation of the job when the run was first seen
    add column run_generation bigint,
    add column run_workers    integer;
create index connector_job_by_key on connector_job (key) where key is not null;
