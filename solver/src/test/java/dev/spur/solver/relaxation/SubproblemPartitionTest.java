package dev.spur.solver.relaxation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SubproblemPartitionTest {
    private static final List<Integer> JOBS =
            IntStream.range(0, 500).map(i -> 3 * i).boxed().toList();

    @Test
    void everyJobIsInOneGroupAndTheOrderStays() {
        List<int[]> groups = SubproblemPartition.dealt(JOBS, CouplingConstraints.MANY);

        assertThat(groups.stream().flatMapToInt(IntStream::of).boxed()).containsExactlyElementsOf(JOBS);
    }

    @Test
    void groupsAreOfAboutEqualSize() {
        List<int[]> groups = SubproblemPartition.dealt(JOBS, 1_000);

        assertThat(groups).allSatisfy(group -> assertThat(group.length).isBetween(8, 9));
    }

    @Test
    void largeRoundsHaveFewerGroups() {
        assertThat(SubproblemPartition.dealt(JOBS, CouplingConstraints.MANY))
                .hasSizeLessThan(SubproblemPartition.dealt(JOBS, CouplingConstraints.MANY - 1)
                        .size());
    }

    @Test
    void noGroupIsEmpty() {
        assertThat(SubproblemPartition.dealt(List.of(7, 8), 1_000)).hasSize(2).allMatch(group -> group.length == 1);
    }
}
