-- Order in which the feed of events reads the events of jobs and plans.

alter table job_event add column transaction_id xid8 not null default '0';
alter table job_event alter column transaction_id set default pg_current_xact_id();
comment on column job_event.transaction_id is
    'Transaction that added the event. Feeds read events in the order of transaction and id, up to the oldest transaction that '
    'still runs: an id alone is assigned before the commit, so a lower id can appear later.';
create index job_event_by_transaction on job_event (transaction_id, id);

alter table plan add column transaction_id xid8 not null default '0';
alter table plan alter column transaction_id set default pg_current_xact_id();
comment on column plan.transaction_id is 'Transaction that published the plan. See `job_event.transaction_id`.';
create index plan_by_transaction on plan (transaction_id);

create table webhook (
    seq                  bigint generated always as identity unique,
    id                   text primary key,
    url                  text not null,
    kinds                text[] not null,
    tenants              text[],
    secret               text not null,
    enabled              boolean not null,
    version              bigint not null default 1,
    created_at           timestamptz not null default now(),
    created_by           text not null,
    position_transaction xid8 not null,
    position_number      bigint not null,
    lease_holder         text,
    lease_expires_at     timestamptz
);
comment on table webhook is 'Webhooks. The events up to the position of a webhook are stored as deliveries or do not match.';
comment on column webhook.kinds is 'Kinds of events to deliver. Empty: all.';
comment on column webhook.tenants is 'Tenants whose events are delivered, with all below them. Null: all tenants.';
comment on column webhook.secret is 'Key of the signatures. It is stored as plain text because the service signs with it.';
comment on column webhook.lease_holder is 'Claim of the replica that sends the deliveries. Null: none.';
comment on column webhook.lease_expires_at is 'End of the lease of the replica. Another replica may then send.';

create table webhook_delivery (
    seq             bigint generated always as identity primary key,
    id              text not null unique,
    webhook_id      text not null references webhook on delete cascade,
    event_id        text,
    kind            text not null,
    body            text not null,
    state           text not null check (state in ('PENDING', 'DELIVERED', 'DEAD')),
    attempts        integer not null default 0,
    created_at      timestamptz not null default now(),
    next_attempt_at timestamptz,
    ended_at        timestamptz,
    last_status     integer,
    last_error      text
);
comment on table webhook_delivery is 'Deliveries of events to webhooks.';
comment on column webhook_delivery.event_id is 'Id of the event in the feed. Null: a test ping.';
comment on column webhook_delivery.body is 'Body of the request, which is the same in all attempts.';
comment on column webhook_delivery.next_attempt_at is 'Earliest time of the next attempt. Null: the delivery has ended.';
comment on column webhook_delivery.last_status is 'HTTP status of the last attempt. Null: no response.';
create index webhook_delivery_by_webhook on webhook_delivery (webhook_id, seq);
create index webhook_delivery_pending on webhook_delivery (webhook_id, (kind <> 'PING'), seq) where state = 'PENDING';
create index webhook_delivery_ended on webhook_delivery (ended_at) where ended_at is not null;
