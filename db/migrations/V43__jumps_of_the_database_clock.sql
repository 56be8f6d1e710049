-- Leases run on the clock of the database, and that clock may be set back or ahead. The length of a lease shows one that was given under a
-- clock that was set back since: it ends later than twice its length from now.
alter table planner_lease add column lease_length interval not null default interval '8 seconds';
alter table connector add column lease_length interval not null default interval '2 minutes';
-- lease and grace; the end of a lease that was extended after a jump of the clock says nothing about its length
alter table executor add column lease_length interval not null default interval '3 minutes';

-- The last reading of the clock by any replica. Leases of executors are compared with it and not with the clock itself, so that a jump
-- of the clock is found before the lease of any executor ends by it. Without a row the clock was never read.
create table database_clock (
    only_row boolean primary key default true check (only_row),
    read_at  timestamptz not null
);
