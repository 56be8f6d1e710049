package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.ChangeCosts;
import dev.spur.model.json.RoundJson;
import dev.spur.service.testing.TestCluster;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Another number of slots for a running job whose training changes its ranks without a restart. */
class RescaleOfAssignmentsTest extends ExecutorsTest {
    /** A job with two ranks that run, on devices d0 and d1 of n1. */
    private String running() {
        String job = submit(1);
        world.sql(
                "update job set spec = cast(? as jsonb) where id = ?",
                RoundJson.mapper()
                        .writeValueAsString(TestCluster.spec(1)
                                .edit()
                                .changeCosts(new ChangeCosts(null, 5.0, null))
                                .build()),
                job);
        place(job, piece("n1", "d0", "d1"));
        run(job, one);
        return job;
    }

    private JsonNode rescale(String job) {
        return one.poll(job).path("rescale");
    }

    private void complete(String job, int number) {
        one.step(job + ".1", "RUNNING", ", \"rescaled\": " + number).is(200);
    }

    @Test
    void growsWithinItsGeneration() {
        String job = running();

        place(job, piece("n1", "d2", "d0", "d1"));

        assertThat(world.generation(job)).isEqualTo(1);
        assertThat(one.poll().size()).isEqualTo(1);
        assertThat(one.poll(job).path("devices").valueStream())
                .extracting(JsonNode::asString)
                .as("by rank: those that stay keep their rank")
                .containsExactly("d0", "d1", "d2");
        assertThat(one.poll(job).path("worldSize").asInt()).isEqualTo(3);
        assertThat(one.poll(job).path("state").asString()).isEqualTo("RUNNING");
        assertThat(rescale(job).path("ranks").toString()).isEqualTo("[0,1,null]");
        assertThat(rescale(job).path("mayStart").asBoolean()).isTrue();
        assertThat(rescale(job).at("/master/address").asString()).isEqualTo("n1.example");
        assertThat(rescale(job).at("/master/port").asInt())
                .isNotEqualTo(one.poll(job).at("/master/port").asInt());
        assertThat(event(job, "RESIZED").path("mechanism").asString()).isEqualTo("RESCALE");
        assertThat(api.get(JOBS + job).is(200).json().at("/history/restarts").asInt())
                .isZero();

        complete(job, 1);

        assertThat(rescale(job).path("done").asBoolean()).isTrue();
    }

    private void report(String job, int seq, String kind, double stallSeconds) {
        api.post(JOBS + job + "/progress", """
                {"generation": 1, "seq": %d, "samplesTotal": %d, "state": "RUNNING",
                 "changes": [{"number": %d, "kind": "%s", "stallSeconds": %s}]}
                """.formatted(seq, seq, seq, kind, stallSeconds))
                .is(200);
    }

    private long learned(String job) {
        return world.value(Long.class, "select count(*) from job_stall where job_id = ?", job);
    }

    @Test
    void stallsOfChangesThatNoPlanOrderedAreNotLearned() {
        String job = running();

        report(job, 1, "RESCALE", 0.001);
        report(job, 2, "MIGRATE", 0.001);
        assertThat(learned(job)).isZero();

        place(job, piece("n1", "d2", "d0", "d1"));
        report(job, 3, "RESCALE", 80_000);
        assertThat(learned(job)).isZero();

        report(job, 4, "RESCALE", 0.001);
        assertThat(learned(job)).isEqualTo(1);
    }

    @Test
    void releasesTheDevicesOfRanksThatLeaveWhenItsExecutorReportsIt() {
        String job = running();
        String other = submit(1);
        plan.put(other, piece("n1", "d1"));

        place(job, piece("n1", "d0"));

        assertThat(rescale(job).path("ranks").toString()).isEqualTo("[0]");
        assertThat(one.step(other + ".1", "ACCEPTED").status()).isEqualTo(409);

        complete(job, 1);

        one.step(other + ".1", "ACCEPTED").is(200);
        one.step(other + ".1", "STARTING").is(200);
    }

    @Test
    void ranksJoinOnceTheirDevicesAreFree() {
        String other = placed(piece("n1", "d2"));
        run(other, one);
        String job = running();
        plan.put(other);

        place(job, piece("n1", "d0", "d1", "d2"));
        assertThat(rescale(job).path("mayStart").asBoolean()).isFalse();

        one.release(other + ".1").is(200);
        steward.step();
        assertThat(rescale(job).path("mayStart").asBoolean()).isTrue();
    }

    @Test
    void isARestartWhileAnEarlierChangeIsInProgress() {
        String job = running();
        place(job, piece("n1", "d0", "d1", "d2"));

        place(job, piece("n1", "d0"));

        assertThat(world.generation(job)).isEqualTo(2);
        assertThat(one.poll().valueStream())
                .filteredOn(item -> item.path("generation").asInt() == 1)
                .extracting(item -> item.path("desired").asString())
                .containsExactly("STOP");
    }

    @Test
    void isARestartWithoutTheDeviceOfRankZero() {
        String job = running();

        place(job, piece("n1", "d1", "d2"));

        assertThat(world.generation(job)).isEqualTo(2);
    }

    @Test
    void aChangeThatFailsRestartsTheJobAndItsLaterChangesAreRestarts() {
        String job = running();
        place(job, piece("n1", "d0", "d1", "d2"));

        one.exit(job + ".1", 1).is(200);
        world.sql("update job set retry_at = null where id = ?", job);
        place(job, piece("n1", "d0", "d1"));
        run(job, one);
        long restarted = world.generation(job);
        place(job, piece("n1", "d0"));

        assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("FAILED");
        assertThat(world.generation(job)).isEqualTo(restarted + 1);
    }

    @Test
    void aChangeThatIsNotCompleteInTimeRestartsTheJob() {
        String job = running();
        place(job, piece("n1", "d0", "d1", "d2"));
        world.sql("update assignment set rescaled_at = now() - interval '1 hour' where job_id = ?", job);

        steward.step();

        assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("RESCALE_TIMEOUT");
        assertThat(one.poll().get(0).path("desired").asString()).isEqualTo("STOP");
    }

    @Test
    void eachNumberOfSlotsIsAPartOfTheHistory() {
        String job = running();
        place(job, piece("n1", "d0", "d1", "d2"));
        complete(job, 1);
        place(job, piece("n1", "d0"));

        assertThat(world.value(String.class, """
                        select string_agg(jsonb_array_length(allocation #> '{placement,0,devices}')::text, ' '
                            order by ended_at nulls last) from job_allocation where job_id = ?
                        """, job)).isEqualTo("2 3 1");
        assertThat(world.value(
                        Long.class, "select count(*) from job_allocation where job_id = ? and ended_at is null", job))
                .isEqualTo(1);
    }

    @Test
    void onlyTheChangeThatWasOrderedCanBeComplete() {
        String job = running();
        assertThat(one.step(job + ".1", "RUNNING", ", \"rescaled\": 1").status())
                .isEqualTo(409);
        place(job, piece("n1", "d0"));

        assertThat(one.step(job + ".1", "RUNNING", ", \"rescaled\": 2").text()).contains("change 2 cannot be complete");
    }

    @Nested
    class ToAnotherNode {
        /** A job with two ranks that run on n1, and two that join on n2. */
        private String growing() {
            String job = running();
            place(job, piece("n2", "d0", "d1"), piece("n1", "d0", "d1"));
            return job;
        }

        /** A job with two ranks on n1 and two on n2 that have joined there. */
        private String grown() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);
            complete(job, 1);
            two.step(job + ".1", "RUNNING", ", \"rescaled\": 1").is(200);
            return job;
        }

        @Test
        void ranksJoinThereWithinTheGeneration() {
            String job = growing();

            JsonNode there = two.poll(job);
            assertThat(there.path("generation").asInt()).isEqualTo(1);
            assertThat(there.path("state").asString()).isEqualTo("OFFERED");
            assertThat(there.path("mayStart").asBoolean()).isTrue();
            assertThat(there.path("rankOffset").asInt()).isEqualTo(2);
            assertThat(there.path("nodeRank").asInt()).isEqualTo(1);
            assertThat(there.path("worldSize").asInt()).isEqualTo(4);
            assertThat(there.path("rescale").path("ranks").toString()).isEqualTo("[0,1,null,null]");
            assertThat(rescale(job)).isEqualTo(there.path("rescale"));
            assertThat(rescale(job).at("/master/address").asString()).isEqualTo("n1.example");

            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);
            assertThat(two.poll(job).at("/rescale/adopted").asBoolean()).isFalse();
            complete(job, 1);
            assertThat(two.poll(job).at("/rescale/adopted").asBoolean()).isTrue();
            assertThat(two.poll(job).at("/rescale/done").asBoolean()).isFalse();

            two.step(job + ".1", "RUNNING", ", \"rescaled\": 1").is(200);
            assertThat(two.poll(job).at("/rescale/done").asBoolean()).isTrue();
            assertThat(events(job, "RUNNING")).isEqualTo(1);
        }

        @Test
        void stepsBeforeTheChangeAreNotMeasurementsOfTheNewShape() {
            String job = running();
            place(job, piece("n1", "d0"), piece("n2", "d0"));

            measured(job, 1, 640, 2).is(200);
            assertThat(learnedShapes(job)).isEmpty();

            complete(job, 1);
            measured(job, 2, 1280, 2).is(200);
            assertThat(learnedShapes(job)).isEqualTo("2 on 2");
        }

        @Test
        void ranksLeaveAndReleaseTheirDevicesWithTheirEnd() {
            String job = grown();
            String other = submit(1);
            plan.put(other, piece("n2", "d1"));
            place(job, piece("n1", "d0"));

            assertThat(two.poll(job).path("devices").isEmpty()).isTrue();
            assertThat(two.poll(job).path("desired").asString()).isEqualTo("RUN");
            assertThat(two.step(other + ".1", "ACCEPTED").status()).isEqualTo(409);

            two.exit(job + ".1", 0).is(200);
            two.step(other + ".1", "ACCEPTED").is(200);
            two.step(other + ".1", "STARTING").is(200);
            complete(job, 2);

            assertThat(world.generation(job)).isEqualTo(1);
            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("RUNNING");
        }

        @Test
        void ranksThatAreStoppedAfterTheTrainingHasLeftThemFailNothing() {
            String job = grown();
            place(job, piece("n1", "d0"));
            complete(job, 2);

            two.release(job + ".1").is(200);

            assertThat(world.generation(job)).isEqualTo(1);
            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("RUNNING");
        }

        @Test
        void ranksThatAreStoppedBeforeTheTrainingHasLeftThemRestartTheJob() {
            String job = grown();
            place(job, piece("n1", "d0"));

            two.release(job + ".1").is(200);

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("STOPPED_BY_EXECUTOR");
        }

        @Test
        void ranksJoinAgainWhereTheyHaveLeft() {
            String job = grown();
            place(job, piece("n1", "d0"));
            complete(job, 2);
            two.exit(job + ".1", 0).is(200);
            place(job, piece("n1", "d0"), piece("n2", "d3"));

            assertThat(world.generation(job)).isEqualTo(1);
            assertThat(two.poll(job).path("state").asString()).isEqualTo("OFFERED");
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);
            complete(job, 3);
            two.step(job + ".1", "RUNNING", ", \"rescaled\": 3").is(200);
        }

        @Test
        void ranksJoinOnAThirdNodeAfterOthersHaveLeft() {
            FakeExecutor three = new FakeExecutor(api, "n3", 4);
            three.register().is(200);
            String job = grown();
            place(job, piece("n1", "d0"));
            two.exit(job + ".1", 0).is(200);
            complete(job, 2);
            place(job, piece("n1", "d0"), piece("n3", "d0"));

            assertThat(three.poll(job).path("mayStart").asBoolean()).isTrue();
            three.step(job + ".1", "STARTING").is(200);
        }

        @Test
        void aRankThatFailsToJoinRestartsTheJobAndItsLaterChangesAreRestarts() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);

            two.exit(job + ".1", 1).is(200);

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("FAILED");
            assertThat(one.poll().get(0).path("desired").asString()).isEqualTo("STOP");
            assertThat(world.value(Boolean.class, "select rescale_failed from job where id = ?", job))
                    .isTrue();
        }

        @Test
        void aLostExecutorRestartsTheJobUnlessItsRanksHaveLeft() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);

            silence("n2");

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("EXECUTOR_LOST");
        }

        @Test
        void aLostExecutorWhoseRanksHaveLeftIsOfNoConsequence() {
            String job = grown();
            place(job, piece("n1", "d0"));
            complete(job, 2);

            silence("n2");

            assertThat(one.poll(job).path("desired").asString()).isEqualTo("RUN");
            one.exit(job + ".1", 0).is(200);
            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("DONE");
        }

        @Test
        void aTrainingThatEndsWhileRanksWaitToJoinIsDone() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);

            one.exit(job + ".1", 0).is(200);

            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("DONE");
            assertThat(two.poll().get(0).path("desired").asString()).isEqualTo("STOP");
        }

        @Test
        void aTrainingThatEndsAfterItsChangeIsDoneWhenAllRanksAre() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);
            complete(job, 1);

            one.exit(job + ".1", 0).is(200);
            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("RUNNING");

            two.exit(job + ".1", 0).is(200);
            assertThat(api.get(JOBS + job).is(200).json().path("state").asString())
                    .isEqualTo("DONE");
        }

        @Test
        void aChangeThatIsNotCompleteInTimeOnOneNodeRestartsTheJob() {
            String job = growing();
            two.step(job + ".1", "STARTING").is(200);
            two.step(job + ".1", "RUNNING").is(200);
            complete(job, 1);
            world.sql("update assignment set rescaled_at = now() - interval '1 hour' where job_id = ?", job);

            steward.step();

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("RESCALE_TIMEOUT");
        }

        @Test
        void isARestartWhileARankOfAnotherNodeStillLeaves() {
            String job = grown();
            place(job, piece("n1", "d0"));
            complete(job, 2);

            place(job, piece("n1", "d0", "d1"));

            assertThat(world.generation(job)).isEqualTo(2);
        }
    }

    private long events(String job, String kind) {
        return world.value(Long.class, "select count(*) from job_event where job_id = ? and kind = ?", job, kind);
    }
}
