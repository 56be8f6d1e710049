package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ProblemType;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that are measured in runs of their own. */
class ProfilingTest extends LearningTestBase {
    private int seq;

    /** A job that states nothing but its family. */
    private static ObjectNode unknown(double slotSeconds) {
        ObjectNode body = submission(Wrong.NOTHING);
        ObjectNode spec = (ObjectNode) body.path("spec");
        spec.remove("profile");
        spec.put("family", "new-net");
        if (slotSeconds > 0) {
            spec.putObject("profiling").put("slotSeconds", slotSeconds);
        }
        return body;
    }

    private JsonNode measuring(String job) {
        return prediction(job).path("profiling");
    }

    private ProfilingTarget profilingTarget(String job) {
        return RoundJson.mapper().treeToValue(measuring(job).path("profilingTarget"), ProfilingTarget.class);
    }

    private List<String> ends(String job) {
        return measuring(job)
                .path("over")
                .valueStream()
                .map(run -> run.path("end").asString())
                .toList();
    }

    /** Two reports of what is true, of which the first is cold. */
    private void train(String job) {
        for (int i = 0; i < 2; i++) {
            report(job, ++seq, truth(held(job)));
        }
    }

    @Test
    void aJobRunsInOneShapeAfterTheOtherUntilItIsKnown() {
        String job = submit(unknown(1e6));
        Set<List<Object>> shapes = new HashSet<>();
        int rounds = 0;
        round();
        while (!measuring(job).path("profilingTarget").isNull() && rounds++ < 40) {
            assertThat(profilingTarget(job).matches(held(job)))
                    .as("%s", held(job))
                    .isTrue();
            assertThat(api.get(JOBS + "/" + job + "/explanation").is(200).text())
                    .contains("Profiling run on");
            shapes.add(List.of(held(job).acceleratorType(), held(job).slots()));
            train(job);
            round();
        }

        assertThat(rounds).isBetween(3, 39);
        assertThat(ends(job)).containsOnly("MEASURED").hasSize(rounds);
        assertThat(shapes).extracting(shape -> shape.get(0)).contains("A100", "V100");
        assertThat(measuring(job).path("spentSlotSeconds").doubleValue()).isPositive();
        assertThat(trueGoodput(held(job))).isGreaterThan(0.9 * best(Wrong.NOTHING));
        assertThat(api.get(JOBS + "/" + job + "/events").is(200).json().findValuesAsString("kind"))
                .contains("PROFILED");
    }

    @Test
    void aReportWithTheSpeedEndsTheRun() {
        String job = submit(unknown(1e6));
        round();
        report(job, ++seq, truth(held(job)));
        assertThat(ends(job)).isEmpty();

        report(job, ++seq, truth(held(job)));

        assertThat(ends(job)).containsExactly("MEASURED");
        assertThat(measuring(job).path("profilingTarget").isNull()).isTrue();
    }

    @Test
    void aShapeThatIsNotHadForFiveMinutesIsGivenUpWhileTheJobRuns() {
        String job = submit(unknown(1e6));
        round();
        train(job);
        world.sql(
                "update node set state = 'DRAINING' where id = 'n-' || ?",
                held(job).acceleratorType().equals("A100") ? "V100" : "A100");
        world.sql("""
                update job_profiling set requested_at = now() - interval '6 minutes',
                    profiling_target = '{"acceleratorType": "%s", "slots": 8, "nodes": 1, "strategy": "ALL_REDUCE", "aggregationSlots": 0, "batchSize": 512}'
                """.formatted(held(job).acceleratorType().equals("A100") ? "V100" : "A100"));

        round();

        assertThat(ends(job)).contains("NOT_PLACED");
        assertThat(job(job).path("state").asString()).isEqualTo("RUNNING");
    }

    @Test
    void aRunEndsWithoutReportsOnceItHasTakenTooLong() {
        String job = submit(unknown(1e6));
        round();
        world.sql(
                "update job set allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 1000))");

        round();

        assertThat(ends(job)).containsExactly("NOT_REPORTED");
    }

    @Test
    void theBudgetIsKept() {
        String job = submit(unknown(1000));
        round();
        ProfilingTarget first = profilingTarget(job);
        world.sql(
                "update job_profiling set counted_at = now() - interval '2000 seconds', requested_at = now() - interval '2000 seconds'");
        world.sql("update job set allocated_since = now() - interval '2000 seconds'");

        round();

        assertThat(ends(job)).containsExactly("OUT_OF_BUDGET");
        assertThat(measuring(job).path("spentSlotSeconds").doubleValue())
                .isBetween(2000.0 * first.slots(), 2100.0 * first.slots());
        assertThat(measuring(job).path("profilingTarget").isNull()).isTrue();
        assertThat(job(job).path("state").asString()).isEqualTo("RUNNING");
    }

    @Test
    void nothingIsMeasuredThatTheOwnerDoesNotAllow() {
        String job = submit(unknown(0));
        round();

        assertThat(measuring(job).isNull()).isTrue();
        assertThat(world.value(Integer.class, "select count(*) from job_profiling"))
                .isZero();
    }

    @Test
    void aJobThatMayNotBeMovedIsRefused() {
        ObjectNode body = unknown(1000);
        ((ObjectNode) body.path("spec")).put("preemptible", false);

        assertThat(api.post(JOBS, body.toString()).is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                .startsWith("/spec");
    }
}
