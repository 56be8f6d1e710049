-- What training code shows that speaks to the service itself, without a token. Whichever version of the service plans, an allocation
-- gets one; those from before have none, and nobody asks for them.
alter table job_allocation add column key uuid;
alter table job_allocation alter column key set default gen_random_uuid();
