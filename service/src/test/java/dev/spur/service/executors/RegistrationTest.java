package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.cluster.NodeState;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RegistrationTest extends ExecutorsTest {
    @Nested
    class ANode {
        @Test
        void thatIsNotThereIsCreatedWithItsPoolAndType() {
            api.put("/api/v1/executors/n3", """
                    {"instance": "x", "pool": "fresh", "rack": "r1", "acceleratorType": "H100", "acceleratorMemoryGiB": 80,
                     "devices": [{"uuid": "GPU-a", "type": "H100"}], "cpus": 8, "memoryGiB": 64, "aggregationSlots": 2}
                    """).is(200);

            JsonNode node = api.get("/api/v1/nodes/n3").is(200).json();
            assertThat(node.path("pool").asString()).isEqualTo("fresh");
            assertThat(node.path("rack").asString()).isEqualTo("r1");
            assertThat(node.path("devices").path(0).asString()).isEqualTo("GPU-a");
            assertThat(node.path("aggregationSlots").asDouble()).isEqualTo(2);
            assertThat(api.get("/api/v1/accelerator-types/H100").at("/memoryGiB"))
                    .startsWith("80");
            assertThat(api.get("/api/v1/accelerator-types/H100").json().has("maxAllReduceSlots"))
                    .as("whole devices sum among themselves")
                    .isFalse();
        }

        @Test
        void hasNoMoreCpusForAggregatorsThanCpus() {
            var refused =
                    api.put("/api/v1/executors/n3", "{\"instance\": \"x\", \"cpus\": 24, \"aggregationSlots\": 500}");

            assertThat(refused.at("/errors/0/pointer")).isEqualTo("/aggregationSlots");
            assertThat(refused.at("/detail")).contains("500.0", "24.0");
            assertThat(api.put("/api/v1/nodes/n3", "{\"pool\": \"main\", \"cpus\": 24, \"aggregationSlots\": 500}")
                            .at("/errors/0/pointer"))
                    .isEqualTo("/aggregationSlots");
        }

        @Test
        void ofSlicesIsOfATypeWhoseDevicesDoNotSumAmongThemselves() {
            String slices = """
                    {"instance": "x", "acceleratorType": "A100-MIG-3g.20gb", "acceleratorMemoryGiB": 20,
                     "devices": [{"uuid": "MIG-a", "sliceOf": "GPU-a"}, {"uuid": "MIG-b", "sliceOf": "GPU-a"}]}
                    """;
            api.put("/api/v1/executors/n3", slices).is(200);
            String type = "/api/v1/accelerator-types/A100-MIG-3g.20gb";
            assertThat(api.get(type).at("/maxAllReduceSlots")).isEqualTo("1");
            assertThat(api.get(type).json().has("contention"))
                    .as("not measured")
                    .isFalse();

            api.put(
                            type,
                            "{\"memoryGiB\": 20, \"contention\": 0.3}",
                            "If-Match",
                            api.get(type).header("ETag"))
                    .is(200);
            api.put("/api/v1/executors/n3", slices).is(200);

            assertThat(api.get(type).json().has("maxAllReduceSlots"))
                    .as("what the operator said stays")
                    .isFalse();
            assertThat(api.get(type).at("/contention")).isEqualTo("0.3");
        }

        @Test
        void ofTheOperatorKeepsItsPoolAndFollowsTheDevices() {
            world.sql("insert into pool (name, whole_nodes) values ('other', false)");
            world.sql(
                    "update node set pool = 'other', cpus = 7, price_per_slot_hour = 2, devices = '{d0}' where id = 'n1'");

            one.register().is(200);

            JsonNode node = api.get("/api/v1/nodes/n1").json();
            assertThat(node.path("pool").asString()).isEqualTo("other");
            assertThat(node.path("cpus").asDouble()).isEqualTo(7);
            assertThat(node.path("pricePerSlotHour").asDouble()).isEqualTo(2);
            assertThat(node.path("devices").size()).isEqualTo(4);
        }

        @Test
        void keepsTheOrderOfItsDevicesAndTakesTheTypeThatWasFound() {
            world.sql("update node set devices = '{d3,d1,d2,d0}' where id = 'n1'");
            world.sql("insert into accelerator_type (name, memory_gib) values ('V100', 16)");
            world.sql("update node set accelerator_type = 'V100' where id = 'n1'");

            one.register().is(200);

            JsonNode node = api.get("/api/v1/nodes/n1").json();
            assertThat(node.path("devices").toString()).isEqualTo("[\"d3\",\"d1\",\"d2\",\"d0\"]");
            assertThat(node.path("acceleratorType").asString()).isEqualTo("A100");
        }

        @Test
        void thatWasLostTakesJobsAgain() {
            world.state("n1", NodeState.LOST);

            assertThat(one.register().is(200).at("/nodeState")).isEqualTo("ACTIVE");
            assertThat(nodeState("n1")).isEqualTo("ACTIVE");
        }

        @Test
        void thatWasBeingDrainedWhenItGotLostGoesOnDraining() {
            world.state("n1", NodeState.DRAINING);
            silence("n1");
            assertThat(nodeState("n1")).isEqualTo("LOST");

            assertThat(one.register().is(200).at("/nodeState")).isEqualTo("DRAINING");
        }

        @Test
        void hasDevicesOfOneTypeEachOnce() {
            var answer = api.put("/api/v1/executors/n3", """
                    {"instance": "x", "acceleratorType": "A100",
                     "devices": [{"uuid": "a"}, {"uuid": "a"}, {"uuid": "b", "type": "T4"}]}
                    """).is(ProblemType.UNPROCESSABLE);

            assertThat(answer.at("/errors/0/pointer")).isEqualTo("/devices/1/uuid");
            assertThat(answer.at("/errors/1/pointer")).isEqualTo("/devices/2/type");
            api.put("/api/v1/executors/n3", "{\"instance\": \"x\", \"devices\": [{\"uuid\": \"a\"}]}")
                    .is(ProblemType.UNPROCESSABLE);
        }
    }

    @Nested
    class ADeviceThatAnotherExecutorHas {
        private static final String GPU = "GPU-0a1b2c3d-0000-1111-2222-333344445555";

        private ContractedClient.Answer register(String node, String device) {
            return api.put("/api/v1/executors/" + node, """
                    {"instance": "x", "acceleratorType": "A100", "devices": [{"uuid": "%s"}], "cpus": 1, "memoryGiB": 1}
                    """.formatted(device));
        }

        @Test
        void isRejectedByTheNameOfTheOtherNode() {
            register("n3", GPU).is(200);

            var rejected = register("n4", GPU).is(ProblemType.CONFLICT);

            assertThat(rejected.at("/detail")).contains(GPU + " of node n3");
            assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(100, 180);
            api.get("/api/v1/nodes/n4").is(ProblemType.NOT_FOUND);
            register("n3", GPU).is(200);
        }

        @Test
        void isAcceptedWhenTheOtherExecutorIsLost() {
            register("n3", GPU).is(200);
            silence("n3");

            register("n4", GPU).is(200);
        }

        @Test
        void isAcceptedIfItsIdIsUniqueOnItsNodeOnly() {
            register("n3", "GPU-0").is(200);

            register("n4", "GPU-0").is(200);
        }
    }

    @Nested
    class AnotherInstance {
        @Test
        void isKeptOutUntilTheLeaseAndTheGraceAreOver() {
            one.instance("second");

            var refused = one.register().is(ProblemType.CONFLICT);
            assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(100, 180);
            world.sql("update executor set lease_expires_at = now() where id = 'n1'");
            one.register().is(ProblemType.CONFLICT);

            world.sql("update executor set reclaim_at = now() where id = 'n1'");
            one.register().is(200);
        }
    }

    @Nested
    class AnEpoch {
        @Test
        void countsOnlyUntilTheNextRegistration() {
            FakeExecutor again = new FakeExecutor(api, "n1", 4);
            again.register().is(200);

            assertThat(again.registrationEpoch()).isGreaterThan(one.registrationEpoch());
            assertThat(one.status().is(ProblemType.STALE_REGISTRATION).at("/action"))
                    .isEqualTo("REGISTER");
            again.status().is(200);
        }

        @Test
        void isNotAskedOfWhoIsUnknown() {
            var answer = api.put("/api/v1/executors/n9/heartbeat", "{\"registrationEpoch\": 1}");

            assertThat(answer.is(ProblemType.NOT_FOUND).at("/action")).isEqualTo("REGISTER");
            api.get("/api/v1/executors/n9/assignments").is(ProblemType.NOT_FOUND);
        }
    }

    @Nested
    class WhatRunsAlready {
        @Test
        void goesOnIfItIsWanted() {
            String job = placed(piece("n1", "d0", "d1"));
            run(job, one);

            var answer = one.register(assignment(job) + " RUNNING").is(200);

            assertThat(answer.at("/confirmed/0")).isEqualTo(assignment(job));
            assertThat(one.poll(job).path("mayStart").asBoolean()).isTrue();
            one.exit(assignment(job), 0).is(200);
            assertThat(world.state(job)).isEqualTo("DONE");
        }

        @Test
        void isToBeStoppedIfTheJobHasMovedOn() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String old = assignment(job);
            place(job, piece("n1", "d1"));

            var answer = one.register(old + " RUNNING").is(200);

            assertThat(answer.at("/stop/0/assignmentId")).isEqualTo(old);
            assertThat(answer.at("/stop/0/reason")).isEqualTo("SUPERSEDED");
            assertThat(answer.json().at("/stop/0/graceSeconds").asDouble()).isEqualTo(5);
        }

        @Test
        void keepsItsDevicesUntilItIsStoppedEvenIfItIsUnknown() {
            String stranger = "11111111-1111-1111-1111-111111111111.7";

            var answer = one.register(stranger + " RUNNING").is(200);

            assertThat(answer.at("/stop/0/reason")).isEqualTo("UNKNOWN");
            String job = placed(piece("n1", "d0"));
            assertThat(one.poll(job).at("/waitFor/0/generation").asInt()).isEqualTo(7);
            one.step(assignment(job), "ACCEPTED").is(ProblemType.NOT_READY);
            one.step(stranger, "STOPPED", ", \"requested\": true").is(200);
            one.step(assignment(job), "ACCEPTED").is(200);
        }

        @Test
        void countsOnceHoweverOftenItIsNamed() {
            String job = placed(piece("n1", "d0"));
            run(job, one);
            String running = assignment(job) + " RUNNING";

            var answer = one.register(running, running).is(200);

            assertThat(answer.json().path("confirmed").size()).isEqualTo(1);
            assertThat(answer.json().path("stop").size()).isZero();
        }

        @Test
        void sendsTheJobBackToTheQueueIfItIsGone() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            run(job, one, two);
            String old = assignment(job);

            one.register().is(200);

            assertThat(event(job, "REQUEUED").path("cause").asString()).isEqualTo("EXECUTOR_RESTARTED");
            assertThat(world.state(job)).isEqualTo("WAITING");
            JsonNode other = two.poll().path(0);
            assertThat(other.path("assignmentId").asString()).isEqualTo(old);
            assertThat(other.path("desired").asString()).isEqualTo("STOP");
        }

        @Test
        void isOfferedAgainIfItHadNotStarted() {
            String job = placed(piece("n1", "d0"), piece("n2", "d0"));
            one.step(assignment(job), "ACCEPTED").is(200);

            one.register().is(200);
            two.step(assignment(job), "ACCEPTED").is(200);

            assertThat(two.poll(job).path("mayStart").asBoolean()).isFalse();
            one.step(assignment(job), "ACCEPTED").is(200);
            assertThat(two.poll(job).path("mayStart").asBoolean()).isTrue();
        }
    }

    @Nested
    class Leaving {
        @Test
        void closesTheNode() {
            api.delete(one.path()).is(204);

            assertThat(nodeState("n1")).isEqualTo("LOST");
            api.get(one.path()).is(ProblemType.NOT_FOUND);
            api.delete(one.path()).is(ProblemType.NOT_FOUND);
        }

        @Test
        void isRefusedWhileDevicesAreHeld() {
            String job = placed(piece("n1", "d0"));
            run(job, one);

            api.delete(one.path()).is(ProblemType.IN_USE);

            silence("n1");
            api.delete(one.path()).is(204);
        }
    }

    @Test
    void executorsAreListedById() {
        JsonNode first = api.get("/api/v1/executors?limit=1").is(200).json();

        assertThat(first.at("/items/0/id").asString()).isEqualTo("n1");
        assertThat(first.at("/items/0/address").asString()).isEqualTo("n1.example");
        String next = "/api/v1/executors?limit=1&cursor=" + first.path("next").asString();
        assertThat(api.get(next).is(200).at("/items/0/id")).isEqualTo("n2");
    }
}
