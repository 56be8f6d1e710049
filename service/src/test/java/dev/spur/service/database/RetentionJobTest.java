package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What is too old goes, and nothing else. */
class RetentionJobTest extends ServiceTest {
    @Autowired
    private RetentionJob retention;

    private long count(String table) {
        return world.value(Long.class, "select count(*) from " + table);
    }

    @Test
    void aRuleThatFailsDoesNotKeepTheOthersFromBeingApplied() {
        world.sql("alter table audit_entry rename to audit_entry_away");
        try {
            world.sql("insert into gpu_usage (accelerator_type, at) values ('A100', now() - interval '367 days')");

            retention.deleteExpired();

            assertThat(count("gpu_usage")).isZero();
        } finally {
            world.sql("alter table audit_entry_away rename to audit_entry");
        }
    }

    @Nested
    class WhatIsTooOldGoes {
        @Test
        void rowsOfTheAuditTrailAfterTheirDays() {
            audited("364 days");
            audited("366 days");

            retention.deleteExpired();

            assertThat(count("audit_entry")).isOne();
        }

        private void audited(String age) {
            world.sql("""
                    insert into audit_entry (at, principal, credential, address, request_id, operation, kind, object, change)
                    values (now() - cast(? as interval), 'ann', 'token', '127.0.0.1', 'r', 'drainNode', 'node', 'n1', '{}')
                    """, age);
        }

        @Test
        void capacitiesAfterAYearExceptTheLastOfEachType() {
            world.sql("""
                    insert into slot_capacity (accelerator_type, at, slots, unavailable)
                    values ('A100', now() - interval '400 days', 1, 0), ('A100', now() - interval '367 days', 2, 0),
                        ('A100', now() - interval '365 days', 3, 0), ('A100', now(), 4, 0), ('T4', now() - interval '400 days', 5, 0)
                    """);

            retention.deleteExpired();

            assertThat(world.value(
                            String.class, "select string_agg(slots::text, ' ' order by slots) from slot_capacity"))
                    .isEqualTo("3 4 5");
        }

        @Test
        void maintenanceWindowsAsLongAfterTheirEndAsAuditEntries() {
            window("365 days ago", "364 days");
            window("367 days ago", "366 days");

            retention.deleteExpired();

            assertThat(world.value(String.class, "select name from maintenance_window"))
                    .isEqualTo("365 days ago");
        }

        private void window(String name, String ended) {
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                    values (?, '{}', now() - interval '500 days', now() - cast(? as interval), 0)
                    """, name, ended);
        }

        @Test
        void connectorActionsThatEndedExceptTheLastOfEachJob() {
            world.sql("""
                    insert into connector (name, kind, control_level) values ('slurm', 'SLURM', 'OBSERVE')
                    """);
            action("a1", "DONE", "31 days");
            action("a2", "OPEN", "31 days");
            action("a3", "DONE", "29 days");
            action("a4", "DONE", "31 days");

            retention.deleteExpired();

            assertThat(world.value(String.class, "select string_agg(id, ' ' order by id) from connector_action"))
                    .isEqualTo("a2 a3 a4");
        }

        private void action(String id, String state, String age) {
            world.sql("""
                    insert into connector_action (connector, id, revision, job, kind, placement, priority, state,
                        failures, detail, changed_at)
                    values ('slurm', ?, 1, 'j', 'START', '{}', 0, ?, 0, '', now() - cast(? as interval))
                    """, id, state, age);
        }

        @Test
        void measurementsAndLogsOfEndedJobsAfterAWeek() {
            losses(world.job(1), "8 days");
            losses(world.job(1), "6 days");
            losses(world.job(1), null);

            retention.deleteExpired();

            assertThat(count("job_loss")).isEqualTo(2);
            assertThat(count("job_log_chunk")).isEqualTo(2);
        }

        private void losses(String job, @Nullable String ended) {
            world.sql("insert into job_loss (job_id, losses) values (?, '[]')", job);
            world.sql("insert into job_log (job_id) values (?)", job);
            world.sql("insert into job_log_chunk (job_id, seq, generation, rank, text) values (?, 1, 1, 0, '')", job);
            world.sql(
                    "update job set state = case when ?::text is null then state else 'DONE' end,"
                            + " ended_at = now() - cast(? as interval) where id = ?",
                    ended,
                    ended,
                    job);
        }

        @Test
        void tokensThatEndedLongAgoAndNoneThatHolds() {
            world.token(Role.VIEWER, null, null);
            world.token(Role.OPERATOR, null, null);
            world.token(Role.EXECUTOR, null, null);
            world.sql("update access_token set revoked_at = now() - interval '400 days' where role = 'VIEWER'");
            world.sql("update access_token set expires_at = now() - interval '1 hour' where role = 'OPERATOR'");

            retention.deleteExpired();

            assertThat(count("access_token where role = 'VIEWER'")).isZero();
            assertThat(count("access_token")).isEqualTo(2);
        }

        @Test
        void idempotencyKeysAfterTwoDays() {
            key("old", "49 hours");
            key("young", "47 hours");

            retention.deleteExpired();

            assertThat(world.value(String.class, "select key from idempotency_key"))
                    .isEqualTo("young");
        }

        private void key(String key, String age) {
            world.sql("""
                    insert into idempotency_key (caller, key, fingerprint, job_id, created_at)
                    values ('ann', ?, 'f', 'j', now() - cast(? as interval))
                    """, key, age);
        }

        @Test
        void assignmentsThatAreOverAfterADay() {
            assignment("over", "STOPPED", "25 hours");
            assignment("just over", "STOPPED", "23 hours");
            assignment("runs", "RUNNING", "25 hours");

            retention.deleteExpired();

            assertThat(count("assignment where job_id = 'over'")).isZero();
            assertThat(count("assignment")).isEqualTo(2);
        }

        private void assignment(String job, String state, String age) {
            world.sql("""
                    insert into assignment (job_id, generation, node, role, devices, aggregation_slots, node_rank,
                        rank_offset, port, state, changed_at)
                    values (?, 1, 'n1', 'WORKER', '{}', 0, 0, 0, 0, ?, now() - cast(? as interval))
                    """, job, state, age);
        }
    }
}
