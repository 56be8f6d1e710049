package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.TestRounds;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

/** Jobs that ask for nodes of one rack, of which there are two with a node each. */
class TopologyTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";

    @Autowired
    private TestRounds rounds;

    @BeforeEach
    void twoRacks() {
        cluster(4, 4);
        policy.use(Policies.spur()::plan);
        rounds.begin();
        for (String node : new String[] {"n0", "n1"}) {
            String tag = api.get("/api/v1/nodes/" + node).is(200).etag();
            api.patch("/api/v1/nodes/" + node, "{\"rack\": \"r-" + node + "\"}", "If-Match", tag)
                    .is(200);
        }
    }

    private static String job(int slots, String topology) {
        return Submissions.json(tree -> {
            tree.withObject("/spec/elasticity").put("minSlots", slots).put("maxSlots", slots);
            tree.withObject("/spec/elasticity").putRawValue("topology", new RawValue(topology));
        });
    }

    @Test
    void aGangThatNoRackHoldsIsRefused() {
        JsonNode problem = api.post(JOBS, job(8, "{\"level\": \"rack\", \"policy\": \"REQUIRE\"}"))
                .is(422)
                .json();

        assertThat(problem.toString()).contains("one job can have at most 4 within one rack");
    }

    @Test
    void aPreferenceAcrossRacksIsPartOfTheConfiguration() {
        String id = api.post(JOBS, job(8, "{\"level\": \"rack\", \"policy\": \"PREFER\", \"crossingFactor\": 0.8}"))
                .is(201)
                .json()
                .path("id")
                .asString();
        rounds.run();

        JsonNode job = api.get(JOBS + "/" + id).json();
        assertThat(job.at("/allocation/configuration/crossings").intValue()).isEqualTo(1);
        assertThat(job.at("/spec/elasticity/topology/crossingFactor").doubleValue())
                .isEqualTo(0.8);
    }

    @Test
    void aFactorOfARequirementIsRefused() {
        JsonNode problem = api.post(
                        JOBS, job(4, "{\"level\": \"rack\", \"policy\": \"REQUIRE\", \"crossingFactor\": 0.8}"))
                .is(422)
                .json();

        assertThat(problem.toString()).contains("applies only with policy PREFER");
    }
}
