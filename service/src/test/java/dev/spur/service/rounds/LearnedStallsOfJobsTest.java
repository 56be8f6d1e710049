package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What jobs teach of the stalls of their changes, over REST. */
class LearnedStallsOfJobsTest extends LearningTestBase {
    @Autowired
    private SnapshotReader snapshots;

    private static ObjectNode rescaling() {
        ObjectNode body = submission(Wrong.NOTHING);
        ObjectNode spec = (ObjectNode) body.path("spec");
        spec.put("restartPenaltySeconds", 50).putObject("changeCosts").put("rescaleSeconds", 9);
        return body;
    }

    private static ObjectNode ofFamily() {
        ObjectNode body = rescaling();
        ((ObjectNode) body.path("spec")).put("family", "net");
        return body;
    }

    private String start(ObjectNode body) {
        String id = submit(body);
        round();
        return id;
    }

    private String progress(String id, int seq, String more) {
        return """
                {"generation": %d, "seq": %d, "samplesTotal": %d, "state": "RUNNING", %s}
                """.formatted(job(id).path("generation").longValue(), seq, seq, more);
    }

    private void send(String id, int seq, String more) {
        api.post(JOBS + "/" + id + "/progress", progress(id, seq, more)).is(200);
    }

    private static String rescales(int from, double... stalls) {
        StringBuilder changes = new StringBuilder();
        for (double stall : stalls) {
            changes.append(changes.isEmpty() ? "" : ", ")
                    .append("{\"number\": %d, \"kind\": \"RESCALE\", \"stallSeconds\": %s}".formatted(from++, stall));
        }
        return "\"changes\": [%s]".formatted(changes);
    }

    private JsonNode stall(String id, String kind) {
        for (JsonNode stall : job(id).path("stalls")) {
            if (stall.path("kind").asString().equals(kind)) {
                return stall;
            }
        }
        throw new AssertionError("no stall of kind " + kind);
    }

    /** The next generation makes its first step {@code seconds} after the last step and after its allocation. */
    private void restart(String id, double seconds) {
        api.post(JOBS + "/" + id + "/hold").is(200);
        round();
        send(id, seconds);
        api.post(JOBS + "/" + id + "/release").is(200);
        round();
        world.sql("update job set allocated_since = now() - make_interval(secs => ?) where id = ?", seconds, id);
        send(id, 1, "\"stepTimes\": {\"firstSecondsAgo\": 0, \"lastSecondsAgo\": 0}");
    }

    /** The last report of a generation that was stopped. */
    private void send(String id, double lastSecondsAgo) {
        api.post(
                        JOBS + "/" + id + "/progress",
                        progress(
                                id,
                                9,
                                "\"stepTimes\": {\"firstSecondsAgo\": %s, \"lastSecondsAgo\": %s}"
                                        .formatted(lastSecondsAgo, lastSecondsAgo)))
                .is(ProblemType.STALE_GENERATION);
    }

    @Test
    void changesOfTheTrainingAreCountedOnce() {
        String id = start(rescaling());

        send(id, 1, rescales(1, 0.2));
        send(id, 2, rescales(1, 0.2, 0.2));
        send(id, 3, rescales(1, 0.2, 0.2));
        send(id, 3, rescales(1, 0.2, 0.2, 0.2));

        JsonNode stall = stall(id, "RESCALE");
        assertThat(stall.path("changes").intValue()).isEqualTo(2);
        assertThat(stall.path("seconds").doubleValue())
                .isCloseTo(Math.exp((Math.log(9) / 9 + 2 * Math.log(0.2)) / (2 + 1 / 9.0)), within(1e-9));
        assertThat(stall.path("origin").asString()).isEqualTo("MEASURED");
        assertThat(stall(id, "RESTART").path("message").asString()).isEqualTo("A restart costs about 50 s (stated).");
    }

    @Test
    void restartsAreMeasuredFromTheLastStepToTheFirst() {
        String id = start(rescaling());
        send(id, 1, "\"stepTimes\": {\"firstSecondsAgo\": 0, \"lastSecondsAgo\": 0}");
        assertThat(stall(id, "RESTART").path("changes").intValue()).isZero();

        restart(id, 40);
        restart(id, 42);
        send(id, 2, "\"stepTimes\": {\"firstSecondsAgo\": 5, \"lastSecondsAgo\": 0}");

        JsonNode stall = stall(id, "RESTART");
        assertThat(stall.path("changes").intValue()).isEqualTo(2);
        assertThat(stall.path("seconds").doubleValue()).isBetween(40.0, 44.0);
        assertThat(api.get(JOBS + "/" + id + "/explanation")
                        .is(200)
                        .json()
                        .path("stalls")
                        .findValuesAsString("message"))
                .anySatisfy(message ->
                        assertThat(message).matches("A restart costs about 4[0-4] s \\(measured, 2 changes\\)."));
    }

    @Test
    void theTimeInWhichAJobWaitsDoesNotCount() {
        String id = start(rescaling());
        send(id, 1, "\"stepTimes\": {\"firstSecondsAgo\": 9000, \"lastSecondsAgo\": 8000}");
        api.post(JOBS + "/" + id + "/hold").is(200);
        round();
        api.post(JOBS + "/" + id + "/release").is(200);
        round();
        world.sql("update job set allocated_since = now() - interval '30 s' where id = ?", id);
        send(id, 1, "\"stepTimes\": {\"firstSecondsAgo\": 10, \"lastSecondsAgo\": 0}");

        assertThat(stall(id, "RESTART").path("seconds").doubleValue()).isBetween(20.0, 26.0);
    }

    @Test
    void roundsPlanWithTheMeasuredStalls() {
        String id = start(rescaling());
        send(id, 1, "\"stepTimes\": {\"firstSecondsAgo\": 0, \"lastSecondsAgo\": 0}");
        restart(id, 200);
        restart(id, 200);
        double estimated = stall(id, "RESTART").path("seconds").doubleValue();

        assertThat(estimated).isBetween(180.0, 210.0);
        assertThat(snapshots.read().problem().jobs().get(0).spec().restartPenaltySeconds())
                .isEqualTo(estimated);
        restart(id, 200);
        assertThat(api.get("/api/v1/plans/current")
                        .is(200)
                        .json()
                        .at("/running/0/restartPenaltySeconds")
                        .doubleValue())
                .as("in the plan of the last restart")
                .isEqualTo(estimated);
    }

    @Test
    void aFamilyPredictsTheStallsOfItsOtherJobs() {
        String id = start(ofFamily());
        send(id, 1, rescales(1, 0.2, 0.2, 0.2, 0.9, 0.9, 0.9));

        String other = start(ofFamily());

        JsonNode stall = stall(other, "RESCALE");
        assertThat(stall.path("origin").asString()).isEqualTo("PREDICTED");
        assertThat(stall.path("seconds").doubleValue())
                .as("the first three changes and the statement")
                .isCloseTo(Math.exp((Math.log(9) / 9 + 3 * Math.log(0.2)) / (3 + 1 / 9.0)), within(1e-9));
        assertThat(stall(start(rescaling()), "RESCALE").path("origin").asString())
                .isEqualTo("STATED");
    }

    @ParameterizedTest
    @CsvSource({"RESCALE,-1", "RESCALE,86401", "RESCALE,1e300", "RESTART,1"})
    void aValueThatIsNoStallIsRejectedWithItsPointer(String kind, String seconds) {
        String id = start(rescaling());

        String pointer = api.post(
                        JOBS + "/" + id + "/progress",
                        progress(
                                id,
                                1,
                                "\"changes\": [{\"number\": 1, \"kind\": \"%s\", \"stallSeconds\": %s}]"
                                        .formatted(kind, seconds)))
                .is(400)
                .at("/errors/0/pointer");

        assertThat(pointer).startsWith("/changes/0/");
        assertThat(job(id).path("state").asString()).isEqualTo("RUNNING");
    }
}
