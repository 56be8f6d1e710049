-- Runs in which the speed of a job is measured that its owner has allowed it: what they have cost, the one that is wanted now, and
-- those that are over.
create table job_profiling (
    job_id     text primary key references job (id),
    -- slot-seconds, allowed and spent
    budget     double precision not null,
    spent      double precision not null default 0,
    -- up to when slot-seconds are counted; null before the first were
    counted_at timestamptz,
    -- the shape in which the job is to be measured; null between runs
    probe      jsonb,
    -- slot-seconds that the run is expected to cost
    cost       double precision not null default 0,
    wanted_at  timestamptz,
    over       jsonb not null default '[]',
    -- true once no further run is worth its cost
    done       boolean not null default false
);
create index job_profiling_open on job_profiling (job_id) where not done;
