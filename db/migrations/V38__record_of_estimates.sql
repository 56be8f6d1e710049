-- What became of earlier estimates of completions, and which are still open, as JSON: the bands of the next ones are learnt from it, by
-- whichever replica plans next. One row for each planning domain; the empty name is the whole state where there are none.
create table estimate_record (
    domain   text primary key,
    revision bigint not null,
    kept_at  timestamptz not null,
    body     text not null
);
