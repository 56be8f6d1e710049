-- Changes of what submissions are held against are counted when they are committed, once for each transaction. Whoever counts holds the
-- counter until the end: counted with each statement, an executor that brought type and node, and an operator who brought the same node,
-- waited for each other.
create or replace function count_cluster_version() returns trigger language plpgsql as $$
begin
    if current_setting('spur.counted_in', true) is distinct from pg_current_xact_id()::text then
        update cluster_version set version = version + 1;
        perform set_config('spur.counted_in', pg_current_xact_id()::text, true);
    end if;
    return null;
end $$;

do $$
declare
    counted text;
begin
    foreach counted in array array['accelerator_type', 'pool', 'node', 'tenant', 'job_group'] loop
        execute format('drop trigger %1$s_version on %1$s', counted);
        execute format('create constraint trigger %1$s_version after insert or update or delete on %1$s '
            'deferrable initially deferred for each row execute function count_cluster_version()', counted);
        execute format('create trigger %1$s_emptied after truncate on %1$s '
            'for each statement execute function count_cluster_version()', counted);
    end loop;
end $$;
