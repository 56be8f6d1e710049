package dev.spur.service.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What is too old goes, and nothing else. */
class RetentionSchedulerTest extends ServiceTest {
    @Autowired
    private RetentionScheduler forgetting;

    private long count(String table) {
        return world.value(Long.class, "select count(*) from " + table);
    }

    @Test
    void whatFailsForOneIsNoReasonForAnotherToKeepAnything() {
        List<String> called = new ArrayList<>();
        RetentionScheduler two = new RetentionScheduler(List.of(
                new Called("first", () -> {
                    throw new IllegalStateException("the database is away");
                }),
                new Called("second", () -> called.add("second"))));

        two.forget();
        two.destroy();

        assertThat(called).containsExactly("second");
    }

    private record Called(String what, Runnable work) implements RetentionTask {
        @Override
        public void forget() {
            work.run();
        }
    }

    @Nested
    class WhatIsTooOldGoes {
        @Test
        void rowsOfTheAuditTrailAfterTheirDays() {
            audited("364 days");
            audited("366 days");

            forgetting.forget();

            assertThat(count("audit_entry")).isOne();
        }

        private void audited(String age) {
            world.sql("""
                    insert into audit_entry (at, principal, credential, address, request_id, operation, kind, object, change)
                    values (now() - cast(? as interval), 'ann', 'token', '127.0.0.1', 'r', 'drainNode', 'node', 'n1', '{}')
                    """, age);
        }

        @Test
        void tokensThatEndedLongAgoAndNoneThatHolds() {
            world.token(Role.VIEWER, null, null);
            world.token(Role.OPERATOR, null, null);
            world.token(Role.EXECUTOR, null, null);
            world.sql("update access_token set revoked_at = now() - interval '400 days' where role = 'VIEWER'");
            world.sql("update access_token set expires_at = now() - interval '1 hour' where role = 'OPERATOR'");

            forgetting.forget();

            assertThat(count("access_token where role = 'VIEWER'")).isZero();
            assertThat(count("access_token")).isEqualTo(2);
        }

        @Test
        void idempotencyKeysAfterTwoDays() {
            key("old", "49 hours");
            key("young", "47 hours");

            forgetting.forget();

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

            forgetting.forget();

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
