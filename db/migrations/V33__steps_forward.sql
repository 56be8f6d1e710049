-- A step forward concerns the executors of the other nodes of the gang alone: its own has taken it, and finds in the answer what comes
-- next. Commits that tell somebody something wait for each other, so those of jobs on one node had better not.
create or replace function tell_gang_of_assignment() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' and new.state in ('ACCEPTED', 'STARTING', 'RUNNING') then
        perform pg_notify('spur_executors', a.node) from assignment a
            where a.job_id = new.job_id and a.node <> new.node
              and a.state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING');
    elsif tg_op = 'INSERT' or new.state <> old.state then
        perform tell_executors_of(new.job_id, new.node);
    end if;
    return null;
end $$;
