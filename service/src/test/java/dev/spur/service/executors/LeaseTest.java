package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class LeaseTest extends ExecutorsTest {
    @Nested
    class AnExecutorThatIsSilent {
        @Test
        void keepsWhatItHoldsUntilTheGraceIsOver() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            world.sql("update executor set lease_expires_at = now(), reclaim_at = now() + interval '20 seconds'");

            steward.step();

            assertThat(api.get(one.path()).at("/state")).isEqualTo("ALIVE");
            assertThat(world.state(job)).isEqualTo("RUNNING");
            one.status(assignment(job) + " RUNNING").is(200);
        }

        @Test
        void isThenLostWithItsNodeAndItsJobsAreSentBackToTheQueue() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            run(job, one, two);
            String id = assignment(job);

            silence("n1");

            JsonNode executor = api.get(one.path()).is(200).json();
            assertThat(executor.path("state").asString()).isEqualTo("LOST");
            assertThat(executor.at("/assignments/0/state").asString()).isEqualTo("LOST");
            assertThat(nodeState("n1")).isEqualTo("LOST");
            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("EXECUTOR_LOST");
            assertThat(two.poll().path(0).path("desired").asString()).isEqualTo("STOP");
            two.release(id).is(200);
            place(job, piece("n2", "d1", "d2"));
            run(job, two);
            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void isNotListenedToAnyMore() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String id = assignment(job);
            world.sql("update executor set lease_expires_at = now(), reclaim_at = now() where id = 'n1'");

            assertThat(one.exit(id, 0).is(ProblemType.STALE_REGISTRATION).at("/action"))
                    .isEqualTo("REGISTER");
            one.status(id + " RUNNING").is(ProblemType.STALE_REGISTRATION);
            assertThat(world.state(job)).isEqualTo("RUNNING");
        }

        @Test
        void thatComesBackStopsWhatItStillRunsBeforeItsDevicesAreUsed() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String old = assignment(job);
            silence("n1");

            var answer = one.register(old + " RUNNING").is(200);
            assertThat(answer.at("/stop/0/assignmentId")).isEqualTo(old);
            rounds.run();
            one.step(assignment(job), "ACCEPTED").is(ProblemType.NOT_READY);

            one.release(old);
            one.step(assignment(job), "ACCEPTED").is(200);
        }
    }

    @Nested
    class AHeartbeat {
        @Test
        void renewsTheLeaseAndReportsUnhealthyDevices() {
            world.sql("update executor set lease_expires_at = now(), reclaim_at = now() + interval '1 hour'");

            var terms = api.put(one.path() + "/heartbeat", """
                    {"registrationEpoch": %d, "observedRevision": 12, "devices": [{"uuid": "d1", "healthy": false}, {"uuid": "d2"}]}
                    """.formatted(one.registrationEpoch()))
                    .is(200);

            assertThat(terms.json().path("leaseTtlSeconds").asDouble()).isEqualTo(150);
            assertThat(terms.json().path("heartbeatSeconds").asDouble()).isEqualTo(30);
            JsonNode executor = api.get(one.path()).json();
            assertThat(executor.path("unhealthyDevices").toString()).isEqualTo("[\"d1\"]");
            assertThat(executor.path("observedRevision").asInt()).isEqualTo(12);
            assertThat(world.value(
                            Boolean.class,
                            "select lease_expires_at > now() + interval '100 s' from executor where id = 'n1'"))
                    .isTrue();
        }

        @Test
        void thatNamesAStrangerHasItStoppedAndItsDevicesHeld() {
            String stranger = "11111111-1111-1111-1111-111111111111.7";

            var terms = one.status(stranger + " RUNNING").is(200);
            assertThat(terms.at("/stop/0/assignmentId")).isEqualTo(stranger);
            String job = placed(piece("n1", "d0"));
            one.step(assignment(job), "ACCEPTED").is(ProblemType.NOT_READY);

            one.status().is(200);
            one.step(assignment(job), "ACCEPTED").is(200);
        }

        @Test
        void thatWasOnItsWayWhenTheEndWasReportedHoldsNothing() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String old = assignment(job);
            place(job, piece("n1", "d1"));
            one.release(old).is(200);

            assertThat(one.status(old + " RUNNING").is(200).json().path("stop").size())
                    .isZero();
            one.step(assignment(job), "ACCEPTED").is(200);
        }
    }

    @Test
    void metricsCountExecutors() {
        silence("n1");

        String metrics = api.get("/metrics").is(200).text();

        assertThat(metrics).contains("spur_executors_known 2.0").contains("spur_executors_lost 1.0");
    }
}
