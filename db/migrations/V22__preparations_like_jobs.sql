-- No round starts a preparation that is held back.
alter table preparation add column held boolean not null default false;

create table preparation_event (
    id             bigint generated always as identity primary key,
    preparation_id text not null references preparation (id),
    at             timestamptz not null default now(),
    kind           text not null,
    detail         jsonb not null
);
create index preparation_event_by_preparation on preparation_event (preparation_id, id);
