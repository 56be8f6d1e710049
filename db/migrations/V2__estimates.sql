-- One row: the newest estimates of starts and completions, and the plan that they begin with.
create table estimate (
    only_row boolean primary key default true check (only_row),
    revision bigint not null,
    made_at  timestamptz not null,
    body     text not null
);
