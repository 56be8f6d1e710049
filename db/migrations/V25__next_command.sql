-- Another command of a job that has an allocation waits here until its generation rises: what runs goes on with the command that it was
-- started with. A trigger takes it over, so that it comes to pass whichever version of the service plans. Old replicas show none of it.
alter table job add column next_command jsonb;
-- what the allocation was started with, noted when its job got another command before its executors had ended it; else that of the job
alter table job_allocation add column command jsonb;

create function take_over_command() returns trigger language plpgsql as $$
begin
    update job_allocation h set command = old.command
    where h.job_id = new.id and h.command is null and exists (
        select from assignment a where a.job_id = h.job_id and a.generation = h.generation
            and a.state in ('OFFERED', 'ACCEPTED', 'STARTING', 'RUNNING', 'STOPPING'));
    new.command := new.next_command;
    new.next_command := null;
    return new;
end $$;
create trigger job_command before update of generation, next_command on job
    for each row when (new.next_command is not null and (new.generation <> old.generation or new.allocation is null))
    execute function take_over_command();
