-- Connectors: what each may do and how it fares, which replica runs it, and what it found and did.
create table connector (
    name       text primary key,
    kind       text not null,
    mode       text not null check (mode in ('OBSERVE', 'PRIORITIZE', 'ADMIT', 'RESIZE')),
    -- failed verifications in a row
    failures   integer not null default 0,
    -- why it went back to OBSERVE by itself
    tripped    text,
    holder     text not null default '',
    expires_at timestamptz not null default now(),
    looked_at  timestamptz,
    -- why the last look came to nothing
    trouble    text,
    -- what the last look that came to something found, as JSON
    findings   jsonb,
    version    bigint not null default 1
);

-- Nodes that a connector has entered, with what its platform last said of them.
create table connector_node (
    node      text primary key,
    connector text not null references connector,
    condition text not null
);

-- Jobs of a platform that were taken in, or could not be.
create table connector_job (
    connector   text not null references connector,
    platform_id text not null,
    job_id      text references job (id),
    -- true while it runs, or does not, by the will of a person: Spur holds it meanwhile
    hands_off   boolean not null default false,
    reason      text,
    asked_at    timestamptz not null default now(),
    seen_at     timestamptz not null default now(),
    primary key (connector, platform_id)
);
create index connector_job_by_job on connector_job (job_id) where job_id is not null;

-- What a connector meant to do, written before it did it.
create table connector_action (
    seq           bigint generated always as identity,
    connector     text not null references connector,
    id            text not null,
    revision      bigint not null,
    job           text not null,
    kind          text not null,
    placement     jsonb not null,
    priority      bigint not null,
    state         text not null
        check (state in ('OPEN', 'DONE', 'FAILED', 'REFUSED', 'SUPERSEDED', 'JOB_ENDED')),
    step          text,
    patient_until timestamptz,
    failures      integer not null,
    detail        text not null,
    changed_at    timestamptz not null default now(),
    primary key (connector, id)
);
create index connector_action_open on connector_action (connector, seq) where state = 'OPEN';
create index connector_action_by_job on connector_action (connector, job, seq);
create index connector_action_by_age on connector_action (changed_at) where state <> 'OPEN';
