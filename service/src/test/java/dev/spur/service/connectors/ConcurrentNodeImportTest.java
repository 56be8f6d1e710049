package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.PlatformNode;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.database.Versioned;
import dev.spur.service.testing.ServiceTest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionTemplate;

/** Nodes of a platform that come in while others change what they are about: a look comes after them, or before. */
class ConcurrentNodeImportTest extends ServiceTest {
    @Autowired
    private NodeImport imports;

    @Autowired
    private NodeStore nodes;

    @Autowired
    private ConnectorStore connectors;

    @Autowired
    private ConnectorJobStore owned;

    @Autowired
    private TransactionTemplate transaction;

    @BeforeEach
    void aConnector() {
        connectors.enter("far", "SLURM", ControlLevel.OBSERVE);
        world.sql("insert into pool (name, whole_nodes) values ('gpu', false), ('other', false)");
        world.sql("insert into accelerator_type (name, memory_gib) values ('H100', 80)");
    }

    private static PlatformNode node(String name, String pool, String type) {
        return new PlatformNode(
                name, pool, type, type == null ? 0 : 2, 0, 16, 64, PlatformNode.Condition.OPEN, List.of());
    }

    /** What a look that shows these nodes has to say to people. */
    private List<String> look(PlatformNode... seen) {
        return Objects.requireNonNull(
                transaction.execute(status -> imports.enter("far", Arrays.asList(seen), Map.of())));
    }

    private String poolAndType(String node) {
        return nodes.find(node)
                .map(Versioned::value)
                .map(found -> found.pool() + " " + found.acceleratorType())
                .orElse("none");
    }

    @Test
    void aTypeOfSharesAllowsNoAllReduce() {
        look(
                node("p1", "gpu", "T4"),
                new PlatformNode(
                        "p2",
                        "gpu",
                        "T4-SHARED-4",
                        8,
                        0,
                        16,
                        64,
                        PlatformNode.Condition.OPEN,
                        List.of(),
                        true,
                        null,
                        null));

        assertThat(world.value(
                        String.class,
                        "select string_agg(name || ' ' || coalesce(max_all_reduce_slots::text, '-'), ', ' order by name)"
                                + " from accelerator_type where name like 'T4%'"))
                .isEqualTo("T4 -, T4-SHARED-4 1");
    }

    private PlatformNode placed(String rack, String block) {
        return new PlatformNode(
                "p1", "gpu", "H100", 8, 0, 16, 64, PlatformNode.Condition.OPEN, List.of(), false, rack, block);
    }

    @Test
    void rackAndBlockOfThePlatformReplaceThoseOfTheOperator() {
        look(placed("r1", "b1"));
        look(placed("r2", "b2"));
        String stated = "select rack || ' ' || (labels ->> 'block') from node";
        assertThat(world.value(String.class, stated)).isEqualTo("r2 b2");

        world.sql("update node set rack = 'r3', labels = '{\"block\": \"b3\"}'");
        look(placed(null, null));
        assertThat(world.value(String.class, stated)).isEqualTo("r3 b3");
    }

    @ParameterizedTest
    @CsvSource({"pool, gpu", "accelerator_type, H100"})
    void aNewNodeBringsWhatHasGone(String table, String gone) {
        assertThat(beside("delete from " + table + " where name = ?", gone, () -> look(node("p1", "gpu", "H100"))))
                .isEmpty();

        assertThat(poolAndType("p1")).isEqualTo("gpu H100");
    }

    @ParameterizedTest
    @CsvSource({"pool, gpu", "accelerator_type, H100"})
    void aNodeThatHasChangedBringsWhatHasGone(String table, String gone) {
        look(node("p1", "other", null));

        assertThat(beside("delete from " + table + " where name = ?", gone, () -> look(node("p1", "gpu", "H100"))))
                .isEmpty();

        assertThat(poolAndType("p1")).isEqualTo("gpu H100");
    }

    @Test
    void aNodeThatAPersonBringsAtTheSameMomentIsThePersons() {
        String insertion = """
                insert into node (id, pool, devices, cpus, memory_gib, aggregation_slots, price_per_slot_hour, state)
                values (?, 'other', '{}', 1, 1, 0, 0, 'ACTIVE')
                """;

        assertThat(beside(insertion, "p1", () -> look(node("p1", "gpu", "H100"), node("p2", "gpu", "H100"))))
                .containsExactly("node p1 is registered already, and not by this connector");

        assertThat(poolAndType("p1")).isEqualTo("other null");
        assertThat(owned.nodes("far")).containsOnlyKeys("p2");
    }

    /** Or else each would wait for the other: the one for the pool, the other for the node in it. */
    @Test
    void aLookHoldsNoNodeWhileItWaitsForTheDeletionOfAPool() throws Exception {
        look(node("p1", "gpu", "H100"));
        AtomicReference<CompletableFuture<List<String>>> requested = new AtomicReference<>();

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    world.value(Integer.class, "select 1 from pool where name = 'gpu' for update");
                    requested.set(CompletableFuture.supplyAsync(
                            () -> look(node("p1", "gpu", "H100"), node("p2", "gpu", "H100"))));
                    awaitBlocked(requested.get());
                    world.sql("delete from pool where name = 'gpu'");
                }))
                .isInstanceOf(DataIntegrityViolationException.class);

        assertThat(requested.get().get(60, TimeUnit.SECONDS)).isEmpty();
        assertThat(poolAndType("p2")).isEqualTo("gpu H100");
    }
}
