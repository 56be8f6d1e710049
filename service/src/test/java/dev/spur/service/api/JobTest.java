package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class JobTest extends ApiTest {
    private static final String JOBS = "/api/v1/jobs";

    @BeforeEach
    void registerACluster() {
        cluster(4, 4);
    }

    private String submit() {
        return api.post(JOBS, Submissions.json()).is(201).at("/id");
    }

    private String events(String job) {
        return String.join(
                " ",
                api.get(JOBS + "/" + job + "/events")
                        .is(200)
                        .json()
                        .path("items")
                        .findValuesAsString("kind"));
    }

    @Nested
    class Submitting {
        @Test
        void answersWithTheWholeJob() {
            var created = api.post(JOBS, Submissions.json()).is(201);
            String id = created.at("/id");

            assertThat(created.header("Location")).isEqualTo(JOBS + "/" + id);
            assertThat(created.at("/state")).isEqualTo("SUBMITTED");
            assertThat(created.at("/tenant")).isEqualTo("root");
            assertThat(created.json().at("/spec/elasticity/minSlots").intValue())
                    .isEqualTo(1);
            assertThat(created.json().path("totalSamples").doubleValue()).isEqualTo(90.0 * 1281167);
            var read = api.get(JOBS + "/" + id).is(200);
            assertThat(read.json()).isEqualTo(created.json());
            assertThat(read.etag()).isEqualTo(created.etag());
            api.get(JOBS + "/" + id, "If-None-Match", read.etag()).is(304);
            assertThat(events(id)).isEqualTo("SUBMITTED");
        }

        @Test
        void anExternalIdIsUniqueInItsTenant() {
            String body = Submissions.with("/externalId", "\"x-1\"");
            String id = api.post(JOBS, body).is(201).at("/id");

            var problem = api.post(JOBS, body).is(ProblemType.ALREADY_EXISTS);
            assertThat(problem.at("/jobId")).isEqualTo(id);
            assertThat(problem.at("/errors/0/pointer")).isEqualTo("/externalId");
            api.put("/api/v1/tenants/other", "{}").is(201);
            api.post(
                            JOBS,
                            Submissions.json(
                                    tree -> tree.put("externalId", "x-1").put("tenant", "other")))
                    .is(201);
            assertThat(count("job")).isEqualTo(2);
        }

        @Test
        void aDeadlineIsAskedForAndMustBeAhead() {
            var job = api.post(JOBS, Submissions.with("/deadline", "\"2099-01-01T01:00:00.5+01:00\""))
                    .is(201);
            assertThat(job.at("/deadline")).isEqualTo("2099-01-01T00:00:00.500Z");
            assertThat(job.at("/deadlineStatus")).isEqualTo("PENDING");
            assertThat(api.post(JOBS, Submissions.with("/deadline", "\"2001-01-01T00:00:00Z\""))
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/deadline");
        }

        @Test
        void everyBrokenFieldIsNamedAtOnce() {
            var problem = api.post(JOBS, """
                    {"name": "", "bogus": 1, "labels": {"a": 3},
                     "spec": {"work": {"unit": "HOURS", "amount": -1}, "elasticity": {"maxSlots": 0},
                              "batch": {"initial": 1, "min": 1, "max": 1, "maxPerDevice": 1}, "profile": {}}}
                    """).is(ProblemType.INVALID_REQUEST);
            assertThat(problem.json().path("errors").findValuesAsString("pointer"))
                    .contains(
                            "/name",
                            "/bogus",
                            "/labels/a",
                            "/spec/work/unit",
                            "/spec/work/amount",
                            "/spec/elasticity/maxSlots",
                            "/spec/profile/points");
        }
    }

    @Nested
    class WhatCanNeverRun {
        @Test
        void doesNotReduceOnSlicesOfGpus() {
            String type = "/api/v1/accelerator-types/A100";
            api.put(
                            type,
                            "{\"maxAllReduceSlots\": 1}",
                            "If-Match",
                            api.get(type).header("ETag"))
                    .is(200);

            assertThat(reasons(Submissions.with("/spec/elasticity", "{\"minSlots\": 2, \"maxSlots\": 2}")))
                    .contains("AllReduce is not possible among that many");
            api.post(JOBS, Submissions.with("/spec/elasticity", "{\"minSlots\": 1, \"maxSlots\": 2}"))
                    .is(201);
        }

        private String reasons(String body) {
            return api.post(JOBS, body)
                    .is(ProblemType.UNSATISFIABLE)
                    .json()
                    .path("reasons")
                    .toString();
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "/spec/elasticity/acceleratorTypes | [\"H100\"] | No node in any pool has devices of type H100. Registered: A100 (up to 8 per job).",
                    "/spec/elasticity/pools | [\"other\"] | No node in pool other",
                    "/spec/elasticity/maxNodes | 0.0 | ",
                    "/spec/host | {\"cpusPerSlot\": 65} | at most 0",
                    "/spec/host | {\"memoryGiBPerSlot\": 513} | at most 0",
                    "/spec/batch | {\"initial\": 5000, \"min\": 5000, \"max\": 5000, \"maxPerDevice\": 10} | No batch size from 5000",
                    "/spec/synchronization | {\"allReduce\": false, \"parameterServer\": true} | no speed above 0",
                    "/spec/elasticity/allowedCounts | [3] | Elasticity allows no number of slots"
                })
        void isRefusedWithTheReason(String pointer, String value, String reason) {
            if (reason == null) {
                api.post(JOBS, Submissions.with(pointer, value)).is(ProblemType.INVALID_REQUEST);
            } else {
                assertThat(reasons(Submissions.with(pointer, value))).contains(reason);
            }
            assertThat(count("job")).isZero();
        }

        @Test
        void countsSlotsOfOneTypeInOnePoolOnAllowedNodes() {
            assertThat(reasons(Submissions.with("/spec/elasticity", "{\"minSlots\": 9, \"maxSlots\": 16}")))
                    .contains("at least 9 A100 in pool main; one job can have at most 8");
            assertThat(reasons(Submissions.with(
                            "/spec/elasticity", "{\"minSlots\": 5, \"maxSlots\": 8, \"maxNodes\": 1}")))
                    .contains("on 1 nodes");
            api.post(JOBS, Submissions.with("/spec/elasticity", "{\"minSlots\": 8, \"maxSlots\": 8}"))
                    .is(201);
            api.post("/api/v1/nodes/n1/mark-lost").is(200);
            api.post(JOBS, Submissions.with("/spec/elasticity", "{\"minSlots\": 8, \"maxSlots\": 8}"))
                    .is(201);
            api.delete("/api/v1/nodes/n1").is(204);
            assertThat(reasons(Submissions.with("/spec/elasticity", "{\"minSlots\": 8, \"maxSlots\": 8}")))
                    .contains("at most 4");
        }

        @Test
        void countsAggregationSlotsOfThePool() {
            String body = Submissions.json(tree -> {
                ObjectNode spec = (ObjectNode) tree.path("spec");
                spec.putObject("synchronization")
                        .put("allReduce", false)
                        .put("parameterServer", true)
                        .put("minAggregationSlots", 2)
                        .put("maxAggregationSlots", 4);
                spec.path("profile")
                        .path("points")
                        .forEach(point -> ((ObjectNode) point)
                                .put("strategy", "PARAMETER_SERVER")
                                .put("aggregationSlots", 2));
            });
            assertThat(reasons(body)).contains("2.0 aggregation slots in pool main, which has 0.0");
            String tag = api.get("/api/v1/nodes/n0").etag();
            api.patch("/api/v1/nodes/n0", "{\"aggregationSlots\": 2}", "If-Match", tag)
                    .is(200);
            api.post(JOBS, body).is(201);
        }

        @Test
        void obeysTheQuotasAboveATenant() {
            api.put(
                            "/api/v1/tenants/root",
                            "{\"quotas\": {\"A100\": {\"nominal\": 1, \"borrowingLimit\": 1}}}",
                            "If-Match",
                            "*")
                    .is(200);
            api.put("/api/v1/tenants/child", "{\"parent\": \"root\"}").is(201);
            String body = Submissions.json(tree -> {
                tree.put("tenant", "child");
                ((ObjectNode) tree.at("/spec/elasticity")).put("minSlots", 4);
            });
            assertThat(reasons(body)).contains("quotas limit a job of tenant child to 2");
        }

        @Test
        void mayWaitForHardwareToCome() {
            String body = Submissions.json(tree -> {
                tree.put("waitForHardware", true);
                ((ObjectNode) tree.at("/spec/elasticity")).put("minSlots", 64).put("maxSlots", 64);
            });
            assertThat(api.post(JOBS, body)
                            .is(201)
                            .json()
                            .path("waitForHardware")
                            .booleanValue())
                    .isTrue();
        }
    }

    @Nested
    class Idempotency {
        @Test
        void theSameKeyAndSubmissionGiveTheSameJob() {
            var first = api.post(JOBS, Submissions.json(), "Idempotency-Key", "\"k 1\"")
                    .is(201);
            assertThat(first.find("Idempotent-Replayed")).isEmpty();
            String reordered = Submissions.json(tree -> {
                var owner = tree.remove("owner");
                tree.set("owner", owner);
                tree.put("tenant", "root");
            });

            var second = api.post(JOBS, reordered, "Idempotency-Key", "k 1").is(201);
            assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(second.at("/id")).isEqualTo(first.at("/id"));
            assertThat(count("job")).isEqualTo(1);
        }

        @Test
        void theSameKeyForSomethingElseIsRefused() {
            String id = api.post(JOBS, Submissions.json(), "Idempotency-Key", "k")
                    .is(201)
                    .at("/id");

            var problem = api.post(JOBS, Submissions.with("/name", "\"other\""), "Idempotency-Key", "k")
                    .is(ProblemType.IDEMPOTENCY_KEY_REUSED);
            assertThat(problem.at("/jobId")).isEqualTo(id);
            assertThat(count("job")).isEqualTo(1);
        }

        @Test
        void aReplayComesThoughTheJobWouldBeRefusedNow() {
            api.post(JOBS, Submissions.json(), "Idempotency-Key", "k").is(201);
            api.delete("/api/v1/nodes/n0").is(204);
            api.delete("/api/v1/nodes/n1").is(204);

            api.post(JOBS, Submissions.json()).is(ProblemType.UNSATISFIABLE);
            assertThat(api.post(JOBS, Submissions.json(), "Idempotency-Key", "k")
                            .is(201)
                            .header("Idempotent-Replayed"))
                    .isEqualTo("true");
        }

        @Test
        void aRefusedSubmissionLeavesItsKeyFree() {
            String body = Submissions.with("/externalId", "\"x\"");
            api.post(JOBS, body).is(201);
            api.post(JOBS, body, "Idempotency-Key", "k").is(ProblemType.ALREADY_EXISTS);

            assertThat(count("idempotency_key")).isZero();
            api.post(JOBS, Submissions.json(), "Idempotency-Key", "k").is(201);
        }

        @Test
        void ofAHundredAtOnceOneMakesTheJob() throws Exception {
            var pool = Executors.newFixedThreadPool(100);
            try {
                List<Callable<String>> calls = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    calls.add(() -> {
                        var answer = api.post(JOBS, Submissions.json(), "Idempotency-Key", "once")
                                .is(201);
                        return answer.at("/id")
                                + answer.find("Idempotent-Replayed")
                                        .map(t -> "")
                                        .orElse("!");
                    });
                }
                List<String> ids = new ArrayList<>();
                for (var result : pool.invokeAll(calls)) {
                    ids.add(result.get());
                }
                assertThat(ids).filteredOn(id -> id.endsWith("!")).hasSize(1);
                assertThat(ids.stream().map(id -> id.replace("!", "")).distinct())
                        .hasSize(1);
                assertThat(count("job")).isEqualTo(1);
                assertThat(count("job_event")).isEqualTo(1);
            } finally {
                pool.shutdown();
            }
        }
    }

    @Nested
    class HoldingAndCancelling {
        @Test
        void aJobIsHeldReleasedAndCancelledAndNothingTwice() {
            String job = JOBS + "/" + submit();
            assertThat(api.post(job + "/hold").is(200).json().path("held").booleanValue())
                    .isTrue();
            api.post(job + "/hold").is(200);
            assertThat(api.post(job + "/release").is(200).json().path("held").booleanValue())
                    .isFalse();
            api.post(job + "/release").is(200);
            var cancelled = api.post(job + "/cancel").is(200);
            assertThat(cancelled.at("/state")).isEqualTo("CANCELLED");
            assertThat(cancelled.json().path("endedAt").isNull()).isFalse();
            assertThat(api.post(job + "/cancel").is(200).json()).isEqualTo(cancelled.json());

            api.post(job + "/hold").is(ProblemType.JOB_ENDED);
            api.post(job + "/release").is(ProblemType.JOB_ENDED);
            assertThat(events(cancelled.at("/id"))).isEqualTo("SUBMITTED HELD RELEASED CANCELLED");
        }

        @ParameterizedTest
        @ValueSource(strings = {"hold", "release", "cancel"})
        void anUnknownJobIsNotFound(String verb) {
            api.post(JOBS + "/00000000-0000-0000-0000-000000000000/" + verb).is(ProblemType.NOT_FOUND);
        }

        @Test
        void aRunningJobThatIsNotPreemptibleCannotBeHeld() {
            String id = api.post(JOBS, Submissions.with("/spec/preemptible", "false"))
                    .is(201)
                    .at("/id");
            run(id, 1, 2);

            api.post(JOBS + "/" + id + "/hold").is(ProblemType.NOT_PREEMPTIBLE);
            api.post(JOBS + "/" + id + "/cancel").is(200);
        }
    }

    @Nested
    class Changing {
        @Test
        void aMergePatchChangesWhatItNames() {
            String job = JOBS + "/" + submit();
            String tag = api.get(job).etag();
            var changed = api.patch(
                            job,
                            "{\"name\": \"new\", \"labels\": {\"project\": null, \"stage\": \"a\"},"
                                    + " \"deadline\": \"2099-01-01T00:00:00Z\","
                                    + " \"spec\": {\"priority\": 3, \"revenue\": 7.5, \"elasticity\": {\"maxSlots\": 8}}}",
                            "If-Match",
                            tag)
                    .is(200);

            assertThat(changed.at("/name")).isEqualTo("new");
            assertThat(changed.json().path("labels").toString()).isEqualTo("{\"stage\":\"a\"}");
            assertThat(changed.at("/deadlineStatus")).isEqualTo("PENDING");
            assertThat(changed.json().at("/spec/priority").intValue()).isEqualTo(3);
            assertThat(changed.json().at("/spec/revenue").doubleValue()).isEqualTo(7.5);
            assertThat(changed.json().at("/spec/elasticity/maxSlots").intValue())
                    .isEqualTo(8);
            assertThat(changed.json().at("/spec/elasticity/powersOfTwo").booleanValue())
                    .isTrue();
            assertThat(changed.etag()).isNotEqualTo(tag);
            var freed = api.patch(
                            job, "{\"deadline\": null, \"spec\": {\"revenue\": null}}", "If-Match", changed.etag())
                    .is(200);
            assertThat(freed.at("/deadlineStatus")).isEqualTo("NONE");
            assertThat(freed.json().at("/spec/revenue").isNumber()).isFalse();
        }

        @Test
        void isRefusedWithoutTheVersionOrWhatDoesNotFit() {
            String job = JOBS + "/" + submit();
            api.patch(job, "{\"name\": \"x\"}").is(ProblemType.PRECONDITION_REQUIRED);
            assertThat(api.patch(job, "{\"deadline\": \"2020-01-01T00:00:00Z\"}", "If-Match", "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/deadline");
            assertThat(api.patch(job, "{\"spec\": {\"timeLimit\": {\"per\": \"START\"}}}", "If-Match", "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/spec/timeLimit/seconds");
            api.patch(job, "{\"name\": \"x\"}", "If-Match", "\"99\"").is(ProblemType.PRECONDITION_FAILED);
            assertThat(api.patch(job, "{\"spec\": {\"elasticity\": {\"minSlots\": 6}}}", "If-Match", "*")
                            .is(ProblemType.UNPROCESSABLE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/spec/elasticity/maxSlots");
            api.patch(job, "{\"spec\": {\"elasticity\": {\"minSlots\": 16, \"maxSlots\": 16}}}", "If-Match", "*")
                    .is(ProblemType.UNSATISFIABLE);
            assertThat(api.patch(job, "{\"owner\": \"me\"}", "If-Match", "*")
                            .is(400)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/owner");
            api.post(job + "/cancel").is(200);
            api.patch(job, "{\"name\": \"x\"}", "If-Match", "*").is(ProblemType.JOB_ENDED);
        }

        @Test
        void theProfileIsReadAndReplaced() {
            String job = JOBS + "/" + submit();
            var profile = api.get(job + "/profile").is(200);
            String faster = profile.text().replace("410", "500");
            api.put(job + "/profile", faster).is(ProblemType.PRECONDITION_REQUIRED);
            var replaced = api.put(job + "/profile", faster, "If-Match", profile.etag())
                    .is(200);

            assertThat(replaced.etag()).isNotEqualTo(profile.etag());
            assertThat(api.get(job + "/profile").json()).isEqualTo(replaced.json());
            assertThat(api.get(job).json().at("/spec/profile")).isEqualTo(replaced.json());
            api.put(job + "/profile", faster, "If-Match", profile.etag()).is(ProblemType.PRECONDITION_FAILED);
            api.put(job + "/profile", faster.replace("A100", "X"), "If-Match", "*")
                    .is(ProblemType.UNSATISFIABLE);
        }
    }

    /** Puts a job on devices of n0, as the publication of a plan does. */
    private void run(String job, int generation, int slots) {
        jdbc.sql("""
                        update job set state = 'RUNNING', generation = ?, allocated_since = now() - interval '100 s',
                            first_start = now(), allocation = cast(? as jsonb), version = version + 1 where id = ?
                        """).params(generation, allocation(slots), job).update();
        jdbc.sql("""
                        insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at)
                        values (?, ?, 1, 'START', cast(? as jsonb), now())
                        """).params(job, generation, allocation(slots)).update();
    }

    private static String allocation(int slots) {
        String devices = slots == 1 ? "\"d0\"" : slots == 2 ? "\"d0\", \"d1\"" : "\"d0\", \"d1\", \"d2\", \"d3\"";
        return """
                {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [%d], "strategy": "ALL_REDUCE",
                  "aggregationSlots": 0, "batchSize": %d, "accumulationSteps": 0},
                 "placement": [{"node": "n0", "devices": [%s]}], "aggregation": [], "since": 1795284000}
                """.formatted(slots, 128 * slots, devices);
    }

    @Nested
    class OfUnknownLength {
        private static final String SHORT = """
                {"name": "train", "spec": {"batch": {"initial": 128}, "elasticity": {"maxSlots": 1}}}""";

        @Test
        void theWorkIsThatOfTheNewestJobOfTheFamilyThatIsDone() {
            String first = api.post(JOBS, SHORT).is(201).at("/id");
            assertThat(work(first)).contains("STEPS", "86400.0");
            run(first, 1, 1);
            report(first, 1, 5000, "COMPLETED");

            assertThat(work(api.post(JOBS, SHORT).is(201).at("/id"))).contains("SAMPLES", "5000.0");
        }

        private List<String> work(String job) {
            var work = api.get(JOBS + "/" + job).json().at("/spec/work");
            assertThat(work.path("estimated").booleanValue()).isTrue();
            return List.of(work.path("unit").asString(), work.path("amount").asString());
        }

        @Test
        void theProcessesEndTheJobAndTheEstimateGrows() {
            String job = api.post(
                            JOBS,
                            SHORT.replace("{\"batch\"", "{\"work\": {\"amount\": 900, \"estimated\": true}, \"batch\""))
                    .is(201)
                    .at("/id");
            run(job, 1, 1);

            assertThat(report(job, 1, 1800, "RUNNING").at("/directive")).isEqualTo("CONTINUE");
            var view = api.get(JOBS + "/" + job).is(200).json();
            assertThat(view.path("progress").doubleValue()).isEqualTo(0.9);
            assertThat(view.path("remainingSamples").doubleValue()).isEqualTo(200);
            report(job, 2, 1900, "COMPLETED");
            assertThat(api.get(JOBS + "/" + job).at("/state")).isEqualTo("DONE");
        }

        @Test
        void anEndBeforeTheEstimateIsTheWholeWork() {
            String job = api.post(
                            JOBS,
                            SHORT.replace("{\"batch\"", "{\"work\": {\"amount\": 900, \"estimated\": true}, \"batch\""))
                    .is(201)
                    .at("/id");
            run(job, 1, 1);

            report(job, 1, 300, "COMPLETED");

            JsonNode ended = api.get(JOBS + "/" + job).json();
            assertThat(ended.path("state").asString()).isEqualTo("DONE");
            assertThat(ended.path("progress").doubleValue()).isEqualTo(1);
            assertThat(ended.path("warnings").size()).isZero();
        }

        private ContractedClient.Answer report(String job, int seq, double samples, String state) {
            return api.post(JOBS + "/" + job + "/progress", """
                    {"generation": 1, "seq": %d, "samplesTotal": %s, "state": "%s"}""".formatted(seq, samples, state))
                    .is(200);
        }
    }

    @Nested
    class Progress {
        private String job;

        @BeforeEach
        void runAJob() {
            job = api.post(JOBS, Submissions.json(tree -> {
                        ((ObjectNode) tree.at("/spec"))
                                .putObject("work")
                                .put("unit", "SAMPLES")
                                .put("amount", 10000);
                    }))
                    .is(201)
                    .at("/id");
            run(job, 1, 1);
        }

        private String report(int generation, int seq, double samples, String state) {
            return "{\"generation\": %d, \"seq\": %d, \"samplesTotal\": %s, \"state\": \"%s\"}"
                    .formatted(generation, seq, samples, state);
        }

        private ContractedClient.Answer send(String report) {
            return api.post(JOBS + "/" + job + "/progress", report);
        }

        private double done() {
            return api.get(JOBS + "/" + job).json().path("doneSamples").doubleValue();
        }

        @Test
        void doesNotLoseProgressWhenACountFallsWithinAGeneration() {
            send(report(1, 1, 1000, "RUNNING")).is(200);

            send(report(1, 2, 10, "RUNNING")).is(200);
            send(report(1, 3, 900, "RUNNING")).is(200);

            assertThat(done()).isEqualTo(1000);
            var falls = api.get(JOBS + "/" + job + "/events")
                    .is(200)
                    .json()
                    .path("items")
                    .valueStream()
                    .filter(event -> event.path("kind").asString().equals("COUNT_FELL"))
                    .map(event -> event.path("detail"))
                    .toList();
            assertThat(falls).hasSize(1);
            assertThat(falls.get(0).path("before").asDouble()).isEqualTo(1000);
            assertThat(falls.get(0).path("samplesTotal").asDouble()).isEqualTo(10);

            send(report(1, 4, 1500, "RUNNING")).is(200);
            assertThat(done()).isEqualTo(1500);
        }

        @Test
        void lowersTheWorkThatIsLeft() {
            String before = api.get(JOBS + "/" + job).etag();
            var reply = send(report(1, 1, 1000, "RUNNING")).is(200);
            assertThat(reply.at("/directive")).isEqualTo("CONTINUE");
            assertThat(done()).isEqualTo(1000);
            var view = api.get(JOBS + "/" + job, "If-None-Match", before).is(200);
            assertThat(view.at("/observed/state")).isEqualTo("RUNNING");
            assertThat(view.json().path("remainingSamples").doubleValue()).isEqualTo(9000);
        }

        @Test
        void countsRepeatedAndLateReportsOnce() {
            send(report(1, 2, 1000, "RUNNING")).is(200);
            assertThat(send(report(1, 2, 1000, "RUNNING"))
                            .is(200)
                            .json()
                            .path("applied")
                            .booleanValue())
                    .isFalse();
            assertThat(send(report(1, 1, 500, "RUNNING"))
                            .is(200)
                            .json()
                            .path("applied")
                            .booleanValue())
                    .isFalse();
            assertThat(done()).isEqualTo(1000);
        }

        @Test
        void countsSamplesOfALargerBatchForLess() {
            send(report(1, 1, 1000, "RUNNING")).is(200);
            run(job, 2, 4);
            send(report(2, 1, 2000, "RUNNING")).is(200);

            double efficiency = (3000.0 + 128) / (3000 + 512);
            assertThat(done()).isCloseTo(1000 + 1000 * efficiency, org.assertj.core.data.Offset.offset(1e-6));
        }

        @Test
        void takesBackWhatARestartLostAsItWasCounted() {
            run(job, 2, 4);
            send(report(2, 1, 2000, "RUNNING")).is(200);
            double before = done();
            run(job, 3, 1);
            send(report(3, 1, 1500, "RUNNING")).is(200);

            assertThat(done()).isCloseTo(before * 0.75, org.assertj.core.data.Offset.offset(1e-6));
        }

        @Test
        void ofAnotherGenerationIsRefusedWithOrdersToStop() {
            run(job, 2, 2);
            var problem = send(report(1, 5, 1000, "RUNNING")).is(ProblemType.STALE_GENERATION);
            assertThat(problem.json().path("currentGeneration").intValue()).isEqualTo(2);
            assertThat(problem.at("/action")).isEqualTo("STOP");
            send(report(3, 1, 1000, "RUNNING")).is(ProblemType.STALE_GENERATION);
            assertThat(done()).isZero();
        }

        @Test
        void completesAJob() {
            var reached = send(report(1, 1, 10000, "RUNNING")).is(200);
            assertThat(reached.at("/directive")).isEqualTo("CHECKPOINT_AND_STOP");
            assertThat(api.get(JOBS + "/" + job).at("/state")).isEqualTo("COMPLETING");
            send(report(1, 2, 10100, "COMPLETED")).is(200);
            var view = api.get(JOBS + "/" + job).is(200).json();
            assertThat(view.path("state").asString()).isEqualTo("DONE");
            assertThat(view.path("allocation").isNull()).isTrue();
            assertThat(view.path("remainingSamples").doubleValue()).isZero();
            assertThat(events(job)).isEqualTo("SUBMITTED COMPLETING DONE");

            var gone = send(report(1, 3, 10100, "COMPLETED")).is(ProblemType.GONE);
            assertThat(gone.at("/action")).isEqualTo("STOP");
            var held = api.get(JOBS + "/" + job + "/allocations").is(200).json().path("items");
            assertThat(held.path(0).path("endedAt").isNull()).isFalse();
            double service = jdbc.sql("select attained_service from job")
                    .query(Double.class)
                    .single();
            assertThat(service).isBetween(100.0, 200.0);
        }

        @Test
        void isWholeForAJobThatIsDoneWhateverItReported() {
            send(report(1, 1, 0, "COMPLETED")).is(200);

            var view = api.get(JOBS + "/" + job).is(200).json();
            assertThat(view.path("doneSamples").doubleValue()).isZero();
            assertThat(view.path("progress").doubleValue()).isEqualTo(1);
        }

        @Test
        void isAShareOfTheWorkOfAtMostOne() {
            send(report(1, 1, 2500, "RUNNING")).is(200);
            assertThat(progress()).isEqualTo(0.25);

            send(report(1, 2, 10100, "RUNNING")).is(200);
            assertThat(progress()).isEqualTo(1);
        }

        @Test
        void ofAProgramThatEndsEarlyIsTheShareOfItsWorkWithAWarning() {
            send(report(1, 1, 2500, "COMPLETED")).is(200);

            assertThat(api.get(JOBS + "/" + job).at("/state")).isEqualTo("DONE");
            assertThat(progress()).isEqualTo(0.25);
            assertThat(api.get(JOBS + "/" + job).json().at("/warnings/0/kind").asString())
                    .isEqualTo("ENDED_EARLY");
            assertThat(api.get(JOBS + "/" + job)
                            .json()
                            .at("/warnings/0/message")
                            .asString())
                    .contains("after 2,500 of 10,000 samples (25.0 %)");
        }

        @Test
        void ofAProgramThatEndsALittleEarlyIsOne() {
            send(report(1, 1, 9600, "COMPLETED")).is(200);

            assertThat(progress()).isEqualTo(1);
            assertThat(api.get(JOBS + "/" + job).json().path("warnings").size()).isZero();
        }

        private double progress() {
            return api.get(JOBS + "/" + job).json().path("progress").doubleValue();
        }

        @Test
        void thatBeginsBelowTheCheckpointOfAnEarlierGenerationIsAnEventAndAWarning() {
            send(checkpointed(1, 1, 4000, 3500)).is(200);
            run(job, 2, 2);
            send(checkpointed(1, 2, 4200, 4200)).is(ProblemType.STALE_GENERATION);

            send(report(2, 1, 50, "RUNNING")).is(200);
            send(report(2, 2, 90, "RUNNING")).is(200);

            assertThat(events(job)).isEqualTo("SUBMITTED PROGRESS_FELL");
            JsonNode warnings =
                    api.get(JOBS + "/" + job + "/explanation").json().path("warnings");
            assertThat(warnings.size()).isEqualTo(1);
            assertThat(warnings.at("/0/kind").asString()).isEqualTo("PROGRESS_FELL");
            assertThat(warnings.at("/0/message").asString())
                    .contains("generation 2 began at 50 samples", "generation 1", "at 4,200");
            assertThat(api.get(JOBS + "/" + job).json().path("warnings")).isEqualTo(warnings);
        }

        @Test
        void thatBeginsAtTheCheckpointIsNoWarning() {
            send(checkpointed(1, 1, 4000, 3500)).is(200);
            run(job, 2, 2);
            send(checkpointed(2, 1, 3500, 3500)).is(200);

            assertThat(events(job)).isEqualTo("SUBMITTED");
            assertThat(api.get(JOBS + "/" + job).json().path("warnings").size()).isZero();
        }

        private String checkpointed(int generation, int seq, double samples, double saved) {
            return "{\"generation\": %d, \"seq\": %d, \"samplesTotal\": %s, \"state\": \"RUNNING\", \"checkpointSamples\": %s}"
                    .formatted(generation, seq, samples, saved);
        }

        @Test
        void failsAJob() {
            send("{\"generation\": 1, \"seq\": 1, \"samplesTotal\": 5, \"state\": \"FAILED\", \"detail\": \"out of memory\"}")
                    .is(200);
            var view = api.get(JOBS + "/" + job);
            assertThat(view.at("/state")).isEqualTo("FAILED");
            assertThat(view.at("/observed/detail")).isEqualTo("out of memory");
        }

        @Test
        void ofAHeldJobIsAnsweredWithOrdersToStop() {
            api.post(JOBS + "/" + job + "/hold").is(200);
            assertThat(send(report(1, 1, 10, "RUNNING")).is(200).at("/directive"))
                    .isEqualTo("CHECKPOINT_AND_STOP");
        }

        @Test
        void keepsItsNodeFromChangingUnderIt() {
            String tag = api.get("/api/v1/nodes/n0").etag();
            assertThat(api.patch("/api/v1/nodes/n0", "{\"devices\": [\"d1\"]}", "If-Match", tag)
                            .is(ProblemType.IN_USE)
                            .at("/errors/0/pointer"))
                    .isEqualTo("/devices");
            api.delete("/api/v1/nodes/n0").is(ProblemType.IN_USE);
            api.post("/api/v1/nodes/n0/mark-lost").is(200);
            api.delete("/api/v1/nodes/n0").is(204);
        }
    }

    @Nested
    class Lists {
        @Test
        void areTheNewestFirstAndFiltered() {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                String name = "job" + i;
                String label = i % 2 == 0 ? "even" : "odd";
                ids.add(
                        0,
                        api.post(JOBS, Submissions.json(tree -> {
                                    tree.put("name", name).put("owner", label).put("externalId", name);
                                    tree.putObject("labels").put("parity", label);
                                }))
                                .is(201)
                                .at("/id"));
            }
            api.post(JOBS + "/" + ids.get(0) + "/cancel").is(200);

            assertThat(listed("")).containsExactlyElementsOf(ids);
            assertThat(listed("?state=CANCELLED")).containsExactly(ids.get(0));
            assertThat(listed("?state=CANCELLED&state=SUBMITTED")).hasSize(5);
            assertThat(listed("?owner=odd")).containsExactly(ids.get(1), ids.get(3));
            assertThat(listed("?label=parity=odd")).containsExactly(ids.get(1), ids.get(3));
            assertThat(listed("?label=parity%3Dnone")).isEmpty();
            assertThat(listed("?externalId=job1&tenant=root")).containsExactly(ids.get(3));
            assertThat(listed("?tenant=nobody")).isEmpty();
            assertThat(listed("?search=JOB1")).containsExactly(ids.get(3));
            assertThat(listed("?search=ob&owner=odd")).hasSize(2);
            assertThat(listed("?search=" + ids.get(2).substring(0, 12))).containsExactly(ids.get(2));
            assertThat(listed("?search=%25")).isEmpty();
            assertThat(listed("?id=%s&id=none&id=%s".formatted(ids.get(1), ids.get(2))))
                    .containsExactlyInAnyOrder(ids.get(1), ids.get(2));
            assertThat(listed("?id=none")).isEmpty();
            var first = api.get(JOBS + "?limit=3&state=SUBMITTED").is(200);
            String link = first.header("Link");
            assertThat(api.get(link.substring(1, link.indexOf('>')))
                            .is(200)
                            .json()
                            .path("items")
                            .findValuesAsString("id"))
                    .containsExactly(ids.get(4));
            assertThat(first.json().path("items").path(0).has("spec")).isFalse();
        }

        private List<String> listed(String query) {
            return api.get(JOBS + query).is(200).json().path("items").findValuesAsString("id");
        }
    }
}
