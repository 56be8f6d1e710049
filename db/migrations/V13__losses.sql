-- The losses that a job reported, thinned out to a bounded number. They are written in the transaction that accepts the report.
create table job_loss (
    job_id text primary key references job (id),
    losses jsonb not null
);
-- Useful samples after which a job with a target loss is expected to be done; null where its stated work counts.
alter table job add column expected_samples double precision;
