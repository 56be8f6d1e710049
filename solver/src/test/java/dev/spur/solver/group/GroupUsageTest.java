package dev.spur.solver.group;

import static dev.spur.model.JobFixture.job;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundProblem;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Group g with at most 4 slots, group h with at most 2 running jobs. */
class GroupUsageTest {
    private final RoundProblem problem = problem()
            .nodes(8)
            .group("g", 4, null)
            .group("h", null, 2)
            .jobs(job("a").group("g"), job("b").group("h"), job("c"))
            .build();
    private final GroupCaps caps = new GroupCaps(problem);
    private final GroupUsage usage = new GroupUsage(caps);

    private GroupCaps.Cap cap(int j) {
        return Objects.requireNonNull(caps.of(problem.jobs().get(j)));
    }

    @Test
    void slotsAreLimited() {
        usage.add(cap(0), 3, 1);

        assertThat(usage.slotsLeft(cap(0))).isEqualTo(1);
        assertThat(usage.allows(cap(0), 1)).isTrue();
        assertThat(usage.allows(cap(0), 2)).isFalse();
        assertThat(usage.jobsLeft(cap(0))).isEqualTo(GroupCaps.NO_LIMIT);
    }

    @Test
    void runningJobsAreLimited() {
        usage.add(cap(1), 3, 1);

        assertThat(usage.allows(cap(1), 100)).isTrue();
        usage.add(cap(1), 3, 1);
        assertThat(usage.allows(cap(1), 1)).isFalse();
        usage.add(cap(1), -3, -1);
        assertThat(usage.jobsLeft(cap(1))).isEqualTo(1);
    }

    @Test
    void aJobWithoutAGroupIsNotLimited() {
        assertThat(caps.of(problem.jobs().get(2))).isNull();
        assertThat(usage.allows(null, 1000)).isTrue();
    }
}
