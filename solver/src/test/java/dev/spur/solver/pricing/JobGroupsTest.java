package dev.spur.solver.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobGroupsTest {
    private static final List<Integer> JOBS =
            IntStream.range(0, 500).map(i -> 3 * i).boxed().toList();

    @Test
    void everyJobIsInOneGroupAndTheOrderStays() {
        List<int[]> groups = JobGroups.dealt(JOBS, CouplingRows.MANY);

        assertThat(groups.stream().flatMapToInt(IntStream::of).boxed()).containsExactlyElementsOf(JOBS);
    }

    @Test
    void groupsAreOfAboutEqualSize() {
        List<int[]> groups = JobGroups.dealt(JOBS, 1_000);

        assertThat(groups).allSatisfy(group -> assertThat(group.length).isBetween(8, 9));
    }

    @Test
    void largeRoundsHaveFewerGroups() {
        assertThat(JobGroups.dealt(JOBS, CouplingRows.MANY))
                .hasSizeLessThan(JobGroups.dealt(JOBS, CouplingRows.MANY - 1).size());
    }

    @Test
    void noGroupIsEmpty() {
        assertThat(JobGroups.dealt(List.of(7, 8), 1_000)).hasSize(2).allMatch(group -> group.length == 1);
    }
}
