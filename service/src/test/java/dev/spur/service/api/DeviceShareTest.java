package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.SnapshotReader;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.node.ObjectNode;

class DeviceShareTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";
    private static final String NODE = "/api/v1/nodes/n0";

    @Autowired
    private SnapshotReader snapshots;

    @BeforeEach
    void aNode() {
        cluster(4);
    }

    private void shareDevices() {
        world.sql("update node set shares_devices = true where id = 'n0'");
    }

    private static String share(String elasticity) {
        return Submissions.with("/spec/elasticity", elasticity);
    }

    @Nested
    class Submission {
        @Test
        void hasOneSlotByDefaultAndReachesRounds() {
            shareDevices();

            var created = api.post(JOBS, share("{\"deviceShare\": 0.35}")).is(201);

            assertThat(created.at("/spec/elasticity/deviceShare")).isEqualTo("0.35");
            assertThat(created.at("/spec/elasticity/maxSlots")).isEqualTo("1");
            assertThat(created.at("/deviceShare")).isEqualTo("0.35");
            assertThat(api.get(JOBS).is(200).at("/items/0/deviceShare")).isEqualTo("0.35");
            assertThat(api.get(JOBS + "/" + created.at("/id")).is(200).at("/spec/elasticity/deviceShare"))
                    .isEqualTo("0.35");
            var problem = snapshots.read().problem();
            assertThat(problem.jobs().get(0).spec().elasticity().deviceShare()).isEqualTo(0.35);
            assertThat(problem.nodes().get(0).sharesDevices()).isTrue();
        }

        @Test
        void namesEveryBrokenFieldAtOnce() {
            var problem = api.post(JOBS, share("{\"deviceShare\": 1, \"minSlots\": 0}"))
                    .is(ProblemType.INVALID_REQUEST);

            assertThat(problem.json().path("errors").findValuesAsString("pointer"))
                    .containsExactlyInAnyOrder("/spec/elasticity/deviceShare", "/spec/elasticity/minSlots");
        }

        @Test
        void hasAShareInHundredths() {
            assertThat(api.post(JOBS, share("{\"deviceShare\": 0.335}")).is(422).at("/errors/0/pointer"))
                    .isEqualTo("/spec/elasticity/deviceShare");
        }

        @Test
        void hasNoSecondSlot() {
            shareDevices();
            assertThat(api.post(JOBS, share("{\"deviceShare\": 0.5, \"maxSlots\": 2}"))
                            .is(422)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/spec/elasticity/maxSlots");
            String job = api.post(JOBS, share("{\"deviceShare\": 0.5}")).is(201).at("/id");

            var changed = api.patch(
                    JOBS + "/" + job,
                    "{\"spec\": {\"elasticity\": {\"maxSlots\": 2}}}",
                    "If-Match",
                    api.get(JOBS + "/" + job).etag());

            assertThat(changed.is(422).at("/errors/0/pointer")).isEqualTo("/spec/elasticity/maxSlots");
        }

        @Test
        void isRejectedWithARemedyWhereNoNodeSharesItsDevices() {
            assertThat(api.post(JOBS, share("{\"deviceShare\": 0.5}"))
                            .is(ProblemType.UNSATISFIABLE)
                            .json()
                            .path("reasons")
                            .toString())
                    .contains("shares its devices", "--share-gpus");
        }
    }

    @Nested
    class ANode {
        private void change(String patch) {
            api.patch(NODE, patch, "If-Match", api.get(NODE).etag()).is(200);
        }

        @Test
        void sharesItsDevicesByItsRequest() {
            change("{\"sharesDevices\": true}");
            assertThat(api.get(NODE).at("/sharesDevices")).isEqualTo("true");

            change("{\"sharesDevices\": null}");
            assertThat(api.get(NODE).json().path("sharesDevices").asBoolean(false))
                    .isFalse();

            api.put(
                            "/api/v1/nodes/shared",
                            "{\"pool\": \"main\", \"acceleratorType\": \"A100\", \"devices\": [\"d0\"], \"sharesDevices\": true}")
                    .is(201);
            assertThat(api.get("/api/v1/nodes/shared").at("/sharesDevices")).isEqualTo("true");
        }
    }

    @Nested
    class AWhatIfPlan {
        @Test
        void startsJobsOnOneDeviceOfAnAddedNode() {
            policy.use(Policies.spur()::plan);
            for (double share : new double[] {0.6, 0.4}) {
                api.post(JOBS, Submissions.json(tree -> {
                            tree.put("waitForHardware", true);
                            ((ObjectNode) tree.path("spec"))
                                    .putObject("elasticity")
                                    .put("deviceShare", share);
                        }))
                        .is(201);
            }

            var plan = api.post("/api/v1/what-if", """
                    {"changes": [{"change": "ADD_NODES", "nodes": [{"id": "new", "pool": "main", "acceleratorType": "A100",
                     "devices": ["d0"], "cpus": 64, "memoryGiB": 512, "sharesDevices": true}]}]}
                    """).is(200).json();

            assertThat(plan.path("changes").findValuesAsString("change")).containsExactly("START", "START");
        }

        @Test
        void givesAJobWithAShareNoSecondSlot() {
            shareDevices();
            String job = api.post(JOBS, share("{\"deviceShare\": 0.5}")).is(201).at("/id");

            api.post(
                            "/api/v1/what-if",
                            "{\"changes\": [{\"change\": \"SET_ELASTICITY\", \"job\": \"%s\", \"minSlots\": 1, \"maxSlots\": 2}]}"
                                    .formatted(job))
                    .is(422);
        }
    }

    @Test
    void aRecommendationForAShareIsAnAnswer() {
        shareDevices();
        ObjectNode spec =
                (ObjectNode) RoundJson.mapper().readTree(Submissions.json()).path("spec");
        spec.putObject("elasticity").put("deviceShare", 0.5);

        api.post("/api/v1/recommendations", "{\"spec\": %s}".formatted(spec)).is(200);
    }

    @Nested
    class Usage {
        @Test
        void countsTheShareOfTheSlotAndItsPrice() {
            world.sql("update node set price_per_slot_hour = 2.5 where id = 'n0'");
            String job = world.job(1);
            world.sql("update job set spec = jsonb_set(spec, '{elasticity,deviceShare}', '0.25') where id = ?", job);
            world.sql("""
                    insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at)
                    values (?, 1, 1, 'START', cast(? as jsonb), '2026-01-10T00:00:00Z', '2026-01-10T04:00:00Z')
                    """, job, """
                    {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [1], "strategy": "ALL_REDUCE",
                      "aggregationSlots": 0, "batchSize": 64, "accumulationSteps": 0},
                     "placement": [{"node": "n0", "devices": ["d0"]}], "aggregation": [], "since": 0}
                    """);

            var row = api.get("/api/v1/usage?since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z")
                    .is(200)
                    .json()
                    .at("/rows/0");

            assertThat(row.path("slotHours").asDouble()).isCloseTo(1, within(1e-9));
            assertThat(row.path("cost").asDouble()).isCloseTo(2.5, within(1e-9));
        }
    }
}
