package dev.spur.benchmarks.fractions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.cluster.Node;
import dev.spur.model.round.RoundSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PodArrivalsTest {
    private static final PodRequest WITHOUT_GPU = new PodRequest(2, 2, 0, 100, List.of());

    private final List<Node> nodes = List.of(PodPlacementTest.node("a", 1, 8, 8), PodPlacementTest.node("b", 1, 8, 8));

    @ParameterizedTest
    @EnumSource(PodMethod.class)
    void theAllocatedShareIsThatOfTheArrivalsThatFit(PodMethod method) {
        PodArrivals arrivals = new PodArrivals(nodes, List.of(pod(1, 40)), 1);

        PodArrivals.Result result = arrivals.run(method, 1, RoundSettings.DEFAULT);

        assertThat(result.allocationAtFull()).isCloseTo(0.8, within(1e-9));
        assertThat(result.allocationAtEnd()).isCloseTo(0.8, within(1e-9));
        assertThat(result.waiting()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(PodMethod.class)
    void podsWithoutGpusTakeCpusOfTheOthers(PodMethod method) {
        List<Optional<Binding>> bindings = place(method, nodes.subList(0, 1), WITHOUT_GPU, pod(7, 100));

        assertThat(bindings.get(0)).contains(new Binding(0, List.of()));
        assertThat(bindings.get(1)).isEmpty();
    }

    @Test
    void aRoundOfSpurFillsTheGpusWhereBestFitLeavesAPodOut() {
        PodRequest[] pods = {pod(1, 30), pod(1, 40), pod(1, 60), pod(1, 70)};

        assertThat(place(PodMethod.BEST_FIT, nodes, pods)).contains(Optional.empty());
        assertThat(place(PodMethod.SPUR, nodes, pods)).doesNotContain(Optional.empty());
    }

    private static List<Optional<Binding>> place(PodMethod method, List<Node> nodes, PodRequest... pods) {
        return method.placement(nodes, List.of(pods), 1, RoundSettings.DEFAULT)
                .place(List.of(pods), nodes.stream().map(FreeNode::new).toList());
    }

    private static PodRequest pod(double cpus, int parts) {
        return new PodRequest(cpus, 1, 1, parts, List.of());
    }
}
