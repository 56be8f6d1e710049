-- Logs of jobs: the last output of each rank, uploaded by executors.

create table job_log (
    job_id         text primary key references job (id),
    seq            bigint not null default 0,
    followed_until timestamptz
);
comment on table job_log is 'Logs of jobs. The row of a job is locked by each upload, so that the uploads of a job are numbered in commit order.';
comment on column job_log.seq is 'Number of the last upload. Readers use it as a cursor.';
comment on column job_log.followed_until is
    'Until then executors upload new output. Null: no caller has requested the log.';

create table job_log_rank (
    job_id        text not null references job_log (job_id) on delete cascade,
    generation    bigint not null,
    rank          integer not null,
    node          text not null,
    seq           bigint not null,
    upload_seq    bigint not null,
    path          text,
    exit_code     integer,
    stopped       boolean not null default false,
    out_of_memory text check (out_of_memory in ('HOST', 'DEVICE')),
    ended_at      timestamptz,
    primary key (job_id, generation, rank)
);
comment on table job_log_rank is 'Processes whose output was uploaded, by rank.';
comment on column job_log_rank.seq is 'Number of the last upload in `job_log`.';
comment on column job_log_rank.upload_seq is 'Sequence number that the executor gave to its last upload. Older uploads are ignored.';
comment on column job_log_rank.path is 'File with the whole log on the node. Null: not reported.';
comment on column job_log_rank.exit_code is 'Exit code, 128 plus the signal number for a killed process. Null: it has not ended.';
comment on column job_log_rank.stopped is 'True if the executor stopped the process: on request, or because another rank had failed.';
comment on column job_log_rank.out_of_memory is 'Exhausted memory: of the host or of a device. Null: not known.';
comment on column job_log_rank.ended_at is 'End of the process, on the clock of the database.';

create table job_log_chunk (
    job_id      text not null references job_log (job_id) on delete cascade,
    seq         bigint not null,
    generation  bigint not null,
    rank        integer not null,
    text        text not null,
    uploaded_at timestamptz not null default now(),
    primary key (job_id, seq, generation, rank)
);
comment on table job_log_chunk is 'Uploaded output, as complete lines. Old chunks of a rank are deleted when newer ones exceed its limit.';
create index job_log_chunk_by_rank on job_log_chunk (job_id, generation, rank, seq);

-- Transactions with notifications commit one after the other, so uploads of a log without readers send none.
create function notify_log_readers() returns trigger language plpgsql as $$
begin
    perform pg_notify('spur_logs', new.job_id);
    return null;
end $$;
create trigger job_log_notification after insert or update of seq on job_log
    for each row when (new.seq > 0 and new.followed_until is not null) execute function notify_log_readers();
