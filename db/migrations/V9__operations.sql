-- Simulations, restores from a backup, and the clock of the database.

create table simulation (
    seq          bigint generated always as identity primary key,
    id           text not null unique,
    owner        text not null,
    tenants      text[],
    key          text,
    fingerprint  text not null,
    request      text not null,
    snapshot     bytea,
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
comment on table simulation is
    'Requested simulations. The replica that runs one writes heartbeats; another replica takes it when they stop.';
comment on column simulation.tenants is 'Scope of the requesting principal. Null: all tenants.';
comment on column simulation.key is 'Idempotency key.';
comment on column simulation.fingerprint is 'Hash of the request. The same key with another request is rejected.';
comment on column simulation.snapshot is 'Snapshot of the live state at the time of the request, compressed. Null: not needed.';
comment on column simulation.worker is 'Replica that runs it.';
comment on column simulation.progress is 'From 0 to 1.';
create index simulation_unfinished on simulation (seq) where state in ('QUEUED', 'RUNNING');

create table restoration (
    id               bigint generated always as identity primary key,
    exported_at      timestamptz not null,
    restored_at      timestamptz not null default now(),
    recovered_at     timestamptz,
    min_next_number  bigint,
    recovery_ends_at timestamptz
);
comment on table restoration is
    'Restores of this database from a backup. Events after the backup are unknown, so the first replica prevents that a number '
    'is reused and that a job starts while its previous generation still runs.';
comment on column restoration.exported_at is 'Time of the backup.';
comment on column restoration.recovered_at is 'Time at which a replica completed the recovery. Null: not yet, and nothing is planned.';
comment on column restoration.min_next_number is 'Rounds, plan revisions and generations continue above this number.';
comment on column restoration.recovery_ends_at is
    'End of the recovery time, in which nothing is planned or started and executors report their running assignments.';

create table database_clock (
    singleton boolean primary key default true check (singleton),
    read_at   timestamptz not null
);
comment on table database_clock is
    'At most one row: the last reading of the clock by any replica. Leases of executors are compared with it, '
    'so that a jump of the clock is detected before it ends a lease.';
