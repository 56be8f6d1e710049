-- Connectors to external platforms (Kubernetes, Slurm, ...), the nodes and jobs that they import, and their actions.

create table connector (
    name                text primary key,
    kind                text not null,
    control_level       text not null check (control_level in ('OBSERVE', 'PRIORITIZE', 'ADMIT', 'RESIZE')),
    failures            integer not null default 0,
    circuit_open_reason text,
    holder              text not null default '',
    expires_at          timestamptz not null default now(),
    lease_duration      interval not null default interval '2 minutes',
    last_sync_at        timestamptz,
    last_sync_error     text,
    sync_report         jsonb,
    version             bigint not null default 1
);
comment on table connector is 'Connectors: control level, circuit breaker, lease of the replica that runs it, and last synchronization.';
comment on column connector.kind is 'Kind of the platform.';
comment on column connector.control_level is 'Control level.';
comment on column connector.failures is 'Consecutive failed verifications of actions.';
comment on column connector.circuit_open_reason is 'Reason why the circuit breaker is open and the connector only observes. Null: closed.';
comment on column connector.holder is 'Replica that holds the lease. Empty: none.';
comment on column connector.expires_at is 'End of the lease.';
comment on column connector.lease_duration is
    'Granted duration. A lease that ends later than twice this from now was granted before the clock was set back.';
comment on column connector.last_sync_at is 'Time of the last synchronization.';
comment on column connector.last_sync_error is 'Error of the last synchronization. Null: it succeeded.';
comment on column connector.sync_report is 'Report of the last successful synchronization.';

create table connector_node (
    node      text primary key,
    connector text not null references connector,
    condition text not null,
    seen_at   timestamptz not null default now()
);
comment on table connector_node is 'Nodes that a connector registered.';
comment on column connector_node.condition is 'Condition of the node as last reported by the platform.';
comment on column connector_node.seen_at is
    'Time at which the platform last listed the node. A missing node is cordoned at once and marked LOST after a grace time.';

create table connector_job (
    connector            text not null references connector,
    platform_id          text not null,
    job_id               text references job (id),
    manually_overridden  boolean not null default false,
    reason               text,
    evaluated_at         timestamptz not null default now(),
    seen_at              timestamptz not null default now(),
    progress             double precision,
    key                  uuid,
    run                  text,
    run_number           bigint not null default 0,
    run_generation       bigint,
    run_workers          integer,
    override_ended_round bigint,
    primary key (connector, platform_id)
);
comment on table connector_job is 'Jobs of a platform that the connector imported or rejected.';
comment on column connector_job.job_id is 'Null: rejected for `reason`.';
comment on column connector_job.manually_overridden is
    'True while an operator of the platform has overridden Spur: the job runs, or does not run, by manual decision.';
comment on column connector_job.progress is
    'Fraction of the work that the platform last reported as done. Null before the first report. '
    'If the samples of the job differ from it, the job itself has reported them, and its reports take precedence.';
comment on column connector_job.key is
    'Capability with which the processes request the locations of their shards. Several jobs of an owner may share one.';
comment on column connector_job.run is 'Identifier of the current run on the platform. Null: not running.';
comment on column connector_job.run_number is
    'Number of the run. Aggregators use it as the generation, because a platform restarts jobs without a new generation.';
comment on column connector_job.run_generation is 'Generation of the job when the run was first observed.';
comment on column connector_job.override_ended_round is
    'Last round that had begun when the manual override ended. Plans up to it do not contain the job.';
create index connector_job_by_job on connector_job (job_id) where job_id is not null;
create index connector_job_by_key on connector_job (key) where key is not null;

create table connector_action (
    seq           bigint generated always as identity,
    connector     text not null references connector,
    id            text not null,
    revision      bigint not null,
    job           text not null,
    kind          text not null,
    placement     jsonb not null,
    batch         integer,
    host          jsonb,
    priority      bigint not null,
    state         text not null
        check (state in ('OPEN', 'DONE', 'FAILED', 'REFUSED', 'SUPERSEDED', 'JOB_ENDED')),
    step          text,
    step_deadline timestamptz,
    failures      integer not null,
    detail        text not null,
    changed_at    timestamptz not null default now(),
    primary key (connector, id)
);
comment on table connector_action is 'Write-ahead log of actions: each row is written before the connector calls the platform.';
comment on column connector_action.revision is 'Plan that requires the action.';
comment on column connector_action.placement is 'Nodes and slots that the action places the job on.';
comment on column connector_action.batch is 'Batch size that the job reads at its start. Null: the job chooses it.';
comment on column connector_action.host is
    'CPUs in thousandths and MiB of memory that each slot is granted at the start. Null: they stay as requested.';
comment on column connector_action.step is 'Step of the action that was last executed.';
comment on column connector_action.step_deadline is 'Time limit for the platform to show the effect of the step.';
comment on column connector_action.failures is 'Consecutive failures of the step.';
create index connector_action_open on connector_action (connector, seq) where state = 'OPEN';
create index connector_action_by_job on connector_action (connector, job, seq);
create index connector_action_by_age on connector_action (changed_at) where state <> 'OPEN';

create table platform_aggregator (
    label            uuid primary key default gen_random_uuid(),
    seq              bigint generated always as identity,
    connector        text not null references connector,
    node             text not null,
    number           integer not null,
    pool             text not null,
    port             integer not null,
    key              uuid not null unique default gen_random_uuid(),
    closing          boolean not null default false,
    request_deadline timestamptz,
    request_accepted boolean not null default false,
    host             text,
    host_port        integer,
    observed_since   timestamptz,
    failures         integer not null default 0,
    detail           text not null,
    last_request_at  timestamptz
);
comment on table platform_aggregator is
    'Aggregators that a platform runs for a connector. A row exists from before the request to the platform until its removal is observed.';
comment on column platform_aggregator.label is 'Label of the aggregator on the platform.';
comment on column platform_aggregator.key is 'Capability with which the aggregator requests its shards.';
comment on column platform_aggregator.closing is 'True if it is to be removed.';
comment on column platform_aggregator.request_deadline is 'Time limit for the platform to show the effect of the last request.';
comment on column platform_aggregator.request_accepted is 'True if the platform accepted the last request.';
comment on column platform_aggregator.host is 'Host on which the platform runs it. Null: not observed.';
comment on column platform_aggregator.observed_since is 'Time at which it was first observed on the host.';
comment on column platform_aggregator.failures is 'Consecutive failures to run it.';
comment on column platform_aggregator.last_request_at is 'Time of its last request for shards.';
create unique index platform_aggregator_open on platform_aggregator (connector, node, number, port) where not closing;
