-- What jobs teach of their speeds while they run. All of it is derived from reports that were accepted; each report writes it in
-- the transaction that accepts the report, so that every replica knows it.
create table job_learning (
    job_id              text primary key references job (id),
    -- windows of reported steps by type and shape, of bounded size
    learned             jsonb not null,
    -- speeds in the shapes that rounds may ask for, with bands and origins
    predicted           jsonb not null,
    -- gradient noise scale as last reported
    noise_scale         double precision,
    -- the last lasting change that was noticed
    drift               jsonb,
    -- seconds of a step that were expected when the allocation began, which reports are held against
    expected_generation bigint not null default 0,
    expected_batch      integer not null default 0,
    expected_seconds    double precision,
    -- families and cluster that the predictions were made from
    families_version    bigint not null,
    cluster_version     bigint not null,
    version             bigint not null default 1
);

-- Speeds of families of jobs, from all jobs that named them.
create table model_family (
    name       text primary key,
    speeds     jsonb not null,
    updated_at timestamptz not null default now()
);
create index model_family_by_age on model_family (updated_at);

-- Rises with every change of a family.
create table families_version (
    only_row boolean primary key default true check (only_row),
    version  bigint not null
);
insert into families_version values (true, 1);
create function count_families_version() returns trigger language plpgsql as $$
begin
    update families_version set version = version + 1;
    return null;
end $$;
create trigger model_family_version after insert or update or delete or truncate on model_family
    for each statement execute function count_families_version();
