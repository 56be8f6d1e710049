-- Outcomes: what the history of jobs and nodes needs beyond the state of both.

alter table job_allocation add column first_progress_at timestamptz;
comment on column job_allocation.first_progress_at is
    'Arrival of the first report with progress of this generation. Null: none has arrived.';
create index job_by_end on job (ended_at);
create index job_by_deadline on job (deadline) where deadline is not null;

create table job_outcome (
    job_id           text primary key references job (id),
    max_goodput      double precision,
    max_slot_goodput double precision
);
comment on table job_outcome is
    'Best speeds of ended training jobs, by the measurements and the nodes at that time. Measurements are deleted later.';
comment on column job_outcome.max_goodput is
    'Effective samples per second in the fastest allowed configuration. Null: no node can run the job.';
comment on column job_outcome.max_slot_goodput is
    'Effective samples per second and slot in the configuration where that is highest. Null: no node can run the job.';

create table slot_capacity (
    accelerator_type text not null,
    at               timestamptz not null,
    slots            integer not null,
    unavailable      integer not null,
    primary key (accelerator_type, at)
);
comment on table slot_capacity is
    'History of the number of slots by accelerator type: one row per change. Deleted types keep their history.';
comment on column slot_capacity.at is 'Time from which the numbers hold.';
comment on column slot_capacity.slots is 'Slots of all nodes that are not lost.';
comment on column slot_capacity.unavailable is 'Slots of cordoned and draining nodes that no job holds.';

create table gpu_usage (
    accelerator_type text not null,
    at               timestamptz not null,
    utilization      double precision,
    memory_used_gib  double precision,
    power_watts      double precision,
    primary key (accelerator_type, at)
);
comment on table gpu_usage is 'Samples of the use of GPUs by accelerator type, from heartbeats of executors.';
comment on column gpu_usage.utilization is 'Mean over the devices that jobs held, from 0 to 1. Null: none was reported.';
comment on column gpu_usage.memory_used_gib is 'Memory in use, sum over all devices, GiB. Null: none was reported.';
comment on column gpu_usage.power_watts is 'Power, sum over all devices, W. Null: none was reported.';
