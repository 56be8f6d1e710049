-- Learned performance of jobs. Everything here derives from accepted reports and is written in the transaction that accepts
-- the report, so that every replica reads the same state.

create table job_learning (
    job_id              text primary key references job (id),
    learned_speed       jsonb not null,
    predicted_profile   jsonb not null,
    noise_scale         double precision,
    noise_reports       bigint not null default 0,
    drift               jsonb,
    expected_generation bigint not null default 0,
    expected_batch      integer not null default 0,
    expected_seconds    double precision,
    family_version      bigint not null,
    cluster_version     bigint not null,
    version             bigint not null default 1
);
comment on table job_learning is 'Learned speed of each job.';
comment on column job_learning.learned_speed is
    'Windows of reported step times by accelerator type and shape (slots per node), of bounded size.';
comment on column job_learning.predicted_profile is
    'Predicted speeds in the shapes that rounds may allocate, with prediction intervals and provenance.';
comment on column job_learning.noise_scale is 'Mean gradient noise scale over `noise_reports` reports.';
comment on column job_learning.drift is 'Last persistent change of speed that was detected.';
comment on column job_learning.expected_generation is 'Generation that `expected_seconds` applies to.';
comment on column job_learning.expected_batch is 'Batch size that `expected_seconds` applies to.';
comment on column job_learning.expected_seconds is
    'Step time that was predicted when the allocation began, seconds. Reports are compared with it.';
comment on column job_learning.family_version is
    'Version of the family that the predictions were made from; 0 without a known family.';
comment on column job_learning.cluster_version is '`cluster_version` that the predictions were made from.';

create table job_speed (
    id                 bigint generated always as identity primary key,
    job_id             text not null references job (id),
    at                 timestamptz not null default now(),
    generation         bigint not null,
    slots              integer not null,
    samples_per_second double precision not null
);
comment on table job_speed is 'Measured speeds of each job over time, at intervals that grow with the age of the job.';
comment on column job_speed.samples_per_second is 'Raw samples per second of one report.';
create index job_speed_by_job on job_speed (job_id, generation, at);

create table job_loss (
    job_id text primary key references job (id),
    losses jsonb not null
);
comment on table job_loss is 'Reported training losses of each job.';
comment on column job_loss.losses is 'Means of consecutive reports by work, thinned out to a bounded number, and the latest reports.';

create table job_stall (
    job_id             text primary key references job (id),
    learned_stalls     jsonb not null,
    counted_generation bigint not null,
    counted_number     integer not null,
    version            bigint not null default 1
);
comment on table job_stall is 'Measured stalls of the changes of each job.';
comment on column job_stall.learned_stalls is 'Mean logarithm and number of the stalls by kind of change.';
comment on column job_stall.counted_generation is 'Generation of the last counted change that the training reported.';
comment on column job_stall.counted_number is 'Number of that change in its generation. A repeated report counts nothing again.';

create table job_profiling (
    job_id           text primary key references job (id),
    budget           double precision not null,
    spent            double precision not null default 0,
    counted_at       timestamptz,
    profiling_target jsonb,
    cost             double precision not null default 0,
    requested_at     timestamptz,
    completed_runs   jsonb not null default '[]',
    done             boolean not null default false
);
comment on table job_profiling is
    'Profiling runs: short runs in other shapes that measure the speed of a job, within a budget that its owner set.';
comment on column job_profiling.budget is 'Allowed cost, slot-seconds.';
comment on column job_profiling.spent is 'Incurred cost, slot-seconds.';
comment on column job_profiling.counted_at is 'Time up to which `spent` is counted. Null: nothing was counted yet.';
comment on column job_profiling.profiling_target is 'Shape in which the job is to be measured next. Null between runs.';
comment on column job_profiling.cost is 'Expected cost of the next run, slot-seconds.';
comment on column job_profiling.completed_runs is 'Completed runs.';
comment on column job_profiling.done is 'True if no further run gains enough information for its cost.';
create index job_profiling_open on job_profiling (job_id) where not done;

create table job_aggregation (
    job_id         text primary key references job (id),
    gradient_bytes double precision not null,
    learned_load   jsonb not null,
    factor         double precision not null,
    measured_at    timestamptz not null default now()
);
comment on table job_aggregation is 'Learned load that a job puts on gradient aggregators.';
comment on column job_aggregation.gradient_bytes is
    'Gradient size that the job stated at the time, bytes. The factor is invalid once the job states another size.';
comment on column job_aggregation.learned_load is 'Recent ratios of the measured to the expected load, oldest first.';
comment on column job_aggregation.factor is 'Measured load as a multiple of `gradient_bytes`.';

create table aggregation_remedy (
    job_id     text primary key references job (id),
    kind       text not null check (kind in ('OWN_CPUS', 'ALL_REDUCE')),
    decided_at timestamptz not null default now()
);
comment on table aggregation_remedy is
    'Jobs whose shards fit on no shared aggregators within the limits of sharing. Rounds of the next hour plan them accordingly.';

create sequence model_family_version;
create table model_family (
    name           text primary key,
    speeds         jsonb not null,
    version        bigint not null default nextval('model_family_version'),
    stalls         jsonb not null default '{}',
    stalls_version bigint not null default 0,
    updated_at     timestamptz not null default now()
);
comment on table model_family is 'Learned speeds and stalls of model families, from all jobs that named the family.';
comment on column model_family.speeds is 'Reported step times by accelerator type and shape, of bounded size.';
comment on column model_family.version is 'Rises with every change of `speeds`. No two families ever have the same value.';
comment on column model_family.stalls is 'Mean logarithm and number of the stalls by kind of change, from the first changes of each job.';
comment on column model_family.stalls_version is 'Rises with every change of `stalls`. 0: no stall was measured.';
create index model_family_by_age on model_family (updated_at);
