-- Times in which nodes are worked on: those of `nodes`, and all of `pool`. Windows that have ended are kept as history, so that
-- neither column refers to what exists.
create table maintenance_window (
    name         text primary key,
    nodes        text[] not null,
    pool         text,
    starts_at    timestamptz not null,
    ends_at      timestamptz not null,
    lead_seconds double precision not null,
    reason       text,
    version      bigint not null default 1,
    check (starts_at < ends_at)
);

create index maintenance_window_ends_at on maintenance_window (ends_at);

-- Null: from ever, for ever.
alter table reservation alter column starts_at drop not null;
alter table reservation alter column ends_at drop not null;
