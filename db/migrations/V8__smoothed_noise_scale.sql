-- The noise scale is a mean over reports now, not the last one: how many of them it holds.
alter table job_learning add column noise_reports bigint not null default 0;
update job_learning set noise_reports = 1 where noise_scale is not null;
