package dev.spur.benchmarks.reality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.simulator.report.ResultTable;
import dev.spur.simulator.report.Stability;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteResultTest {
    private final SuiteResult result = new SuiteResult(List.of(
            outcome(1, "spur", 300, stability(4, 2, 10, 1, 50)),
            outcome(1, "easy-backfill", 200, stability(4, 0, 8, 0, 100)),
            outcome(1, "greedy", 100, stability(4, 0, 8, 0, 10)),
            outcome(2, "spur", 100, stability(1, 1, 10, 3, 80)),
            outcome(2, "easy-backfill", 400, stability(1, 0, 8, 0, 40)),
            outcome(2, "greedy", 150, stability(1, 0, 8, 0, 10))));

    @Test
    void regretIsRelativeToTheBestPolicyOfEachScenario() {
        ClassFigures spur = result.figures().get(0);

        assertThat(spur.policy()).isEqualTo("spur");
        assertThat(spur.meanRegret()).isCloseTo((2 + 0) / 2.0, within(1e-9));
        assertThat(spur.worstRegret()).isCloseTo(2, within(1e-9));
        assertThat(spur.worstSeed()).isEqualTo(1);
    }

    @Test
    void countsAreRelativeToTheJobsAndAllocationsOfAllScenarios() {
        ClassFigures spur = result.figures().get(0);

        assertThat(spur.scenarios()).isEqualTo(2);
        assertThat(spur.meanJctSeconds()).isEqualTo(200);
        assertThat(spur.restartsPerJob()).isEqualTo(6 / 20.0);
        assertThat(spur.restartsPerRigidJob()).isEqualTo(3 / 5.0);
        assertThat(spur.shortShare()).isEqualTo(4 / 20.0);
        assertThat(spur.longestWaitSeconds()).isEqualTo(80);
    }

    @Test
    void theSummaryComparesWithTheBestPublishedPolicy() {
        ResultTable summary = result.summary("spur");

        assertThat(summary.rows()).hasSize(1);
        assertThat(cell(summary, "best")).isEqualTo("easy-backfill");
        assertThat(cell(summary, "jct_to_best")).isEqualTo("0.667");
        assertThat(cell(summary, "wait_to_easy")).isEqualTo("0.800");
        assertThat(cell(summary, "short_allocations_percent")).isEqualTo("20.0");
    }

    @Test
    void theSummaryIsEmptyIfItsSubjectWasNotRun() {
        assertThat(result.summary("sia").rows()).isEmpty();
    }

    private static String cell(ResultTable table, String column) {
        return table.rows().get(0).get(table.header().indexOf(column));
    }

    private static Stability stability(int rigid, int restarts, int allocations, int brief, double wait) {
        return new Stability(rigid, restarts, allocations, brief, wait, 2 * wait);
    }

    private static Outcome outcome(long seed, String policy, double meanJct, Stability stability) {
        return new Outcome("made-up", seed, policy, 10, meanJct, 2 * meanJct, 1000, 3, stability, 0, 5, 0.1);
    }
}
