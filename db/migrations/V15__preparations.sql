-- Jobs that prepare data. What they are granted is desired state and changes with plans; what they report is observed.
create table preparation (
    seq               bigint generated always as identity primary key,
    id                text not null unique,
    tenant            text not null references tenant,
    owner             text not null,
    name              text not null,
    external_id       text,
    labels            jsonb not null,
    spec              jsonb not null,
    command           jsonb,
    state             text not null check (state in ('WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    submitted_at      timestamptz not null default now(),
    waiting_since     timestamptz not null default now(),
    ended_at          timestamptz,
    -- rises with every start; what it borrows changes within a generation
    generation        bigint not null default 0,
    granted           jsonb,
    done_seconds      double precision not null default 0,
    report_generation bigint not null default 0,
    report_seq        bigint not null default 0,
    activity          jsonb not null default '{}',
    failures          integer not null default 0,
    retry_at          timestamptz,
    detail            text,
    version           bigint not null default 1,
    unique (tenant, external_id)
);
create index preparation_active on preparation (seq) where state in ('WAITING', 'RUNNING');

-- Preparations that a job still waits for. Each is taken out when it is done; one that fails stays.
alter table job add column awaits text[] not null default '{}';
create index job_that_awaits on job using gin (awaits) where awaits <> '{}';

-- Memory of nodes that is in use beyond what jobs are granted there, as it was last reported.
create table node_memory (
    node        text primary key references node on delete cascade,
    used_gib    double precision not null,
    risk        double precision not null,
    reported_at timestamptz not null default now()
);

-- Executors are told what to run and whom to lend to.
create trigger preparation_told after update on preparation
    for each row when (old.granted is distinct from new.granted or old.state is distinct from new.state)
    execute function tell_executors();
