-- What the jobs of each tenant have held, in slot-seconds of which each is decayed by its age, as of the one time below.
create table tenant_usage (
    tenant       text primary key references tenant on delete cascade,
    slot_seconds double precision not null
);

create table usage_clock (
    only_row boolean primary key default true check (only_row),
    as_of    timestamptz not null
);

create index job_allocation_ended_at on job_allocation (ended_at);
