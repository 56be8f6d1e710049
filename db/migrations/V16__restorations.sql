-- Each time that this database was restored from an export. What the world has seen since the export is not known here, so whoever
-- takes such a database up makes sure that no number is given twice and that nothing is started beside what still runs.
create table restoration (
    id           bigint generated always as identity primary key,
    -- the moment of which the export is
    exported_at  timestamptz not null,
    restored_at  timestamptz not null default now(),
    -- when a replica took it up; null before, and until then nothing is planned
    taken_up_at  timestamptz,
    -- rounds, revisions of plans and generations go on above it
    number_floor bigint,
    -- until then nothing is planned or started, and executors say what they run
    quiet_until  timestamptz
);
