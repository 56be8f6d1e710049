-- Groups of jobs that share a cap. A job names its group in its specification.

create table job_group (
    name      text primary key,
    tenant    text not null references tenant,
    max_slots integer,
    max_jobs  integer,
    version   bigint not null default 1
);
create trigger job_group_version after insert or update or delete or truncate on job_group
    for each statement execute function count_cluster_version();

-- The group of an active job, so that no group goes that a round would look for; what has ended only names it.
alter table job add column active_group text
    generated always as (
        case when state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING') then spec ->> 'group' end) stored
    references job_group;
create index job_by_active_group on job (active_group, seq) where active_group is not null;
