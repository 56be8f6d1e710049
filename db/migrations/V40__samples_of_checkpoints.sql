-- Raw samples of the newest checkpoint of a job, and the generation that saved it. A later generation that reports fewer has lost work.
alter table job
    add column checkpoint_samples double precision,
    add column checkpoint_generation bigint;
