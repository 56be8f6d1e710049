-- Most devices of a type on which the workers of a job may sum gradients among themselves; null for any number. Slices of GPUs have 1.
alter table accelerator_type add column max_all_reduce_slots integer check (max_all_reduce_slots >= 1);
