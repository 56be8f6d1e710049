-- Who waits for assignments is told which nodes are concerned, so that only what these are to do is read again; '' still stands for all.
-- A step of an assignment concerns its node, where others may wait for its devices, and wherever else its job has assignments, which may
-- wait for it or go with it.
create function tell_executors_of(job text, node text) returns void language sql as $$
    select pg_notify('spur_executors', concerned) from (
        select tell_executors_of.node as concerned where tell_executors_of.node is not null
        union
        select a.node from assignment a
        where a.job_id = tell_executors_of.job and a.state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING')
    ) nodes
$$;

create function tell_gang_of_assignment() returns trigger language plpgsql as $$
begin
    perform tell_executors_of(new.job_id, new.node);
    return null;
end $$;

create function tell_gang_of_job() returns trigger language plpgsql as $$
begin
    perform tell_executors_of(new.id, null);
    return null;
end $$;

create or replace trigger assignment_told after insert or update on assignment
    for each row execute function tell_gang_of_assignment();
create or replace trigger job_told after update on job
    for each row when (new.command is not null
        and (old.generation, old.held, old.state) is distinct from (new.generation, new.held, new.state))
    execute function tell_gang_of_job();
