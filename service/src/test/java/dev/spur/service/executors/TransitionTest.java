package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class TransitionTest extends ExecutorsTest {
    @Nested
    class AnAssignment {
        @Test
        void containsEverythingThatAStartNeeds() {
            String job = placed(piece("n1", "d1", "d2"), piece("n2", "d0", "d3"));

            JsonNode second = two.poll(job);

            assertThat(second.path("assignmentId").asString()).isEqualTo(job + ".1");
            assertThat(second.path("devices").toString()).isEqualTo("[\"d0\",\"d3\"]");
            assertThat(List.of(
                            second.path("rankOffset").asInt(),
                            second.path("worldSize").asInt(),
                            second.path("nodeRank").asInt()))
                    .containsExactly(2, 4, 1);
            assertThat(second.path("nodes").toString()).isEqualTo("[\"n1\",\"n2\"]");
            assertThat(second.at("/master/address").asString()).isEqualTo("n1.example");
            assertThat(second.at("/master/port").asInt()).isBetween(20000, 29998);
            assertThat(second.path("master")).isEqualTo(one.poll(job).path("master"));
            assertThat(second.at("/batch/perDevice").asInt()).isEqualTo(16);
            assertThat(second.at("/command/args/0").asString()).isEqualTo("--fast");
            assertThat(second.at("/checkpoint/writeAs").asString()).isEqualTo("gen-00000001");
            assertThat(second.at("/checkpoint/resumeUpTo").isNull()).isTrue();
        }

        @Test
        void namesTheGenerationsThatMayHaveWrittenACheckpoint() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            place(job, piece("n2", "d0"));
            place(job, piece("n2", "d1"));

            assertThat(two.poll(job).at("/checkpoint/resumeUpTo").asLong())
                    .as("generation 2 was never started")
                    .isEqualTo(1);
        }

        @Test
        void isNotOfferedForAJobThatNoExecutorStarts() throws InterruptedException {
            String job = world.job(1);
            place(job, piece("n1", "d0"));
            awaitFeed();

            assertThat(one.poll().size()).isZero();
            assertThat(api.get("/api/v1/nodes/n1/assignments").is(200).at("/assignments/0/jobId"))
                    .isEqualTo(job);
        }

        @Test
        void isOfferedByTheStewardIfAnOlderVersionPlanned() {
            String job = placed(piece("n1", "d0"));
            world.sql("delete from assignment");
            assertThat(one.poll().size()).isZero();

            steward.step();

            assertThat(one.poll(job).path("state").asString()).isEqualTo("OFFERED");
        }
    }

    @Nested
    class AGang {
        @Test
        void startsOnlyWhenEveryMemberHasAccepted() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            String id = assignment(job);

            assertThat(one.step(id, "ACCEPTED").is(200).json().path("mayStart").asBoolean())
                    .isFalse();
            assertThat(one.step(id, "STARTING").is(ProblemType.NOT_READY).at("/action"))
                    .isEqualTo("WAIT");
            assertThat(one.poll(job).path("mayStart").asBoolean()).isFalse();

            assertThat(two.step(id, "ACCEPTED").is(200).json().path("mayStart").asBoolean())
                    .isTrue();
            assertThat(one.poll(job).path("mayStart").asBoolean()).isTrue();
            one.step(id, "STARTING").is(200);
        }

        @Test
        void ofOneStartsAtOnce() {
            String job = placed(piece("n1", "d0"));
            assertThat(one.poll(job).path("mayStart").asBoolean()).isTrue();

            one.step(assignment(job), "STARTING").is(200);
            one.step(assignment(job), "RUNNING").is(200);

            assertThat(event(job, "RUNNING").path("generation").asInt()).isEqualTo(1);
        }

        @Test
        void startsOnceAllMembersHaveAccepted() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            String id = assignment(job);
            assertThat(one.poll(job).path("mayStart").asBoolean()).isFalse();
            one.step(id, "STARTING").is(ProblemType.NOT_READY);

            two.step(id, "ACCEPTED").is(200);
            assertThat(one.poll(job).path("mayStart").asBoolean()).isTrue();
            one.step(id, "STARTING").is(200);
            two.step(id, "STARTING").is(200);
        }

        @Test
        void isObservedToRunWhenAllOfItDoes() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            String id = assignment(job);
            one.step(id, "ACCEPTED");
            two.step(id, "ACCEPTED");
            one.step(id, "STARTING");
            one.step(id, "RUNNING", ", \"pid\": 77").is(200);
            assertThat(api.get(JOBS + job).json().path("observed").isNull()).isTrue();

            two.step(id, "STARTING");
            two.step(id, "RUNNING").is(200);

            assertThat(api.get(JOBS + job).at("/observed/state")).isEqualTo("RUNNING");
            assertThat(event(job, "RUNNING").path("generation").asInt()).isEqualTo(1);
            assertThat(api.get(one.path()).at("/assignments/0/pid")).isEqualTo("77");
        }

        @Test
        void thatDoesNotComeTogetherIsSentBackToTheQueue() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            one.step(assignment(job), "ACCEPTED");
            steward.step();
            world.sql("update assignment set ready_at = now() - interval '119 seconds'");
            steward.step();
            assertThat(world.state(job)).isEqualTo("RUNNING");

            world.sql("update assignment set ready_at = now() - interval '121 seconds'");
            steward.step();

            JsonNode why = event(job, "REQUEUED");
            assertThat(why.path("cause").asString()).isEqualTo("GANG_TIMEOUT");
            assertThat(why.path("missing").toString()).isEqualTo("[\"n2\"]");
            assertThat(world.state(job)).isEqualTo("WAITING");
            assertThat(one.poll().size()).isZero();
            assertThat(api.get(JOBS + job + "/explanation").at("/waiting/reason"))
                    .isEqualTo("BACKOFF");
            assertThat(api.get(JOBS + job + "/explanation").at("/waiting/message"))
                    .asString()
                    .startsWith("No agent on node n2 started it in time. It may start again at ");
        }

        @Test
        void thatHasAcceptedAndIsNotStartedIsSentBackToo() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            String id = assignment(job);
            one.step(id, "ACCEPTED");
            two.step(id, "ACCEPTED");
            one.step(id, "STARTING");
            steward.step();
            world.sql("update assignment set changed_at = now() - interval '121 seconds' where node = 'n2'");
            steward.step();
            assertThat(world.state(job)).as("the last step was just now").isEqualTo("RUNNING");

            world.sql("update assignment set changed_at = now() - interval '121 seconds'");
            steward.step();

            assertThat(event(job, "REQUEUED").path("missing").toString()).isEqualTo("[\"n2\"]");
            assertThat(one.poll().path(0).path("desired").asString()).isEqualTo("STOP");
        }

        @Test
        void hasItsTimeOnlyFromWhenNothingIsInItsWay() {
            String first = placed(piece("n1", "d0"));
            run(first, one);
            plan.put(first);
            String second = placed(piece("n1", "d0"), piece("n2", "d0"));

            steward.step();

            assertThat(world.value(Long.class, "select count(ready_at) from assignment where job_id = ?", second))
                    .isZero();
        }

        @Test
        void isDoneWhenEveryRankEndedWell() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            run(job, one, two);

            one.exit(assignment(job), 0).is(200);
            assertThat(world.state(job)).isEqualTo("RUNNING");
            two.exit(assignment(job), 0).is(200);

            assertThat(world.state(job)).isEqualTo("DONE");
        }

        @Test
        void isStoppedAsAWholeWhenOneMemberFails() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            run(job, one, two);
            String id = assignment(job);

            two.step(id, "FAILED", ", \"exitCode\": 3, \"detail\": \"loss is nan\"")
                    .is(200);

            JsonNode other = one.poll().path(0);
            assertThat(other.path("desired").asString()).isEqualTo("STOP");
            assertThat(other.path("reason").asString()).isEqualTo("SUPERSEDED");
            one.release(id).is(200);
            assertThat(one.poll().size()).isZero();
        }
    }

    @Nested
    class AFailure {
        @Test
        void isFollowedByAPauseAndThenByAnotherStart() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            one.exit(assignment(job), 1).is(200);

            JsonNode why = event(job, "REQUEUED");
            assertThat(why.path("cause").asString()).isEqualTo("FAILED");
            assertThat(why.path("exitCode").asInt()).isEqualTo(1);
            assertThat(why.path("pauseSeconds").asDouble()).isEqualTo(10);
            rounds.run();
            assertThat(world.state(job)).isEqualTo("WAITING");
            assertThat(api.get("/api/v1/queue").at("/items/0/reason")).isEqualTo("BACKOFF");
            assertThat(api.get("/api/v1/queue").at("/items/0/message"))
                    .asString()
                    .contains("Attempt 1 of 2 failed on node n1 with exit code 1. It may start again at ");

            world.sql("update job set retry_at = now() where id = ?", job);
            steward.step();
            rounds.run();
            assertThat(world.state(job)).isEqualTo("RUNNING");
            assertThat(one.poll(job).path("generation").asInt()).isEqualTo(3);
        }

        @Test
        void tooManyInARowEndTheJobWithTheReason() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            one.exit(assignment(job), 1).is(200);
            world.sql("update job set retry_at = null where id = ?", job);
            rounds.run();
            run(job, one);
            one.step(assignment(job), "FAILED", ", \"exitCode\": 9, \"detail\": \"out of memory\"")
                    .is(200);

            assertThat(world.state(job)).isEqualTo("FAILED");
            JsonNode why = event(job, "FAILED");
            assertThat(why.path("cause").asString()).isEqualTo("RESTARTS_EXHAUSTED");
            assertThat(why.path("detail").asString()).isEqualTo("out of memory");
            assertThat(why.path("failures").asInt()).isEqualTo(2);
        }

        @Test
        void afterALongRunIsTheFirstOneAgain() {
            String job = placed(piece("n1", "d0"));
            world.sql("update job set failures = 1 where id = ?", job);
            run(job, one);
            world.sql("update assignment set changed_at = now() - interval '601 seconds'");

            one.exit(assignment(job), 1).is(200);

            assertThat(world.state(job)).isEqualTo("WAITING");
            assertThat(event(job, "REQUEUED").path("failures").asInt()).isEqualTo(1);
        }

        @Test
        void isNotCountedIfTheExecutorEndedTheProgram() {
            String job = placed(piece("n1", "d0"));
            run(job, one);

            one.release(assignment(job)).is(200);

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("STOPPED_BY_EXECUTOR");
            assertThat(world.value(Integer.class, "select failures from job where id = ?", job))
                    .isZero();
        }

        @Test
        void toStopInTimeIsRecorded() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String old = assignment(job);
            place(job, piece("n2", "d0"));

            one.step(old, "FAILED", ", \"requested\": true, \"detail\": \"killed\"")
                    .is(200);

            assertThat(event(job, "STOP_FAILED").path("detail").asString()).isEqualTo("killed");
            assertThat(world.state(job)).isEqualTo("RUNNING");
        }
    }

    @Nested
    class ADevice {
        @Test
        void isAssignedOnlyAfterItsFormerHolderHasStopped() {
            String first = placed(piece("n1", "d0", "d1"));
            run(first, one);
            plan.put(first);
            String second = placed(piece("n1", "d1", "d2"));
            String old = first + ".1";

            JsonNode waits = one.poll(second);
            assertThat(waits.at("/waitFor/0/jobId").asString()).isEqualTo(first);
            one.step(assignment(second), "ACCEPTED").is(ProblemType.NOT_READY);
            one.step(old, "STOPPING").is(200);
            one.step(assignment(second), "ACCEPTED").is(ProblemType.NOT_READY);

            one.step(old, "STOPPED", ", \"requested\": true").is(200);
            assertThat(one.poll(second).path("waitFor").size()).isZero();
            one.step(assignment(second), "ACCEPTED").is(200);
        }

        @Test
        void isAssignedToItsJobAgainOnlyAfterTheOldGenerationHasStopped() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            place(job, piece("n2", "d0"));

            two.step(assignment(job), "ACCEPTED").is(ProblemType.NOT_READY);
            one.release(job + ".1").is(200);
            two.step(assignment(job), "ACCEPTED").is(200);
        }

        @Test
        void doesNotWaitForWhatWasNeverStarted() {
            String first = placed(piece("n1", "d0"), piece("n2", "d0"));
            one.step(assignment(first), "ACCEPTED").is(200);
            plan.put(first);
            String second = placed(piece("n1", "d0"));

            one.step(assignment(second), "ACCEPTED").is(200);
            one.step(first + ".1", "STARTING").is(ProblemType.STALE_GENERATION);
            steward.step();
            assertThat(world.value(
                            Long.class,
                            "select count(*) from assignment where job_id = ? and state = 'STOPPED'",
                            first))
                    .isEqualTo(2);
        }
    }

    @Nested
    class AStep {
        @Test
        void thatIsRepeatedChangesNothing() {
            String job = placed(piece("n1", "d0"));
            one.stepNumbered(assignment(job), "ACCEPTED", "", 5).is(200);

            var again = one.stepNumbered(assignment(job), "STARTING", "", 5).is(200);

            assertThat(again.json().path("applied").asBoolean()).isFalse();
            assertThat(again.at("/state")).isEqualTo("ACCEPTED");
        }

        @Test
        void thatTheStateDoesNotAllowIsRefused() {
            String job = placed(piece("n1", "d0"));
            String id = assignment(job);

            one.step(id, "RUNNING").is(ProblemType.CONFLICT);
            one.step(id, "ACCEPTED").is(200);
            one.step(id, "ACCEPTED").is(ProblemType.CONFLICT);
            one.step(id, "STOPPING").is(ProblemType.CONFLICT);
            run0(id);
            one.exit(id, 0).is(200);
            one.step(id, "RUNNING").is(ProblemType.STALE_GENERATION);
            one.step(id, "STOPPING").is(ProblemType.CONFLICT);
        }

        private void run0(String id) {
            one.step(id, "STARTING").is(200);
            one.step(id, "RUNNING").is(200);
        }

        @Test
        void towardsAStartIsRefusedOnceTheJobHasMovedOn() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String id = assignment(job);
            api.post(JOBS + job + "/cancel").is(200);

            var refused = one.step(id, "RUNNING").is(ProblemType.STALE_GENERATION);

            assertThat(refused.at("/action")).isEqualTo("STOP");
            assertThat(one.poll().path(0).path("reason").asString()).isEqualTo("ENDED");
            one.release(id).is(200);
        }

        @Test
        void needsALeaseThatHolds() {
            String job = placed(piece("n1", "d0"));
            world.sql("update executor set lease_expires_at = now()");
            one.step(assignment(job), "ACCEPTED").is(ProblemType.NOT_READY);

            one.status().is(200);

            one.step(assignment(job), "ACCEPTED").is(200);
        }

        @Test
        void mustNameTheGenerationOfItsPathAndSayHowAProgramEnded() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String path = one.path() + "/assignments/" + assignment(job) + "/transitions";

            assertThat(api.post(
                                    path,
                                    "{\"registrationEpoch\": %d, \"generation\": 2, \"seq\": 99, \"state\": \"STOPPING\"}"
                                            .formatted(one.registrationEpoch()))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/generation");
            assertThat(one.step(assignment(job), "STOPPED")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/exitCode");
            one.step("11111111-1111-1111-1111-111111111111.1", "ACCEPTED").is(ProblemType.NOT_FOUND);
        }
    }

    @Nested
    class AHeldJob {
        @Test
        void isStoppedAndGoesOnWithAnotherGeneration() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String id = assignment(job);
            api.post(JOBS + job + "/hold").is(200);

            assertThat(one.poll().path(0).path("reason").asString()).isEqualTo("HELD");
            one.step(id, "STOPPED", ", \"exitCode\": 0").is(200);

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("HELD");
            api.post(JOBS + job + "/release").is(200);
            rounds.run();
            assertThat(one.poll(job).path("generation").asInt()).isEqualTo(3);
        }
    }

    @Nested
    class AJobWhoseWorkIsReached {
        @Test
        void isDoneWhenItsProcessesHaveStoppedAlsoOnRequest() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            var reply = api.post(JOBS + job + "/progress", """
                    {"generation": 1, "seq": 1, "samplesTotal": 1000000, "state": "RUNNING", "lastCheckpointStep": 15000}
                    """).is(200);
            assertThat(reply.at("/directive")).isEqualTo("CHECKPOINT_AND_STOP");
            assertThat(reply.json().path("leaseTtlSeconds").asDouble()).isEqualTo(150);
            assertThat(reply.json().at("/batch/perDevice").asInt()).isEqualTo(64);
            assertThat(api.get(JOBS + job).at("/observed/lastCheckpointStep")).isEqualTo("15000");

            one.release(assignment(job)).is(200);

            assertThat(world.state(job)).isEqualTo("DONE");
        }
    }
}
