package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/**
 * A new node that an operator and its executor bring at the same moment: the word of each counts for what is theirs, or
 * is refused.
 */
class ConcurrentRegistrationTest extends ApiTest {
    private static final String NODE = "/api/v1/nodes/n9";
    private static final String INSERTION = """
            insert into node (id, pool, rack, accelerator_type, devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, state)
            values (?, 'main', 'r7', 'A100', '{old}', 7, 64, 2, 3, 'CORDONED')
            """;

    @Autowired
    private TransactionTemplate transaction;

    @BeforeEach
    void aCluster() {
        cluster();
    }

    private Answer register() {
        return api.put("/api/v1/executors/n9", """
                {"instance": "x", "pool": "main", "rack": "r1", "acceleratorType": "H100", "acceleratorMemoryGiB": 80,
                 "devices": [{"uuid": "d0"}, {"uuid": "d1"}], "cpus": 64, "memoryGiB": 512}
                """);
    }

    private Answer put(String... headers) {
        return api.put(NODE, """
                {"pool": "main", "rack": "r7", "acceleratorType": "A100", "devices": ["old"], "cpus": 7, "memoryGiB": 64,
                 "pricePerSlotHour": 3}
                """, headers);
    }

    private JsonNode node() {
        return api.get(NODE).is(200).json();
    }

    @Nested
    class AnExecutorThatComesSecond {
        @Test
        void bringsItsDevicesAndLeavesTheRestToTheOperator() {
            Answer answer = beside(INSERTION, "n9", ConcurrentRegistrationTest.this::register);

            assertThat(answer.is(200).at("/nodeState")).isEqualTo("CORDONED");
            assertThat(node().path("acceleratorType").asString()).isEqualTo("H100");
            assertThat(node().path("devices").toString()).isEqualTo("[\"d0\",\"d1\"]");
            assertThat(node().path("rack").asString()).isEqualTo("r7");
            assertThat(node().path("cpus").asInt()).isEqualTo(7);
            assertThat(node().path("pricePerSlotHour").asInt()).isEqualTo(3);
        }
    }

    @Nested
    class AnOperatorWhoComesSecond {
        @Test
        void isAskedForTheVersionThatItHasSeen() {
            Answer answer = beside(INSERTION, "n9", ConcurrentRegistrationTest.this::put);

            assertThat(answer.is(ProblemType.PRECONDITION_REQUIRED).at("/errors/0/message"))
                    .isEqualTo("is required: another request has just created it");
            assertThat(node().path("state").asString()).isEqualTo("CORDONED");
        }

        @Test
        void whoWantsToReplaceNothingReplacesNothing() {
            Answer answer = beside(INSERTION, "n9", () -> put("If-None-Match", "*"));

            assertThat(answer.is(ProblemType.PRECONDITION_FAILED).at("/errors/0/header"))
                    .isEqualTo("If-None-Match");
        }
    }

    @Test
    void losesNothingInEitherOrder() throws Exception {
        for (int i = 0; i < 5; i++) {
            List<CompletableFuture<Answer>> both = togetherAfterThePoolIsFree(this::put, this::register);
            Answer put = both.get(0).get(60, TimeUnit.SECONDS);
            int status = put.status();
            both.get(1).get(60, TimeUnit.SECONDS).is(200);

            assertThat(status).as(put.text()).isIn(201, ProblemType.PRECONDITION_REQUIRED.status());
            assertThat(node().path("rack").asString()).isEqualTo(status == 201 ? "r7" : "r1");
            assertThat(node().path("devices").toString()).isEqualTo("[\"d0\",\"d1\"]");
            api.delete("/api/v1/executors/n9").is(204);
            api.delete(NODE).is(204);
        }
    }

    @Test
    void aRegistrationDoesNotBlockOthers() {
        long before = clusterVersion();

        transaction.executeWithoutResult(status -> {
            world.sql("insert into accelerator_type (name, memory_gib) values ('H100', 80)");
            world.sql("insert into pool (name, whole_nodes) values ('new', false)");
            CompletableFuture.supplyAsync(() -> api.put("/api/v1/pools/other", "{}"))
                    .orTimeout(60, TimeUnit.SECONDS)
                    .join()
                    .is(201);
        });

        assertThat(clusterVersion()).as("one for each who did").isEqualTo(before + 2);
    }

    private long clusterVersion() {
        return world.value(Long.class, "select version from cluster_version");
    }

    /** Lets requests wait for the pool until all of them do, and then go on at once. */
    private List<CompletableFuture<Answer>> togetherAfterThePoolIsFree(Supplier<Answer> one, Supplier<Answer> other) {
        return Objects.requireNonNull(transaction.execute(status -> {
            world.value(Integer.class, "select 1 from pool where name = 'main' for update");
            List<CompletableFuture<Answer>> both =
                    List.of(CompletableFuture.supplyAsync(one), CompletableFuture.supplyAsync(other));
            try {
                await(() -> world.value(Long.class, "select count(distinct pid) from pg_locks where not granted") == 2);
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            return both;
        }));
    }
}
