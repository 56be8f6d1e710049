package dev.spur.solver.candidate;

import static dev.spur.model.JobFixture.allocation;
import static dev.spur.model.JobFixture.job;
import static dev.spur.model.JobFixture.piece;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.Job;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job starts at 700; its wait limit is 100 s. */
class WaitLimitsTest {
    @ParameterizedTest
    @CsvSource({
        "500, 0, 750, a quarter of its wait",
        "0, 0, 800, at most the wait limit",
        "500, 4, 780, at least 20 stalls",
        "650, 0, 700, none before the wait limit"
    })
    void aStintIsAQuarterOfTheWait(double waitingSince, double restartPenalty, double end, String rule) {
        Job job = job("a").slots(4)
                .restartPenalty(restartPenalty)
                .holding(allocation(700, piece("n1", 0, 4)))
                .waitingSince(waitingSince)
                .build();
        WaitLimits limits = CandidateGenerator.generate(
                        problem().nodes(4).starvationLimit(100).build())
                .limits();

        assertThat(limits.stintEnd(job, Objects.requireNonNull(job.allocation())))
                .as(rule)
                .isEqualTo(end);
    }
}
