package dev.spur.benchmarks.fractions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PodPlacementTest {
    private static final PodRequest HALF = share(50);
    private static final PodRequest WHOLE = new PodRequest(1, 1, 1, 100, List.of());

    @Nested
    class FreeResources {
        @Test
        void aPodFitsOnlyWithCpusMemoryAndTheModelItAllows() {
            FreeNode node = free(1, 8, 8);

            assertThat(node.fits(new PodRequest(8, 8, 1, 100, List.of("T4")))).isTrue();
            assertThat(node.fits(new PodRequest(9, 8, 1, 100, List.of("T4")))).isFalse();
            assertThat(node.fits(new PodRequest(8, 9, 1, 100, List.of("T4")))).isFalse();
            assertThat(node.fits(new PodRequest(8, 8, 1, 100, List.of("G2")))).isFalse();
            assertThat(node.fits(new PodRequest(8, 8, 2, 100, List.of("T4")))).isFalse();
        }

        @Test
        void sharesOfDifferentGpusAreNoWholeGpu() {
            FreeNode node = free(2, 8, 8);
            node.take(HALF, List.of(0));
            node.take(HALF, List.of(1));

            assertThat(node.parts()).isEqualTo(100);
            assertThat(node.fits(WHOLE)).isFalse();
            assertThatThrownBy(() -> node.take(WHOLE, List.of(0))).hasMessageContaining("does not fit");
        }
    }

    @Nested
    class Fragments {
        private final Fragmentation fragmentation = new Fragmentation(List.of(HALF, WHOLE));

        @Test
        void areTheFreePartsThatATypicalPodCannotUse() {
            FreeNode node = free(2, 8, 8);
            assertThat(fragmentation.expectation(node)).isZero();

            node.take(share(60), List.of(0));

            assertThat(fragmentation.expectation(node)).isCloseTo(40, within(1e-9));
        }

        @Test
        void areAllFreePartsOfANodeWithoutCpusOrMemory() {
            FreeNode node = free(2, 2, 8);
            node.take(new PodRequest(1.5, 1, 1, 60, List.of()), List.of(0));

            assertThat(fragmentation.expectation(node)).isCloseTo(140, within(1e-9));
        }

        @Test
        void growLeastWhereTheGpuIsInUse() {
            List<FreeNode> nodes = List.of(free(2, 8, 8), free(2, 8, 8));
            nodes.get(1).take(HALF, List.of(1));

            assertThat(bind(fragmentation, HALF, nodes)).contains(new Binding(1, List.of(1)));
        }
    }

    @Nested
    class Scores {
        @Test
        void bestFitTakesTheNodeWithTheLeastFreeResources() {
            List<FreeNode> nodes = List.of(free(8, 96, 96), free(2, 8, 8), free(4, 48, 48));

            assertThat(bind(PodScore.BEST_FIT, WHOLE, nodes)).contains(new Binding(1, List.of(0)));
        }

        @Test
        void bestFitTakesTheGpuWithTheLeastFreeParts() {
            List<FreeNode> nodes = List.of(free(3, 8, 8));
            nodes.get(0).take(share(20), List.of(1));
            nodes.get(0).take(share(40), List.of(2));

            assertThat(bind(PodScore.BEST_FIT, HALF, nodes)).contains(new Binding(0, List.of(2)));
        }

        @Test
        void dotProductWeighsFreeResourcesByTheRequest() {
            List<FreeNode> nodes = List.of(free(2, 100, 8), free(8, 16, 8));
            PodRequest manyCpus = new PodRequest(12, 1, 1, 10, List.of());
            PodRequest manyGpus = new PodRequest(1, 1, 2, 100, List.of());

            assertThat(bind(PodScore.DOT_PRODUCT, manyGpus, nodes)).contains(new Binding(0, List.of(0, 1)));
            assertThat(bind(PodScore.DOT_PRODUCT, manyCpus, nodes))
                    .map(Binding::node)
                    .contains(1);
        }

        @Test
        void packingSharesAGpuBeforeItStartsAnotherOne() {
            List<FreeNode> nodes = List.of(free(2, 8, 8), free(2, 8, 8), free(2, 8, 8));
            nodes.get(1).take(WHOLE, List.of(0));
            nodes.get(2).take(share(60), List.of(0));

            assertThat(bind(PodScore.PACKING, share(40), nodes)).contains(new Binding(2, List.of(0)));
            assertThat(bind(PodScore.PACKING, share(40), nodes)).contains(new Binding(1, List.of(1)));
            assertThat(bind(PodScore.PACKING, WHOLE, nodes)).contains(new Binding(2, List.of(1)));
            assertThat(bind(PodScore.PACKING, WHOLE, nodes)).contains(new Binding(0, List.of(0)));
        }

        @Test
        void clusteringKeepsPodsOfASizeTogether() {
            List<FreeNode> nodes = List.of(free(8, 8, 8), free(2, 8, 8), free(2, 8, 8));
            nodes.get(1).take(WHOLE, List.of(0));
            nodes.get(2).take(share(60), List.of(0));

            assertThat(bind(PodScore.CLUSTERING, HALF, nodes)).contains(new Binding(2, List.of(1)));
            assertThat(bind(PodScore.CLUSTERING, WHOLE, nodes)).contains(new Binding(1, List.of(1)));
            assertThat(bind(PodScore.CLUSTERING, WHOLE, nodes)).contains(new Binding(0, List.of(0)));
        }
    }

    private static Optional<Binding> bind(PodScore score, PodRequest pod, List<FreeNode> nodes) {
        return new ScoredPlacement(score).place(List.of(pod), nodes).get(0);
    }

    private static PodRequest share(int parts) {
        return new PodRequest(1, 1, 1, parts, List.of());
    }

    private static FreeNode free(int gpus, double cpus, double memoryGiB) {
        return new FreeNode(node("n", gpus, cpus, memoryGiB));
    }

    static Node node(String id, int gpus, double cpus, double memoryGiB) {
        List<String> devices =
                IntStream.range(0, gpus).mapToObj(Integer::toString).toList();
        return new Node(id, "main", null, "T4", devices, cpus, memoryGiB, 0, 0, NodeState.ACTIVE)
                .withSharedDevices(true);
    }
}
