-- What aggregators had done when their jobs last learnt from it. Their executors report it with each heartbeat; nobody is told of it.
create table aggregator_counts (
    node        text not null,
    number      integer not null,
    -- differs for every process: counts of another one begin anew
    instance    text not null,
    seconds     double precision not null,
    cpu_seconds double precision,
    -- share of its slots that it was busy between the last two reports; null before there are two
    utilisation double precision,
    -- by job and generation: [{"jobId": .., "generation": .., "seconds": .., "load": .., "shards": [..]}]
    portions    jsonb not null,
    reported_at timestamptz not null default now(),
    primary key (node, number)
);

-- What aggregators have to do for a job, as a multiple of the gradient bytes that it stated then. Once it states others, it counts no more.
create table job_aggregation (
    job_id       text primary key references job (id),
    stated_bytes double precision not null,
    learned      jsonb not null,
    factor       double precision not null,
    measured_at  timestamptz not null default now()
);
