package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.TestRounds;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

/** Labels of nodes, and jobs that require them. */
class NodeLabelsTest extends ApiTest {
    private static final String NODES = "/api/v1/nodes/";
    private static final String JOBS = "/api/v1/jobs";
    private static final String REQUIREMENTS = "/spec/elasticity/nodes";

    @Autowired
    private TestRounds rounds;

    @BeforeEach
    void twoZones() {
        cluster(4, 4);
        policy.use(Policies.spur()::plan);
        rounds.begin();
        label("n0", "{\"zone\": \"a\", \"age\": \"3\"}");
        label("n1", "{\"zone\": \"b\"}");
    }

    private JsonNode label(String node, String labels) {
        String tag = api.get(NODES + node).is(200).etag();
        return api.patch(NODES + node, "{\"labels\": " + labels + "}", "If-Match", tag)
                .is(200)
                .json()
                .path("labels");
    }

    private JsonNode submit(String requirements, int status) {
        return api.post(JOBS, Submissions.with(REQUIREMENTS, requirements))
                .is(status)
                .json();
    }

    private String placement(String id) {
        return jdbc.sql("select coalesce(allocation ->> 'placement', '') from job where id = ?")
                .param(id)
                .query(String.class)
                .single();
    }

    @Test
    void labelsAreMergedByPatchesAndReplacedByPuts() {
        JsonNode labels = label("n0", "{\"age\": null, \"fast\": \"\"}");

        assertThat(labels).hasToString("{\"fast\":\"\",\"zone\":\"a\"}");
        assertThat(label("n0", "null")).isEmpty();
    }

    @Test
    void labelsOfSpurAreRefused() {
        JsonNode problem = api.patch(
                        NODES + "n0", "{\"labels\": {\"spur/node\": \"n1\", \"a b\": \"\"}}", "If-Match", "*")
                .is(400)
                .json();

        assertThat(problem.path("errors")).hasSize(2);
        assertThat(problem.toString()).contains("must begin with a letter or digit, but not with spur/");
    }

    private void isOnlyOnN1(String id) {
        assertThat(placement(id)).contains("\"n1\"").doesNotContain("\"n0\"");
    }

    @Test
    void aJobRunsOnNodesThatMeetItsRequirements() {
        String id = submit("[{\"label\": \"zone\", \"operator\": \"IN\", \"values\": [\"b\"]}]", 201)
                .path("id")
                .asString();
        rounds.run();

        isOnlyOnN1(id);
        assertThat(api.get(JOBS + "/" + id)
                        .json()
                        .at("/spec/elasticity/nodes/0/values/0")
                        .asString())
                .isEqualTo("b");
    }

    @Test
    void aJobRunsOnNodesThatItPrefers() {
        String id = api.post(JOBS, preferring("[{\"label\": \"zone\", \"operator\": \"IN\", \"values\": [\"b\"]}]"))
                .is(201)
                .json()
                .path("id")
                .asString();
        rounds.run();

        isOnlyOnN1(id);
        assertThat(api.get(JOBS + "/" + id)
                        .json()
                        .at("/spec/elasticity/preferredNodes/factor")
                        .doubleValue())
                .isEqualTo(0.9);
    }

    @Test
    void aWrongPreferenceIsReported() {
        JsonNode problem = api.post(JOBS, preferring("[{\"label\": \"zone\", \"operator\": \"IN\"}]"))
                .is(422)
                .json();

        assertThat(problem.at("/errors/0/pointer").asString()).startsWith("/spec/elasticity/preferredNodes");
        assertThat(problem.toString()).contains("must contain a value with IN");
    }

    private static String preferring(String requirements) {
        return Submissions.json(tree -> tree.withObject("/spec/elasticity/preferredNodes")
                .put("factor", 0.9)
                .putRawValue("requirements", new RawValue(requirements)));
    }

    @Test
    void aJobThatMayBeStoppedLeavesANodeThatNoLongerMeetsThem() {
        String job = Submissions.json(tree -> {
            tree.withObject("/spec").put("restartPenaltySeconds", 0).put("minRunSeconds", 0);
            tree.withObject("/spec/elasticity")
                    .putArray("nodes")
                    .addObject()
                    .put("label", "broken")
                    .put("operator", "DOES_NOT_EXIST");
        });
        String id = api.post(JOBS, job).is(201).json().path("id").asString();
        rounds.run();
        boolean isFirst = placement(id).contains("\"n0\"");
        label(isFirst ? "n0" : "n1", "{\"broken\": \"\"}");
        rounds.run();

        assertThat(placement(id)).contains(isFirst ? "n1" : "n0").doesNotContain(isFirst ? "n0" : "n1");
    }

    @Test
    void aJobThatNoNodeCanRunIsRefusedWithItsRequirement() {
        JsonNode problem = submit("[{\"label\": \"zone\", \"operator\": \"IN\", \"values\": [\"c\"]}]", 422);

        assertThat(problem.toString())
                .contains(
                        "No node of an allowed pool and type meets the requirements in elasticity.nodes: zone in (c).");
    }

    @Test
    void aGangThatIsLargerThanTheNodesThatMeetThemIsRefused() {
        String job = Submissions.json(tree -> {
            tree.withObject("/spec/elasticity").put("minSlots", 8).put("maxSlots", 8);
            tree.withObject("/spec/elasticity")
                    .putArray("nodes")
                    .addObject()
                    .put("label", "spur/node")
                    .put("operator", "NOT_IN")
                    .putArray("values")
                    .add("n1");
        });

        assertThat(api.post(JOBS, job).is(422).json().toString())
                .contains("one job can have at most 4 on nodes that meet its requirements");
    }

    @Test
    void eachWrongRequirementIsReported() {
        JsonNode problem = submit(
                "[{\"label\": \"zone\", \"operator\": \"IN\"}, {\"label\": \"age\", \"operator\": \"LESS_THAN\", \"values\": [\"x\"]}]",
                422);

        assertThat(problem.path("errors")).hasSize(2);
        assertThat(problem.toString()).contains("must contain a value with IN", "must be one integer with LESS_THAN");
    }

    @Test
    void theLargestGangOfAJobWithoutAMaximumIsOnTheNodesThatMeetItsRequirements() {
        String job = Submissions.json(tree -> {
            tree.withObject("/spec/elasticity").remove("maxSlots");
            tree.withObject("/spec/elasticity")
                    .putArray("nodes")
                    .addObject()
                    .put("label", "age")
                    .put("operator", "GREATER_THAN")
                    .putArray("values")
                    .add("2");
        });

        assertThat(api.post(JOBS, job)
                        .is(201)
                        .json()
                        .at("/spec/elasticity/maxSlots")
                        .intValue())
                .isEqualTo(4);
    }

    @Test
    void activeJobsHaveAtMostSixtyFourDifferentRequirements() {
        for (int k = 1; k <= 64; k++) {
            submit("[{\"label\": \"zone\", \"operator\": \"NOT_IN\", \"values\": [\"x%d\"]}]".formatted(k), 201);
        }

        submit("[{\"label\": \"zone\", \"operator\": \"NOT_IN\", \"values\": [\"x3\"]}]", 201);
        JsonNode problem = submit("[{\"label\": \"zone\", \"operator\": \"NOT_IN\", \"values\": [\"x65\"]}]", 422);

        assertThat(problem.at("/errors/0/pointer").asString()).isEqualTo(REQUIREMENTS);
        assertThat(problem.toString()).contains("active jobs have 64 different requirements");
    }
}
