package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Maximum run times of tenants and pools: the default and maximum of the time limits of jobs. */
class MaxRunTimeTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";
    private static final String LIMIT = "/spec/timeLimit";

    @BeforeEach
    void limitTenants() {
        cluster(4, 4);
        put("tenants/root", "{\"maxRunSeconds\": 7200}");
        put("tenants/vision", "{\"parent\": \"root\", \"maxRunSeconds\": 36000}");
    }

    private void put(String path, String body) {
        Answer before = api.get("/api/v1/" + path);
        String[] headers = before.status() == 200 ? new String[] {"If-Match", before.etag()} : new String[0];
        api.put("/api/v1/" + path, body, headers);
        assertThat(api.get("/api/v1/" + path).is(200).json().has("maxRunSeconds"))
                .isEqualTo(body.contains("maxRun"));
    }

    private Answer submit(String limit) {
        return api.post(JOBS, Submissions.with(LIMIT, limit));
    }

    private JsonNode submitted() {
        return api.post(JOBS, Submissions.json()).is(201).json();
    }

    @Test
    void theLeastOfATenantAndItsAncestorsIsTheDefault() {
        assertThat(submitted().at(LIMIT).toString())
                .isEqualTo("{\"seconds\":7200.0,\"per\":\"JOB\",\"onLimit\":\"END\"}");
        assertThat(submit("{\"seconds\": 60, \"per\": \"START\"}")
                        .is(201)
                        .json()
                        .at(LIMIT + "/seconds")
                        .asInt())
                .isEqualTo(60);
    }

    @Test
    void isTheMaximumOfSubmissionsAndChanges() {
        Answer refused = submit("{\"seconds\": 7201}").is(ProblemType.UNPROCESSABLE);
        assertThat(refused.at("/errors/0/pointer")).isEqualTo(LIMIT + "/seconds");
        assertThat(refused.at("/errors/0/message"))
                .isEqualTo(
                        "(2:00:01) exceeds the maximum of tenant root (2:00:00); reduce it, or choose another tenant");

        String id = submitted().path("id").asString();
        for (String change : new String[] {"{\"seconds\": 7201}", "null"}) {
            assertThat(patch(id, change).is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                    .startsWith(LIMIT);
        }
        JsonNode changed = patch(id, "{\"seconds\": 30}").is(200).json().at(LIMIT);
        assertThat(changed.path("seconds").asInt()).isEqualTo(30);
        assertThat(changed.path("per").asString()).isEqualTo("JOB");
    }

    private Answer patch(String id, String limit) {
        return api.patch(JOBS + "/" + id, "{\"spec\": {\"timeLimit\": %s}}".formatted(limit), "If-Match", "*");
    }

    @Test
    void valuesThatContradictEachOtherAreRejected() {
        String levels = """
                {"levels": [{"cpusPerSlot": 4, "memoryGiBPerSlot": 8, "speed": 1}, {"cpusPerSlot": 8, "memoryGiBPerSlot": 16, "speed": 0.5}]}
                """;
        Answer refused = api.post(JOBS, Submissions.json(tree -> {
            tree.withObject("/spec/elasticity").remove("maxSlots");
            tree.withObject("/spec").set("hostSensitivity", RoundJson.mapper().readTree(levels));
        }));

        assertThat(refused.is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                .isEqualTo("/spec/hostSensitivity");
    }

    @Test
    void aLimitOfAllStartsRequeuesNoJob() {
        Answer refused = submit("{\"seconds\": 60, \"onLimit\": \"REQUEUE\"}").is(ProblemType.UNPROCESSABLE);

        assertThat(refused.at("/errors/0/message")).contains("requires per to be START");
    }

    @Test
    void aJobUsesThePoolsThatAllowItsLimit() {
        put("tenants/root", "{}");
        put("pools/main", "{\"maxRunSeconds\": 600}");
        assertThat(submitted().at(LIMIT + "/seconds").asInt())
                .as("the only pool")
                .isEqualTo(600);
        Answer refused = submit("{\"seconds\": 601}").is(ProblemType.UNPROCESSABLE);
        assertThat(refused.at("/errors/0/message")).contains("exceeds the maximum of pool main (0:10:00)");

        put("pools/long", "{\"maxRunSeconds\": 6000}");
        world.sql("update node set pool = 'long' where id = 'n1'");
        JsonNode two = submit("{\"seconds\": 601}").is(201).json();
        assertThat(two.at("/spec/elasticity/pools").toString()).isEqualTo("[\"long\"]");
        JsonNode any = submit("{\"seconds\": 599}").is(201).json();
        assertThat(any.at("/spec/elasticity/pools")).isEmpty();
        assertThat(submitted().at(LIMIT + "/seconds").asInt()).as("the largest").isEqualTo(6000);
    }
}
