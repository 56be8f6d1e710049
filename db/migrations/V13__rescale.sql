-- Changes of the ranks of running jobs.

alter table assignment
    add column next_devices text[],
    add column rescale      integer not null default 0,
    add column ranks        integer[],
    add column rescale_port integer,
    add column rescaled_at  timestamptz;
comment on column assignment.next_devices is
    'Devices after the change of the ranks that is in progress, in the order of ranks. Null: none is in progress. '
    'Empty: all ranks leave or have left the node. '
    'The column devices has all devices that the assignment holds meanwhile.';
comment on column assignment.rescale is 'Number of changes of the ranks.';
comment on column assignment.ranks is 'Rank of the job before the last change, by rank after it. Null elements: ranks that joined.';
comment on column assignment.rescale_port is 'Rendezvous port of the last change.';
comment on column assignment.rescaled_at is 'Time of the plan that decided the last change.';
create index assignment_in_rescale on assignment (rescaled_at) where next_devices is not null;

alter table assignment add column warm_up text check (warm_up in ('PENDING', 'READY', 'FAILED'));
comment on column assignment.warm_up is
    'Start of the processes while an older generation of the job still trains. PENDING: the executor starts them, and the '
    'older generation continues. READY: they wait for the start of the assignment. FAILED: they start like others. Null: not ordered.';
create index assignment_in_warm_up on assignment (changed_at) where warm_up = 'PENDING';

alter table job add column rescale_failed boolean not null default false;
comment on column job.rescale_failed is 'True if a change of the ranks has failed: the job changes by restarts from then on.';

alter table job_allocation add column part integer not null default 0;
comment on column job_allocation.part is
    '0: the last allocation of the generation. The earlier ones, which a change of the ranks replaced, have the numbers from 1.';
alter table job_allocation drop constraint job_allocation_pkey;
alter table job_allocation add primary key (job_id, generation, part);

-- All executors of the job follow a change of the ranks, and stop the older generation once the next one is ready.
create function notify_gang_of_change() returns trigger language plpgsql as $$
begin
    perform notify_executors(new.job_id, new.node);
    return null;
end $$;
create trigger assignment_warm_up_notification after update on assignment
    for each row when (old.warm_up is distinct from new.warm_up) execute function notify_gang_of_change();
create trigger assignment_rescale_notification after update on assignment
    for each row when ((old.next_devices, old.devices) is distinct from (new.next_devices, new.devices))
    execute function notify_gang_of_change();
