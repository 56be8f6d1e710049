-- Devices that executors have reported as not healthy. Rounds leave them out until they have been healthy for long enough.
-- Old replicas write none of this and plan with every device.
create table device_health (
    node       text not null references node on delete cascade,
    device     text not null,
    healthy    boolean not null,
    -- how often it has turned unhealthy since it was last healthy for long
    failures   integer not null,
    changed_at timestamptz not null default clock_timestamp(),
    -- when it counts again; null while it is unhealthy
    counts_at  timestamptz,
    primary key (node, device)
);
create index device_health_by_return on device_health (counts_at) where counts_at is not null;
