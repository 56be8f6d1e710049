package dev.spur.service.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.round.SolverStats;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.rounds.RoundProperties;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class GapAlarmTest {
    private static final RoundProperties LIMIT_OF_ONE_PERCENT = new RoundProperties(
            true,
            Duration.ofSeconds(8),
            Duration.ofSeconds(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            0.01,
            0,
            0,
            0);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RoundMetrics metrics = new RoundMetrics(registry, LIMIT_OF_ONE_PERCENT);
    private final RoundLog roundLog = new RoundLog(LIMIT_OF_ONE_PERCENT);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void readTheLog() {
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void leaveTheLog() {
        logger().detachAppender(log);
    }

    @Test
    void aRoundAboveTheLimitLogsAWarningAndIsCounted() {
        ended(7, 0.9);

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("round 7", "90.0 %", "spur.rounds.gap-limit (1.00 %)");
        assertThat(registry.get("spur.round.gaps.wide").counter().count()).isEqualTo(1);
    }

    @Test
    void aRoundWithinTheLimitRaisesNoAlarm() {
        ended(8, 0.0005);

        assertThat(warnings()).isEmpty();
        assertThat(registry.get("spur.round.gaps.wide").counter().count()).isZero();
    }

    @Test
    void theDistributionOfGapsIsAMetric() {
        for (int round = 1; round <= 100; round++) {
            ended(round, round == 100 ? 0.9 : 0.0002);
        }

        DistributionSummary gaps = registry.get("spur.round.gaps").summary();
        assertThat(gaps.max()).isEqualTo(0.9, within(1e-9));
        assertThat(gaps.count()).isEqualTo(100);
        assertThat(Arrays.stream(gaps.takeSnapshot().percentileValues()).map(ValueAtPercentile::percentile))
                .containsExactly(0.5, 0.99);
        assertThat(gaps.takeSnapshot().percentileValues()[0].value()).isEqualTo(0.0002, within(1e-5));
    }

    private void ended(long number, double gap) {
        RoundPlan plan = new RoundPlan(
                List.of(),
                List.of(),
                Map.of(),
                SolutionQuality.of(SolveStatus.WORK_LIMIT, 1 - gap, 1, 0),
                new SolverStats(0, 0, 0, 0, List.of(), Map.of(), List.of(), List.of()),
                RoundMemory.EMPTY,
                null);
        RoundReport report = new RoundReport(
                number,
                "test",
                null,
                new RoundOutcome(RoundStatus.PUBLISHED, number, plan, List.of(), null, null, null, List.of()));
        metrics.onEnd(report);
        roundLog.onEnd(report);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(RoundLog.class);
    }
}
