-- The last round that had begun when a person gave the job back: plans up to that round were made without it.
alter table connector_job add column returned_at_round bigint;

-- When the platform last showed the node. One that is missing from a list is closed at first, and lost after some seconds.
alter table connector_node add column seen_at timestamptz not null default now();
