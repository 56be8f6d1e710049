package dev.spur.service.operations.backup;

/**
 * Rows for tests of exports: texts that a copy must escape, generated columns, arrays, bytes, and references within a
 * table.
 */
final class SampleRows {
    /** Fits every schema from version 8 on. */
    static final String SQL = """
            insert into accelerator_type (name, memory_gib) values ('A100', 40), (E'odd \\\\ name\\t\\n\\u00e9\\u4e2d\\U0001F600', 0.1);
            insert into pool (name, whole_nodes) values ('main', false);
            insert into node (id, pool, accelerator_type, devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, state)
                select 'n' || i, 'main', 'A100', array['d0', 'd"1', 'NULL', ''], 1e-9 * i, 512, 0, 0.1 + 0.2, 'ACTIVE'
                from generate_series(1, 40) i;
            insert into tenant (name, parent, weight, quotas) values ('a', 'root', 1, '{}'), ('b', 'a', 2, '{"A100": 4}');
            update tenant set parent = 'b' where name = 'root';
            insert into job_group (name, tenant, max_slots) values ('g', 'a', 3);
            insert into settings (body) values ('{"roundSeconds": 7}');
            insert into reservation values ('r', array['n1'], 'a', '2026-01-01T00:00:00.123456Z', 'infinity');
            insert into job (id, tenant, owner, name, external_id, labels, spec, deadline_status, wait_for_hardware, state, total_work, generation,
                             allocation, command, retry_at)
                select 'j' || i, 'a', 'ann', repeat('x', i), case when i % 2 = 0 then 'e' || i end, '{}', '{"group": "g"}', 'NONE', false,
                       (array['SUBMITTED', 'RUNNING', 'DONE'])[1 + i % 3], 1e300, i, case when i % 3 = 1 then '{}'::jsonb end, '{}',
                       '1999-12-31T23:59:59.999999Z'
                from generate_series(1, 499) i;
            insert into job_event (job_id, kind, detail) select 'j1', 'CHANGED', jsonb_build_object('n', i) from generate_series(1, 2000) i;
            insert into job_allocation (job_id, generation, plan_revision, change, started_at) values ('j1', 1, 1, 'START', now());
            insert into round (number, lease_term, trigger, status, snapshot)
                select i, 1, 'period', 'PUBLISHED', decode(repeat(md5(i::text), 50), 'hex') from generate_series(1, 20) i;
            insert into plan values (20, 20, 1, now(), now(), '{"n1": 20}', '{}', '{"revision": 20}');
            insert into executor (id, instance, registration_epoch, state, address, devices, registered_at, seen_at, lease_expires_at, reclaim_at)
                values ('n1', 'i', nextval('executor_registration_epoch'), 'ALIVE', 'n1', array['d0'], now(), now(), now(), now() + interval '20 min');
            insert into access_token (id, name, hash, role, tenants, created_by) values ('t', 'ci', 'abc', 'SUBMITTER', array['a'], 'op');
            insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'RESIZE');
            insert into connector_job (connector, platform_id, job_id) values ('slurm', '1', 'j1');
            insert into job (id, kind, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work, generation,
                             resource_grant)
                values ('p', 'DATA_PREPARATION', 'a', 'ann', 'p', '{}', '{}', 'NONE', false, 'RUNNING', 1, 2, '{"node": "n1"}');
            insert into node_memory (node, used_gib, risk) values ('n1', 'NaN', 'Infinity');
            update planner_lease set lease_term = 33, holder = 'somebody';
            """;

    private SampleRows() {}
}
