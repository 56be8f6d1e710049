package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.PlanStore;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.plans.RoundStore;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.testing.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class RoundRetentionTest extends ServiceTest {
    private static final RoundProperties FEW = new RoundProperties(
            true,
            Duration.ofSeconds(8),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            0.01,
            1,
            3,
            2);

    @Autowired
    private TestRounds rounds;

    @Autowired
    private RoundStore records;

    @Autowired
    private PlanStore plans;

    @Autowired
    private Approvals approvals;

    private RoundRetention retention;

    @BeforeEach
    void begin() {
        retention = new RoundRetention(records, plans, approvals, FEW);
        rounds.begin();
        world.node("n1", 8);
    }

    /** Runs a round that starts a job, and returns its number. */
    private long round() {
        world.job(1);
        RoundReport report = rounds.run();
        retention.onEnd(report);
        return report.number();
    }

    private long count(String what) {
        return world.value(Long.class, "select count(*) from " + what);
    }

    @Test
    void everyTenthRoundDeletesTheOldestPlansAndRounds() {
        for (long number = round(); number % 10 != 9; number = round()) {
            assertThat(count("plan")).isEqualTo(count("round"));
        }
        assertThat(count("round")).isGreaterThan(3);

        assertThat(round() % 10).isZero();

        assertThat(count("plan")).isEqualTo(2);
        assertThat(count("round")).isEqualTo(3);
        assertThat(count("round where snapshot is not null")).isEqualTo(1);
        assertThat(count("plan where revision = (select max(revision) from plan)"))
                .isEqualTo(1);
    }

    @Test
    void aRoundThatFailedToBeginDeletesNothing() {
        while (count("round") <= 3) {
            round();
        }
        long before = count("round");

        retention.onEnd(
                new RoundReport(0, "test", null, RoundOutcome.of(RoundStatus.FENCED, null, List.of(), "fenced")));

        assertThat(count("round")).isEqualTo(before);
    }
}
