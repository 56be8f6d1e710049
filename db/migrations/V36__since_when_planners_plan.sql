-- Since when the holder of a lease has it; null for one that was taken before this was written down. Set here and not by whoever takes the
-- lease, which may be a replica that does not know the column.
alter table planner_lease add column taken_at timestamptz;
create function stamp_planner_lease() returns trigger language plpgsql as $$
begin
    new.taken_at = clock_timestamp();
    return new;
end $$;
create trigger planner_lease_taken before update of epoch on planner_lease
    for each row when (new.epoch <> old.epoch) execute function stamp_planner_lease();
