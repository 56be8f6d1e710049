-- Tokens. The secret is never stored: a request is known by the SHA-256 hash of what it brings.
create table access_token (
    seq          bigint generated always as identity,
    id           text primary key,
    name         text not null,
    hash         text not null unique,
    role         text not null check (role in ('VIEWER', 'SUBMITTER', 'EXECUTOR', 'OPERATOR')),
    -- confines a viewer or submitter to these and all below them; null for no confinement
    tenants      text[],
    -- confines an executor to a node, which need not be registered yet
    node         text,
    created_at   timestamptz not null default now(),
    created_by   text not null,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz
);
create unique index access_token_by_name on access_token (name) where revoked_at is null;
create index access_token_by_seq on access_token (seq);

-- The tenants that whoever asked for a simulation was confined to; null if it was not.
alter table simulation add column tenants text[];

-- Who changed what. Rows are written in the transaction of the change, and never changed.
create table audit_entry (
    id         bigint generated always as identity primary key,
    at         timestamptz not null default now(),
    principal  text not null,
    credential text not null,
    address    text not null,
    request_id text not null,
    operation  text not null,
    kind       text not null,
    object     text not null,
    -- members that differ, by JSON pointer: what they were and what they are
    change     jsonb not null
);
create index audit_entry_by_age on audit_entry (at);
create index audit_entry_by_object on audit_entry (kind, object, id);
create index audit_entry_by_principal on audit_entry (principal, id);
