package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class JobGroupTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";
    private static final String GROUP = "/api/v1/groups/g";
    private static final String TRIAL = Submissions.with("/spec/group", "\"g\"");

    @BeforeEach
    void registerNodes() {
        cluster(8, 8);
    }

    @Nested
    class Groups {
        @Test
        void areCreatedReadReplacedListedAndDeleted() {
            var created = api.put(GROUP, "{\"maxSlots\": 8}").is(201);
            assertThat(created.at("/tenant")).isEqualTo("root");
            assertThat(created.json().path("maxJobs").isNull()).isTrue();

            api.put(GROUP, "{\"maxSlots\": 4, \"maxJobs\": 2}", "If-Match", created.etag())
                    .is(200);
            assertThat(api.get(GROUP).json().path("maxSlots").intValue()).isEqualTo(4);
            assertThat(api.get("/api/v1/groups").json().path("items").size()).isEqualTo(1);

            api.delete(GROUP).is(204);
            api.get(GROUP).is(ProblemType.NOT_FOUND);
        }

        @Test
        void needATenantThatExistsAndKeepIt() {
            api.put(GROUP, "{\"tenant\": \"nobody\"}").is(ProblemType.UNPROCESSABLE);
            api.put("/api/v1/tenants/a", "{\"parent\": \"root\"}").is(201);
            api.put(GROUP, "{\"tenant\": \"a\"}").is(201);

            api.delete("/api/v1/tenants/a").is(ProblemType.IN_USE);
        }

        @Test
        void areInUseWhileAnActiveJobNamesThem() {
            api.put(GROUP, "{}").is(201);
            String id = api.post(JOBS, TRIAL).is(201).at("/id");

            assertThat(api.delete(GROUP).is(ProblemType.IN_USE).at("/errors/0/message"))
                    .contains(id);
            api.post(JOBS + "/" + id + "/cancel").is(200);
            api.delete(GROUP).is(204);
            assertThat(api.get(JOBS + "/" + id).is(200).at("/spec/group")).isEqualTo("g");
        }
    }

    @Nested
    class Jobs {
        @Test
        void nameAGroupThatExists() {
            assertThat(api.post(JOBS, TRIAL).is(ProblemType.UNPROCESSABLE).at("/errors/0/pointer"))
                    .isEqualTo("/spec/group");
            api.put(GROUP, "{}").is(201);
            assertThat(api.post(JOBS, TRIAL).is(201).at("/spec/group")).isEqualTo("g");
        }

        @Test
        void areOfTheTenantOfTheirGroupOrBelowIt() {
            api.put("/api/v1/tenants/a", "{\"parent\": \"root\"}").is(201);
            api.put("/api/v1/tenants/aa", "{\"parent\": \"a\"}").is(201);
            api.put(GROUP, "{\"tenant\": \"a\"}").is(201);

            assertThat(api.post(JOBS, TRIAL).is(ProblemType.UNPROCESSABLE).at("/errors/0/message"))
                    .isEqualTo("there is no group g for tenant root");
            api.post(JOBS, Submissions.json(tree -> {
                        tree.put("tenant", "aa");
                        ((ObjectNode) tree.at("/spec")).put("group", "g");
                    }))
                    .is(201);
        }

        @Test
        void joinAndLeaveAGroup() {
            api.put(GROUP, "{}").is(201);
            var job = api.post(JOBS, Submissions.json()).is(201);
            String path = JOBS + "/" + job.at("/id");

            api.patch(path, "{\"spec\": {\"group\": \"h\"}}", "If-Match", "*").is(ProblemType.UNPROCESSABLE);
            var joined = api.patch(path, "{\"spec\": {\"group\": \"g\"}}", "If-Match", "*")
                    .is(200);
            assertThat(joined.at("/spec/group")).isEqualTo("g");
            api.delete(GROUP).is(ProblemType.IN_USE);
            api.patch(path, "{\"spec\": {\"group\": null}}", "If-Match", "*").is(200);
            api.delete(GROUP).is(204);
        }

        @Test
        void areRefusedIfTheCapIsTooSmallForOneOfThem() {
            String wide = Submissions.json(tree -> {
                ((ObjectNode) tree.at("/spec/elasticity")).put("minSlots", 4);
                ((ObjectNode) tree.at("/spec")).put("group", "g");
            });
            api.put(GROUP, "{\"maxSlots\": 3}").is(201);
            assertThat(api.post(JOBS, wide).is(ProblemType.UNSATISFIABLE).at("/reasons/0"))
                    .contains("the cap of its group g is 3");

            api.put(GROUP, "{\"maxSlots\": 4}", "If-Match", "*").is(200);
            api.post(JOBS, wide).is(201);
        }

        @Test
        void mayBeSubmittedToAGroupThatPauses() {
            api.put(GROUP, "{\"maxSlots\": 0, \"maxJobs\": 0}").is(201);

            api.post(JOBS, TRIAL).is(201);
        }

        @Test
        void neverNameAGroupThatGoesAtTheSameMoment() throws Exception {
            for (int i = 0; i < 6; i++) {
                api.put(GROUP, "{}").is(201);
                List<Callable<Integer>> both = List.of(
                        () -> api.post(JOBS, TRIAL).raw().statusCode(),
                        () -> api.delete(GROUP).raw().statusCode());
                List<Integer> answers = new ArrayList<>();
                var threads = Executors.newFixedThreadPool(2);
                try {
                    for (var answer : threads.invokeAll(both)) {
                        answers.add(answer.get());
                    }
                } finally {
                    threads.shutdownNow();
                }

                assertThat(answers).isIn(List.of(List.of(201, 409), List.of(422, 204)));
                jdbc.sql("delete from job_event").update();
                jdbc.sql("delete from job").update();
                jdbc.sql("delete from job_group").update();
            }
        }
    }
}
