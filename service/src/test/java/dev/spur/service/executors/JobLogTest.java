package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Output of jobs, as executors upload it and callers read it. */
class JobLogTest extends ExecutorsTest {
    private long uploads;

    private Answer upload(FakeExecutor executor, String assignment, String ranks) {
        return uploadNumbered(executor, assignment, ++uploads, ranks);
    }

    private Answer uploadNumbered(FakeExecutor executor, String assignment, long number, String ranks) {
        return api.post(
                executor.path() + "/assignments/" + assignment + "/logs",
                "{\"registrationEpoch\": %d, \"seq\": %d, \"ranks\": [%s]}"
                        .formatted(executor.registrationEpoch(), number, ranks));
    }

    private static String rank(int rank, String text, String more) {
        return "{\"rank\": %d, \"text\": %s%s}"
                .formatted(rank, RoundJson.mapper().writeValueAsString(text), more);
    }

    private JsonNode logs(String job, String query) {
        return api.get(JOBS + job + "/logs" + query).is(200).json();
    }

    private static List<String> lines(JsonNode log) {
        return log.path("ranks")
                .valueStream()
                .flatMap(rank -> rank.path("lines").valueStream().map(JsonNode::asString))
                .toList();
    }

    private String running(FakeExecutor... executors) {
        String job = executors.length == 1 ? placed(piece("n1", "d0")) : placed(piece("n1", "d0"), piece("n2", "d0"));
        run(job, executors);
        return job;
    }

    @Nested
    class AFailure {
        @Test
        void namesTheRankThatFailedFirstWithItsLastLines() {
            String job = running(one, two);
            String id = assignment(job);
            upload(one, id, rank(0, "peer is gone\n", ", \"end\": {\"exitCode\": 1, \"secondsAgo\": 1}"))
                    .is(200);
            upload(
                            two,
                            id,
                            rank(
                                    1,
                                    "step 1\nloss is nan\n",
                                    ", \"path\": \"/logs/rank-1.log\", \"end\": {\"exitCode\": 3, \"secondsAgo\": 5}"))
                    .is(200);
            two.exit(id, 3).is(200);

            Answer view = api.get(JOBS + job).is(200);
            JsonNode failure = view.json().path("failure");

            assertThat(view.at("/observed/state")).isEqualTo("STOPPED");
            assertThat(failure.path("message").asString())
                    .isEqualTo("Attempt 1 of 2 failed. Rank 1 on node n2 exited with code 3.");
            assertThat(failure.path("lines").valueStream().map(JsonNode::asString))
                    .containsExactly("step 1", "loss is nan");
            assertThat(failure.path("exitCode").asInt()).isEqualTo(3);
            assertThat(api.get(JOBS + job + "/explanation").is(200).json().path("failure"))
                    .isEqualTo(failure);
            assertThat(logs(job, "?rank=1").at("/ranks/0/path").asString()).isEqualTo("/logs/rank-1.log");
        }

        @Test
        void ofTheLastAttemptIsTheMessageOfTheExplanation() {
            String job = running(one);
            one.exit(assignment(job), 127).is(200);
            world.sql("update job set retry_at = null where id = ?", job);
            place(job, piece("n1", "d0"));
            run(job, one);
            String id = assignment(job);
            one.exit(id, 137).is(200);
            String before = api.get(JOBS + job).etag();
            upload(one, id, rank(0, "", ", \"end\": {\"exitCode\": 137, \"outOfMemory\": \"HOST\", \"secondsAgo\": 1}"))
                    .is(200);

            JsonNode why = api.get(JOBS + job + "/explanation").is(200).json();

            assertThat(why.path("state").asString()).isEqualTo("FAILED");
            assertThat(why.path("message").asString())
                    .startsWith(
                            "Attempt 2 of 2 failed. Rank 0 on node n1 was killed by SIGKILL (exit code 137). It ran out of host memory");
            assertThat(api.get(JOBS + job).etag()).isNotEqualTo(before);
        }

        @Test
        void isReportedWithoutOutput() {
            String job = running(one);
            one.exit(assignment(job), 127).is(200);

            assertThat(api.get(JOBS + job).is(200).at("/failure/message"))
                    .isEqualTo(
                            "Attempt 1 of 2 failed. A process on node n1 exited with code 127: the program was not found.");
        }

        @Test
        void ofAPlatformHasItsExitCodeAndItsReason() {
            String job = world.job(1);
            world.sql("""
                    with ended as (update job set state = 'FAILED', ended_at = now() where id = ? returning id)
                    insert into job_event (job_id, kind, detail)
                    select id, 'FAILED', '{"connector": "slurm", "exitCode": 7, "detail": "FAILED (NonZeroExitCode)"}' from ended
                    """, job);

            JsonNode failure = api.get(JOBS + job).is(200).json().path("failure");

            assertThat(failure.path("message").asString())
                    .isEqualTo(
                            "The platform of connector slurm reported that the job exited with code 7: FAILED (NonZeroExitCode).");
            assertThat(failure.path("exitCode").asInt()).isEqualTo(7);
            assertThat(failure.path("attempt").isNull()).isTrue();
        }

        @Test
        void isNotTheEndOfAStoppedRank() {
            String job = running(one);
            String id = assignment(job);
            upload(one, id, rank(0, "", ", \"end\": {\"exitCode\": 143, \"stopped\": true}"))
                    .is(200);
            one.release(id).is(200);

            assertThat(api.get(JOBS + job).json().has("failure")).isFalse();
        }
    }

    @Nested
    class AnUpload {
        @Test
        void isStoredOnce() {
            String job = running(one);
            String id = assignment(job);

            assertThat(uploadNumbered(one, id, 7, rank(0, "once\n", "")).at("/applied"))
                    .isEqualTo("true");
            assertThat(uploadNumbered(one, id, 7, rank(0, "once\n", "")).at("/applied"))
                    .isEqualTo("false");
            uploadNumbered(one, id, 8, rank(0, "twice\n", "")).is(200);

            assertThat(lines(logs(job, ""))).containsExactly("once", "twice");
            uploadNumbered(one, id, 9, rank(0, "all of it\n", ", \"restart\": true"))
                    .is(200);
            assertThat(lines(logs(job, ""))).containsExactly("all of it");
        }

        @Test
        void keepsTheEndOfALongLog() {
            String job = running(one);
            String id = assignment(job);
            for (int i = 0; i < 5; i++) {
                upload(one, id, rank(0, ("line " + i + " ").repeat(8000) + "\n", ", \"end\": null"))
                        .is(200);
            }

            List<String> retained = lines(logs(job, "?lines=100000"));
            assertThat(String.join("\n", retained)).endsWith("line 4 ").hasSizeBetween(64 << 10, 128 << 10);
            assertThat(world.value(Integer.class, "select count(*) from job_log_chunk"))
                    .isEqualTo(2);
        }

        @Test
        void isRejectedFromAStaleRegistrationAGenerationThatNeverWasAndForRanksOfOtherNodes() {
            String job = running(one, two);
            String id = assignment(job);
            long epoch = one.registrationEpoch();
            one.register(id + " RUNNING").is(200);

            api.post(one.path() + "/assignments/" + id + "/logs", """
                    {"registrationEpoch": %d, "seq": 1, "ranks": [{"rank": 0}]}
                    """.formatted(epoch))
                    .is(ProblemType.STALE_REGISTRATION);
            upload(one, job + ".99", rank(0, "", "")).is(ProblemType.NOT_FOUND);
            upload(one, id, rank(1, "", "")).is(ProblemType.UNPROCESSABLE);
            upload(one, id, rank(0, "\u001b[31mred", "")).is(ProblemType.INVALID_REQUEST);
        }

        @Test
        void ofAReplacedGenerationIsRejected() {
            String job = running(one);
            String first = assignment(job);
            for (int i = 0; i < 3; i++) {
                place(job, piece("n1", "d" + (i + 1)));
                upload(one, assignment(job), rank(0, "generation " + i + "\n", ""))
                        .is(200);
            }

            upload(one, first, rank(0, "late\n", "")).is(ProblemType.STALE_GENERATION);
            place(job, piece("n1", "d0"));
            upload(one, assignment(job), rank(0, "newest\n", "")).is(200);

            assertThat(lines(logs(job, ""))).containsExactly("newest");
            assertThat(lines(logs(job, "?after=1"))).containsExactly("generation 1", "generation 2", "newest");
        }
    }

    @Nested
    class AReader {
        @Test
        void makesTheExecutorUploadAndWaitsForIt() throws Exception {
            String job = running(one);
            assertThat(one.poll(job).path("followLog").asBoolean()).isFalse();

            var read = CompletableFuture.supplyAsync(() -> logs(job, "?wait=30"));
            while (!one.poll(job).path("followLog").asBoolean()) {
                Thread.sleep(20);
            }
            upload(one, assignment(job), rank(0, "step 1\n", "")).is(200);
            JsonNode log = read.get();

            assertThat(lines(log)).containsExactly("step 1");
            assertThat(log.path("complete").asBoolean()).isFalse();

            String after = "?wait=30&after=" + log.path("cursor").asString();
            var next = CompletableFuture.supplyAsync(() -> logs(job, after));
            upload(one, assignment(job), rank(0, "step 2\n", "")).is(200);
            assertThat(lines(next.get())).containsExactly("step 2");

            world.sql("update job_log set followed_until = now()");
            assertThat(one.poll(job).path("followLog").asBoolean()).isFalse();
        }

        @Test
        void learnsThatTheLogIsCompleteOnceTheLastOutputIsStored() {
            String job = running(one);
            String id = assignment(job);
            one.exit(id, 0).is(200);
            assertThat(logs(job, "").path("complete").asBoolean()).isFalse();

            upload(one, id, rank(0, "done\n", ", \"end\": {\"exitCode\": 0}")).is(200);

            JsonNode log = logs(job, "?after=0&wait=30");
            assertThat(log.path("complete").asBoolean()).isTrue();
            assertThat(lines(log)).containsExactly("done");
            assertThat(logs(job, "?wait=30&after=" + log.path("cursor").asString())
                            .path("ranks"))
                    .isEmpty();
        }

        @Test
        void learnsWhyThereIsNoOutput() {
            String pending = submit(1);
            String ofAPlatform = world.job(1);

            assertThat(logs(pending, "").path("message").asString()).startsWith("The job has not started yet.");
            assertThat(logs(ofAPlatform, "").path("message").asString()).startsWith("The job has no command");
        }

        @Test
        void learnsThatTheRunningGenerationHasWrittenNothing() {
            String job = running(one);
            String first = assignment(job);
            upload(one, first, rank(0, "", "")).is(200);
            assertThat(logs(job, "").path("message").asString())
                    .matches("Generation 1 runs since \\S+Z\\. It has written nothing yet, .*");
            upload(one, first, rank(0, "of the first\n", "")).is(200);
            assertThat(logs(job, "").path("message").isNull()).isTrue();

            one.exit(first, 127).is(200);
            world.sql("update job set retry_at = null where id = ?", job);
            place(job, piece("n1", "d0"));
            run(job, one);

            JsonNode log = logs(job, "");
            long second = world.generation(job);
            assertThat(lines(log)).containsExactly("of the first");
            assertThat(log.path("message").asString()).startsWith("Generation %d runs since ".formatted(second));
            assertThat(logs(job, "?generation=1").path("message").isNull()).isTrue();
            assertThat(logs(job, "?after=0").path("message").isNull()).isTrue();
            upload(one, assignment(job), rank(0, "of the second\n", "")).is(200);
            assertThat(logs(job, "").path("message").isNull()).isTrue();
        }
    }
}
