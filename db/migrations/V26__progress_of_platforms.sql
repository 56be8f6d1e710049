-- The share of a job's work that its platform last said is done, as it was carried into the job; null before the first.
-- Samples that differ from it were reported by the job itself, and count more.
alter table connector_job add column progress double precision;
