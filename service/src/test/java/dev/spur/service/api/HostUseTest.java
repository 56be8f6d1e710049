package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.security.Role;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** CPUs and memory of each node by use. */
class HostUseTest extends ServiceTest {
    private static final String JOB = """
            insert into job (id, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work, allocation)
            values (gen_random_uuid()::text, 'root', 'ann', 'train', '{}', '{"host": {"memoryGiBPerSlot": 16, "cpusPerSlot": 2}}', 'NONE', false, ?, 1,
                '{"placement": [{"node": "n1", "devices": ["d0", "d1"]}, {"node": "n2", "devices": ["d0"]}]}')
            """;
    private static final String PREPARATION = """
            insert into job (id, kind, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work, resource_grant)
            values (gen_random_uuid()::text, 'DATA_PREPARATION', 'root', 'ann', 'shuffle', '{}', '{}', 'NONE', false, ?, 1,
                '{"node": "n1", "cpus": 4, "localGiB": 48, "loans": [{"lender": "n2", "gib": 24}, {"lender": "n3", "gib": 8}]}')
            """;

    @LocalServerPort
    int port;

    private ContractedClient api;

    @BeforeEach
    void aJobOnTwoNodesAndAPreparationThatBorrows() {
        for (String node : new String[] {"n1", "n2", "n3"}) {
            world.node(node, 4);
        }
        world.sql(JOB, "RUNNING");
        world.sql(PREPARATION, "RUNNING");
        world.sql("insert into node_memory (node, used_gib, risk) values ('n3', 21.5, 0.25)");
        api = new ContractedClient(port);
    }

    private JsonNode of(String node) {
        return api.get("/api/v1/hosts")
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .filter(item -> item.path("node").asString().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private static double[] gib(JsonNode share) {
        return new double[] {
            share.path("trainingGiB").asDouble(),
            share.path("preparationsGiB").asDouble(),
            share.path("lentGiB").asDouble(),
            share.path("borrowedGiB").asDouble(),
            share.path("usedGiB").asDouble()
        };
    }

    @Test
    void isSplitByWhatHoldsIt() {
        assertThat(gib(of("n1"))).containsExactly(32, 48, 0, 32, 0);
        assertThat(gib(of("n2"))).containsExactly(16, 0, 24, 0, 0);
        assertThat(gib(of("n3"))).containsExactly(0, 0, 8, 0, 21.5);
        assertThat(of("n3").path("memoryGiB").asDouble()).isEqualTo(512);
        assertThat(of("n3").path("risk").asDouble()).isEqualTo(0.25);
    }

    private static double[] cpus(JsonNode use) {
        return new double[] {
            use.path("cpus").asDouble(),
            use.path("trainingCpus").asDouble(),
            use.path("aggregatorCpus").asDouble(),
            use.path("preparationCpus").asDouble(),
            use.path("freeCpus").asDouble()
        };
    }

    @Test
    void countsCpusOfJobsAggregatorsAndPreparations() {
        world.sql("insert into aggregator (node, number, cpus, port, shards, draining_shards) values"
                + " ('n1', 0, 1.5, 20000, '[]', '[]'), ('n1', 1, 0.5, 20001, '[]', '[]')");

        assertThat(cpus(of("n1"))).containsExactly(64, 4, 2, 4, 54);
        assertThat(cpus(of("n2"))).containsExactly(64, 2, 0, 0, 62);
    }

    @Test
    void countsTheGrantOfAnAllocationInsteadOfTheStatedDemand() {
        world.sql("update job set allocation = jsonb_set(allocation, '{configuration}',"
                + " '{\"host\": {\"cpusPerSlot\": 3, \"memoryGiBPerSlot\": 8}}') where allocation is not null");

        assertThat(cpus(of("n1"))).containsExactly(64, 6, 0, 4, 54);
        assertThat(gib(of("n1"))).containsExactly(16, 48, 0, 32, 0);
    }

    /** As in RolesTest of the model: of three replicas, two are on the node with two slots. */
    @Test
    void countsTheShareOfRolesOfEachSlot() {
        world.sql("update job set spec = jsonb_set(spec, '{roles}',"
                + " '[{\"name\": \"eval\", \"count\": 3, \"cpus\": 5, \"memoryGiB\": 8}]') where kind = 'TRAINING'");

        assertThat(cpus(of("n1"))).containsExactly(64, 4 + 10, 0, 4, 46);
        assertThat(cpus(of("n2"))).containsExactly(64, 2 + 5, 0, 0, 57);
        assertThat(gib(of("n1"))).containsExactly(32 + 16, 48, 0, 32, 0);
        assertThat(gib(of("n2"))).containsExactly(16 + 8, 0, 24, 0, 0);
    }

    @Test
    void hasNoFreeCpusWhereMoreAreHeldThanTheNodeHas() {
        world.sql("update node set cpus = 5 where id = 'n1'");

        assertThat(cpus(of("n1"))).containsExactly(5, 4, 0, 4, 0);
    }

    @Test
    void isThatOfOneNodeByItsId() {
        JsonNode items = api.get("/api/v1/hosts?node=n2").is(200).json().path("items");

        assertThat(items).hasSize(1);
        assertThat(items.at("/0/node").asString()).isEqualTo("n2");
    }

    @Test
    void isCountedForSeveralJobsAndPreparationsTogether() {
        world.sql(JOB, "COMPLETING");
        world.sql(PREPARATION, "RUNNING");

        assertThat(gib(of("n1"))).containsExactly(64, 96, 0, 64, 0);
        assertThat(gib(of("n2"))).containsExactly(32, 0, 48, 0, 0);
    }

    @Test
    void isFreeOfWhatHasEnded() {
        world.sql("update job set state = 'DONE', allocation = null, resource_grant = null");

        assertThat(gib(of("n1"))).containsOnly(0);
        assertThat(gib(of("n2"))).containsOnly(0);
    }

    @Test
    void comesInPages() {
        JsonNode first = api.get("/api/v1/hosts?limit=2").is(200).json();
        JsonNode second = api.get(
                        "/api/v1/hosts?limit=2&cursor=" + first.path("next").asString())
                .is(200)
                .json();

        assertThat(first.path("items")).hasSize(2);
        assertThat(second.path("items")).hasSize(1);
        assertThat(second.at("/items/0/node").asString()).isEqualTo("n3");
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    void isThatOfTheOwnNodeAloneForAnExecutor() {
        ContractedClient executor = api.with(world.token(Role.EXECUTOR, null, "n2"));

        JsonNode items = executor.get("/api/v1/hosts").is(200).json().path("items");

        assertThat(items).hasSize(1);
        assertThat(items.at("/0/node").asString()).isEqualTo("n2");
    }
}
