package dev.spur.model.allocation;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.configuration;
import static dev.spur.model.JobFixture.piece;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.performance.SyncStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
    @Test
    void theOrderOfPiecesDoesNotMatter() {
        assertThat(configuration(List.of(1, 4, 2))).isEqualTo(configuration(List.of(4, 2, 1)));
        assertThat(configuration(List.of(1, 4, 2)).shape()).containsExactly(4, 2, 1);
    }

    @Test
    void slotsNodesAndTheBatchOfADeviceFollow() {
        Configuration twoPasses = new Configuration("main", "A100", List.of(2, 1), SyncStrategy.ALL_REDUCE, 0, 100, 1);

        assertThat(twoPasses.slots()).isEqualTo(3);
        assertThat(twoPasses.nodes()).isEqualTo(2);
        assertThat(twoPasses.perDeviceBatch())
                .as("100 samples over 3 devices in 2 passes")
                .isEqualTo(17);
    }

    @Test
    void slotsAreThoseOfAllPieces() {
        for (List<Integer> shape : List.of(List.of(5), List.of(8, 3), List.of(8, 8, 4), List.of(3, 3, 2, 2))) {
            int sum = shape.stream().mapToInt(Integer::intValue).sum();
            assertThat(configuration(shape).slots()).as("%s", shape).isEqualTo(sum);
        }
    }

    @Test
    void everyPieceHasASlot() {
        assertThatThrownBy(() -> configuration(List.of())).hasMessageContaining("shape ([])");
        assertThatThrownBy(() -> configuration(List.of(2, 0))).hasMessageContaining("shape ([2, 0])");
    }

    @Test
    void aPlacementHasOnePieceOnANode() {
        assertThatThrownBy(() -> allocation(0, piece("n1", 0, 1), piece("n1", 1, 1)))
                .hasMessageContaining("node n1 appears twice");
    }

    @Test
    void anotherPartOfTheHostsIsStillTheSameRun() {
        Allocation heldAllocation = allocation(0, piece("n1", 0, 1));
        Allocation granted = heldAllocation.withHost(new HostGrant(3, 8));

        assertThat(granted.sameRunAs(heldAllocation)).isTrue();
        assertThat(heldAllocation.sameRunAs(granted)).isTrue();
        assertThat(granted).isNotEqualTo(heldAllocation);
        assertThat(granted.withHost(null)).isEqualTo(heldAllocation);
        assertThat(granted.configuration().withBatch(128, 1).host()).isEqualTo(new HostGrant(3, 8));
    }

    @Test
    void theSameRunIsTheSameConfigurationOnTheSameDevices() {
        Allocation heldAllocation = allocation(0, piece("n1", 0, 1), piece("n2", 0, 1));

        assertThat(allocation(500, piece("n2", 0, 1), piece("n1", 0, 1)).sameRunAs(heldAllocation))
                .isTrue();
        assertThat(allocation(0, piece("n1", 1, 1), piece("n2", 0, 1)).sameRunAs(heldAllocation))
                .isFalse();
        Configuration larger = new Configuration("main", "A100", List.of(1, 1), SyncStrategy.ALL_REDUCE, 0, 128, 0);
        assertThat(new Allocation(larger, heldAllocation.placement(), List.of(), 0).sameRunAs(heldAllocation))
                .isFalse();
    }
}
