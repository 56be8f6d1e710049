-- A reservation for one job names it; others leave `lead_seconds` before it begins, or stay until then if that is null. The three
-- below it say what was asked for where the service chose the nodes.
alter table reservation
    add column job text,
    add column lead_seconds double precision,
    add column wanted_pool text,
    add column wanted_type text,
    add column wanted_slots integer check (wanted_slots >= 1);
