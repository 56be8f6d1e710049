-- Access tokens and the audit log.

create table access_token (
    seq          bigint generated always as identity,
    id           text primary key,
    name         text not null,
    hash         text not null unique,
    role         text not null check (role in ('VIEWER', 'SUBMITTER', 'EXECUTOR', 'OPERATOR')),
    tenants      text[],
    node         text,
    created_at   timestamptz not null default now(),
    created_by   text not null,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    last_used_at timestamptz
);
comment on table access_token is 'Access tokens. The secret itself is never stored.';
comment on column access_token.hash is 'SHA-256 hash of the secret.';
comment on column access_token.tenants is
    'Scope of a viewer or submitter: these tenants and all below them. Null: all tenants.';
comment on column access_token.node is 'Scope of an executor: its node, which need not be registered yet. Null: all nodes.';
create unique index access_token_by_name on access_token (name) where revoked_at is null;
create index access_token_by_seq on access_token (seq);

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
    change     jsonb not null
);
comment on table audit_entry is 'Audit log. Rows are written in the transaction of the change and never updated.';
comment on column audit_entry.credential is 'Kind of credential that authenticated the principal.';
comment on column audit_entry.kind is 'Kind of the changed object.';
comment on column audit_entry.object is 'Identifier of the changed object.';
comment on column audit_entry.change is 'Changed members by JSON pointer, with the value before and after.';
create index audit_entry_by_age on audit_entry (at);
create index audit_entry_by_object on audit_entry (kind, object, id);
create index audit_entry_by_principal on audit_entry (principal, id);
