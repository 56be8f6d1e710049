package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The supervisor of AdaptDL, as its training code asks it: without a token. */
class SupervisorTest extends ExecutorsTest {
    private static final String HINTS = """
            {"initBatchSize": 32, "localBszBounds": [16, 64], "globalBatchSize": null, "maxBatchSize": 64, "maxProfiledReplicas": 2,
             "gradientAccumulation": false, "gradParams": {"norm": 0.5, "var": 4.0},
             "perfParams": {"alpha_c": 0.1, "beta_c": 0.01, "alpha_n": 0.3, "beta_n": 0, "alpha_r": 0.2, "beta_r": 0, "gamma": 1},
             "ofALaterVersion": {}}
            """;

    /** What makes a caller a stranger who needs a token anywhere else. */
    private static final String[] STRANGER = {"X-Forwarded-For", "203.0.113.7"};

    private static String key(JsonNode assignment) {
        return assignment.path("key").asString();
    }

    private Answer hint(String key, String job, String hints) {
        return api.put("/compat/adaptdl/hints/%s/%s".formatted(key, job), hints, STRANGER);
    }

    private Answer discover(String key, String job, long group, int seconds) {
        return api.get("/compat/adaptdl/discover/%s/%s/%d?timeout=%d".formatted(key, job, group, seconds), STRANGER);
    }

    @Nested
    class Hints {
        @Test
        void areStepsInTheShapeOfTheJobAndANoiseScale() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            run(job, one, two);
            String key = key(one.poll(job));

            hint(key, job, HINTS).is(200);

            // two slots of two nodes, 32 samples each: 0.1 + 32 * 0.01 + 0.3 s
            double seconds = world.value(
                    Double.class,
                    "select cast(learned_speed #>> '{steps,0,windows,0}' as double precision) from job_learning where job_id = ?",
                    job);
            assertThat(seconds).isCloseTo(0.72, within(1e-9));
            assertThat(world.value(Double.class, "select noise_scale from job_learning where job_id = ?", job))
                    .isCloseTo(256, within(1e-9));
        }

        @Test
        void countWithoutWhatIsNotKnownYet() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String key = key(one.poll(job));

            hint(key, job, "{\"gradParams\": null, \"perfParams\": null}").is(200);
            assertThat(world.value(Integer.class, "select count(*) from job_learning where job_id = ?", job))
                    .isZero();

            String noise = HINTS.replace("\"norm\": 0.5", "\"norm\": -0.1");
            hint(key, job, noise).is(200);
            assertThat(world.value(Integer.class, "select noise_reports from job_learning where job_id = ?", job))
                    .isZero();
        }

        @Test
        void areRefusedFromAnotherGenerationAndAfterTheEnd() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String key = key(one.poll(job));
            place(job, piece("n2", "d0"));

            assertThat(hint(key, job, HINTS).is(ProblemType.STALE_GENERATION).at("/action"))
                    .isEqualTo("STOP");
            assertThat(key(two.poll(job))).isNotEqualTo(key);
            hint(key(two.poll(job)), job, HINTS).is(200);
            api.post(JOBS + job + "/cancel").is(200);
            hint(key, job, HINTS).is(410);
        }

        @Test
        void areRefusedIfTheyAreNone() {
            String job = placed(piece("n1", "d0"));
            String key = key(one.poll(job));

            assertThat(hint(key, job, HINTS.replace("0.01", "-1")).is(400).at("/errors/0/pointer"))
                    .startsWith("/perfParams");
            hint(key, job, HINTS.replace("0.1,", "0,").replace("0.01", "0")).is(ProblemType.UNPROCESSABLE);
        }
    }

    @Nested
    class AKey {
        @Test
        void opensItsJobAndNoOther() {
            String first = placed(piece("n1", "d0"));
            String second = placed(piece("n1", "d1"));
            String key = key(one.poll(first));

            hint(key, second, HINTS).is(404);
            discover(key, second, 1, 0).is(404);
            hint(UUID.randomUUID().toString(), first, HINTS).is(404);
            discover(UUID.randomUUID().toString(), first, 1, 0).is(404);
        }

        @Test
        void isNothingForOtherRoutes() {
            String job = placed(piece("n1", "d0"));

            assertThat(api.get(JOBS + job, STRANGER).status()).isEqualTo(401);
            assertThat(api.get(JOBS + job, "Authorization", "Bearer " + key(one.poll(job)))
                            .status())
                    .isEqualTo(401);
        }

        @Test
        void isNotShownWithTheJob() {
            String job = placed(piece("n1", "d0"));
            String key = key(one.poll(job));

            assertThat(api.get(JOBS + job).text()).doesNotContain(key);
            assertThat(api.get(JOBS + job + "/allocations").text()).doesNotContain(key);
        }
    }

    @Nested
    class Discovery {
        @Test
        void waitsForTheWholeGang() throws Exception {
            String job = placed(piece("n1", "d0", "d1"), piece("n2", "d0"));
            String id = assignment(job);
            String key = key(one.poll(job));
            one.step(id, "ACCEPTED").is(200);
            two.step(id, "ACCEPTED").is(200);
            one.step(id, "STARTING").is(200);
            var requested = CompletableFuture.supplyAsync(() -> discover(key, job, 1, 60));
            discover(key, job, 1, 1).is(ProblemType.REQUEST_TIMEOUT);
            assertThat(requested).isNotDone();

            two.step(id, "STARTING").is(200);

            assertThat(requested.get().is(200).text()).isEqualTo("[\"n1.example\",\"n1.example\",\"n2.example\"]");
            assertThat(discover(key(two.poll(job)), job, 1, 0).is(200).text())
                    .isEqualTo(requested.get().text());
        }

        @Test
        void givesNothingForAnotherGroupOrOneThatHasEnded() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String key = key(one.poll(job));
            discover(key, job, 1, 0).is(200);

            discover(key, job, 2, 0).is(ProblemType.REQUEST_TIMEOUT);
            one.exit(assignment(job), 1).is(200);
            discover(key, job, 1, 0).is(ProblemType.REQUEST_TIMEOUT);
        }
    }
}
