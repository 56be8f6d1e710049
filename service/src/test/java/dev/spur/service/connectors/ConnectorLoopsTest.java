package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.StepOutcome;
import dev.spur.service.startup.StartupFailure;
import dev.spur.service.testing.ServiceTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Several platforms at once. */
class ConnectorLoopsTest extends ServiceTest {
    private static final ConnectorProperties OFTEN =
            new ConnectorProperties(Duration.ofMillis(50), Duration.ofMinutes(2), 4);

    @Autowired
    private ConnectorSync run;

    @Autowired
    private ConnectorStore connectors;

    @Autowired
    private ConnectorActionStore actions;

    @Autowired
    private PlatformAggregatorStore aggregators;

    private final List<ConnectorLoops> started = new ArrayList<>();

    /** A platform of one node, which answers when it is asked to. */
    private record OneNode(String node, String pool, CountDownLatch answers, boolean away) implements Platform {
        static OneNode of(String node, String pool) {
            return new OneNode(node, pool, new CountDownLatch(0), false);
        }

        @Override
        public ControlLevel maxControlLevel() {
            return ControlLevel.RESIZE;
        }

        @Override
        public List<PlatformNode> inventory() throws IOException, InterruptedException {
            answers.await();
            if (away) {
                throw new IOException("nobody is there");
            }
            return List.of(new PlatformNode(node, pool, "h200", 8, 0, 16, 64, PlatformNode.Condition.OPEN, List.of()));
        }

        @Override
        public List<PlatformJob> workload() {
            return List.of();
        }

        @Override
        public StepOutcome apply(JobAction action, PlatformJob job) {
            throw new AssertionError("nothing was to be done");
        }
    }

    /** A platform that shows some nodes. */
    private static class Nodes implements Platform {
        private final List<String> shown;

        Nodes(List<String> shown) {
            this.shown = shown;
        }

        @Override
        public ControlLevel maxControlLevel() {
            return ControlLevel.RESIZE;
        }

        @Override
        public List<PlatformNode> inventory() throws IOException, InterruptedException {
            return shown.stream()
                    .map(node ->
                            new PlatformNode(node, "p1", "h200", 8, 0, 16, 64, PlatformNode.Condition.OPEN, List.of()))
                    .toList();
        }

        @Override
        public List<PlatformJob> workload() {
            return List.of();
        }

        @Override
        public StepOutcome apply(JobAction action, PlatformJob job) {
            throw new AssertionError("nothing was to be done");
        }
    }

    /** A platform whose nodes cannot be read. */
    private static final class Failing extends Nodes {
        private final Exception failure;

        Failing(Exception failure) {
            super(List.of());
            this.failure = failure;
        }

        @Override
        public List<PlatformNode> inventory() throws IOException {
            if (failure instanceof IOException away) {
                throw away;
            }
            throw (RuntimeException) failure;
        }
    }

    private record Kind(String kind, List<PlatformConnection> connections) implements PlatformKind {
        static Kind of(String kind, String name, Platform platform) {
            return new Kind(
                    kind,
                    List.of(new PlatformConnection(name, kind, platform, new JobTranslator(name, "root", 3600, 5))));
        }

        @Override
        public String prefix() {
            return "spur.connectors." + kind;
        }
    }

    private ConnectorLoops start(PlatformKind... kinds) {
        ConnectorLoops loops = new ConnectorLoops(
                new PlatformConnections(List.of(kinds)), run, connectors, actions, aggregators, OFTEN);
        started.add(loops);
        loops.start();
        return loops;
    }

    @AfterEach
    void stop() {
        started.forEach(ConnectorLoops::stop);
    }

    private boolean looked(String connector) {
        return connectors.find(connector).orElseThrow().syncReport() != null;
    }

    private String notes(String connector) {
        return String.valueOf(connectors.find(connector).orElseThrow().syncReport());
    }

    @Test
    void eachEntersItsNodes() throws Exception {
        start(Kind.of("A", "one", OneNode.of("n1", "p1")), Kind.of("B", "two", OneNode.of("n2", "p2")));

        await(() -> looked("one") && looked("two"));

        assertThat(world.value(String.class, "select connector from connector_node where node = 'n1'"))
                .isEqualTo("one");
        assertThat(world.value(String.class, "select connector from connector_node where node = 'n2'"))
                .isEqualTo("two");
        assertThat(connectors.find("two").orElseThrow().kind()).isEqualTo("B");
    }

    @Test
    void onePlatformThatHangsOrIsAwayKeepsNoOtherWaiting() throws Exception {
        start(
                Kind.of("A", "hangs", new OneNode("n1", "p1", new CountDownLatch(1), false)),
                Kind.of("B", "away", new OneNode("n2", "p2", new CountDownLatch(0), true)),
                Kind.of("C", "there", OneNode.of("n3", "p3")));

        await(() -> looked("there"));
        await(() -> connectors.find("away").orElseThrow().lastSyncError() != null);

        assertThat(looked("hangs")).isFalse();
        assertThat(connectors.find("away").orElseThrow().lastSyncError()).isEqualTo("nobody is there");
    }

    private String nodeState(String node) {
        return world.value(String.class, "select state from node where id = ?", node);
    }

    @Test
    void aNodeThatIsMissingFromAListIsClosedAtOnceAndLostLater() throws Exception {
        List<String> shown = new CopyOnWriteArrayList<>(List.of("n1", "n2"));
        start(Kind.of("A", "one", new Nodes(shown)));
        await(() -> looked("one"));

        shown.remove("n2");
        await(() -> nodeState("n2").equals("CORDONED"));
        shown.add("n2");
        await(() -> nodeState("n2").equals("ACTIVE"));

        shown.remove("n2");
        await(() -> nodeState("n2").equals("CORDONED"));
        world.sql("update connector_node set seen_at = now() - interval '1 hour' where node = 'n2'");
        await(() -> nodeState("n2").equals("LOST"));
        assertThat(nodeState("n1")).isEqualTo("ACTIVE");
    }

    @Test
    void aNodeThatTheOperatorHasClosedStaysClosedWhenItWasMissingForAMoment() throws Exception {
        List<String> shown = new CopyOnWriteArrayList<>(List.of("n1", "n2"));
        start(Kind.of("A", "one", new Nodes(shown)));
        await(() -> looked("one"));
        world.sql("update node set state = 'DRAINING' where id = 'n2'");
        world.sql("update node set state = 'CORDONED' where id = 'n1'");

        shown.clear();
        looks();
        shown.addAll(List.of("n1", "n2"));
        looks();

        assertThat(nodeState("n1")).isEqualTo("CORDONED");
        assertThat(nodeState("n2")).isEqualTo("DRAINING");
    }

    private void looks() throws Exception {
        for (int look = 0; look < 2; look++) {
            Instant before = connectors.find("one").orElseThrow().lastSyncAt();
            await(() ->
                    !Objects.equals(before, connectors.find("one").orElseThrow().lastSyncAt()));
        }
    }

    @Test
    void whatAPlatformSaysIsShownOnOneLineWithoutControlCharacters() throws Exception {
        start(
                Kind.of("A", "away", new Failing(new IOException("no\u202E way\nINFO all is well" + "x".repeat(9000)))),
                Kind.of("B", "odd", new Failing(new IllegalArgumentException("id must not be blank"))));

        await(() -> connectors.find("away").orElseThrow().lastSyncError() != null);
        await(() -> connectors.find("odd").orElseThrow().lastSyncError() != null);

        assertThat(connectors.find("away").orElseThrow().lastSyncError())
                .startsWith("no\uFFFD way INFO all is wellxxx")
                .hasSizeLessThan(600);
        assertThat(connectors.find("odd").orElseThrow().lastSyncError())
                .isEqualTo("an answer is not as documented: id must not be blank");
    }

    @Test
    void eachLooksInOneReplicaOnlyAndTheOtherTakesOver() throws Exception {
        ConnectorLoops first = start(Kind.of("A", "one", OneNode.of("n1", "p1")));
        await(() -> looked("one"));
        start(Kind.of("A", "one", OneNode.of("n1-again", "p1")), Kind.of("B", "two", OneNode.of("n2", "p2")));
        await(() -> looked("two"));
        assertThat(world.value(Long.class, "select count(*) from node where id = 'n1-again'"))
                .isZero();

        first.stop();

        await(() -> world.value(Long.class, "select count(*) from node where id = 'n1-again'") == 1);
    }

    @Test
    void aPoolIsOneConnectorsAlone() throws Exception {
        start(Kind.of("A", "one", OneNode.of("n1", "gpu")));
        await(() -> looked("one"));
        start(Kind.of("B", "two", OneNode.of("n2", "gpu")));

        await(() -> looked("two"));

        assertThat(notes("two")).contains("pool gpu of node n2 has nodes of others");
        assertThat(world.value(Long.class, "select count(*) from node where id = 'n2'"))
                .isZero();
        assertThat(notes("one")).doesNotContain("others");
    }

    @Test
    void aNameStaysOfItsKind() throws Exception {
        start(Kind.of("A", "one", OneNode.of("n1", "p1"))).stop();

        assertThatThrownBy(() -> start(Kind.of("B", "one", OneNode.of("n2", "p2"))))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("kind A");
    }
}
