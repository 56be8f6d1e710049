-- Simulations that were asked for. Whoever runs one writes a heartbeat; without it another one takes it up.
create table simulation (
    seq          bigint generated always as identity primary key,
    id           text not null unique,
    owner        text not null,
    key          text,
    fingerprint  text not null,
    request      text not null,
    -- the live state as it was when it was asked for, if it is needed; compressed
    problem      bytea,
    state        text not null check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
    attempts     integer not null default 0,
    worker       text,
    heartbeat_at timestamptz,
    progress     double precision not null default 0,
    submitted_at timestamptz not null default now(),
    started_at   timestamptz,
    ended_at     timestamptz,
    error        text,
    results      text,
    csv          text,
    report       text,
    unique (owner, key)
);
create index simulation_unfinished on simulation (seq) where state in ('QUEUED', 'RUNNING');
