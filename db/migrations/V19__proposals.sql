-- Plans that wait, or have waited, for an operator. At most one is open, and at most one approved and not carried out.
create table proposal (
    number        bigint generated always as identity primary key,
    round_number  bigint not null,
    base_revision bigint not null,
    status        text not null
        check (status in ('OPEN', 'APPROVED', 'PUBLISHED', 'REFUSED', 'REJECTED', 'SUPERSEDED')),
    created_at    timestamptz not null default now(),
    decided_at    timestamptz,
    decided_by    text,
    note          text,
    reasons       text[] not null default '{}',
    plan_revision bigint,
    objective_delta double precision not null,
    body          text not null,
    diff          text not null
);

create unique index proposal_open on proposal (status) where status = 'OPEN';
create unique index proposal_approved on proposal (status) where status = 'APPROVED';
