-- Restores from a backup, and the clock of the database.

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
