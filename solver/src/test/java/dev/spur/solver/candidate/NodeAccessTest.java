package dev.spur.solver.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A class of four atoms with one node each. */
class NodeAccessTest {
    private static final int MAX = 16;
    private static final List<NodeAtom> ATOMS = IntStream.range(0, 4)
            .mapToObj(a -> new NodeAtom(a, 0, new NodeClassName("main", "A", null), "n" + a, 0, false, List.of(a)))
            .toList();

    @Test
    void nestedAndDisjointAccessesNeedNoUnion() {
        Set<NodeAccess> chain = accesses(access(0), access(0, 1), NodeAccess.WHOLE);
        Set<NodeAccess> disjoint = accesses(access(0, 1), access(2, 3));

        assertThat(NodeAccess.withUnions(chain, ATOMS, MAX)).isEqualTo(chain);
        assertThat(NodeAccess.withUnions(disjoint, ATOMS, MAX)).isEqualTo(disjoint);
    }

    @Test
    void overlappingAccessesHaveTheirUnion() {
        assertThat(NodeAccess.withUnions(accesses(access(0, 1), access(1, 2)), ATOMS, MAX))
                .containsExactlyInAnyOrder(access(0, 1), access(1, 2), access(0, 1, 2));
    }

    @Test
    void unionsOverlapAgain() {
        assertThat(NodeAccess.withUnions(accesses(access(0, 1), access(1, 2), access(2, 3)), ATOMS, MAX))
                .contains(access(0, 1, 2), access(1, 2, 3), NodeAccess.WHOLE);
    }

    @Test
    void thereIsNoResultWhereThereWouldBeTooMany() {
        Set<NodeAccess> some = accesses(access(0, 1), access(1, 2), access(2, 3));

        assertThat(NodeAccess.withUnions(some, ATOMS, 6)).hasSize(6);
        assertThat(NodeAccess.withUnions(some, ATOMS, 5)).isEmpty();
    }

    private static Set<NodeAccess> accesses(NodeAccess... accesses) {
        return new TreeSet<>(List.of(accesses));
    }

    private static NodeAccess access(int... atoms) {
        return NodeAccess.of(IntStream.of(atoms).mapToObj(ATOMS::get).toList(), ATOMS);
    }
}
