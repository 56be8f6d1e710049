package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.resource.NodeShareKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemandRoundingTest {
    private static final List<NodeShareKind> PIECES =
            List.of(piece(2, 1, 4), piece(2, 2, 4), piece(1, 2, 8), piece(1, 3, 4), piece(4, 5, 4));

    @Test
    void firstEachDemandIsItsOwnLevel() {
        DemandRounding exact = DemandRounding.exact(PIECES);

        assertThat(PIECES).allSatisfy(kind -> assertThat(exact.round(kind)).isEqualTo(kind));
        assertThat(exact.kinds(PIECES)).containsExactlyInAnyOrderElementsOf(PIECES);
    }

    @Test
    void everySecondLevelIsLeft() {
        DemandRounding half = DemandRounding.exact(PIECES).coarser();

        assertThat(half.kinds(PIECES)).containsExactly(piece(4, 3, 4), piece(2, 1, 4), piece(1, 3, 4), piece(1, 1, 4));
        assertThat(half.isCoarsest()).isFalse();
    }

    @Test
    void inTheEndAllPiecesNeedTheLeastOfAll() {
        DemandRounding last = DemandRounding.exact(PIECES);
        while (!last.isCoarsest()) {
            last = last.coarser();
        }

        assertThat(last.kinds(PIECES)).containsExactly(piece(4, 1, 4), piece(2, 1, 4), piece(1, 1, 4));
    }

    private static NodeShareKind piece(int size, double cpus, double memory) {
        return new NodeShareKind(size, new HostDemand(cpus, memory));
    }
}
