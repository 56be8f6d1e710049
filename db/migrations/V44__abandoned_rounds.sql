-- A round whose planner stopped or died has not failed.
alter table round drop constraint round_status_check;
alter table round add constraint round_status_check
    check (status in ('REQUESTED', 'RUNNING', 'PUBLISHED', 'UNCHANGED', 'FAILED', 'ABANDONED', 'FENCED'));
