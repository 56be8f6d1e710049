-- The aggregators of the current plan. Rounds begin with where shards lie now.
create table aggregator (
    node     text not null,
    -- which of the aggregators of the node it is
    number   integer not null,
    cpus     double precision not null,
    port     integer not null,
    -- by job, the shards that lie on it: [{"jobId": .., "generation": .., "workers": .., "shards": [..]}]
    portions jsonb not null,
    -- the same of generations that are to end and have not yet
    leaving  jsonb not null,
    primary key (node, number)
);

create trigger aggregator_told after insert or update or delete on aggregator
    for each statement execute function tell_executors();

-- Aggregators serve several jobs, so none is a member of a gang any more.
delete from assignment where role = 'AGGREGATOR';
