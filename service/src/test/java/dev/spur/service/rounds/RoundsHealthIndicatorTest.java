package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.plans.Lease;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Status;

class RoundsHealthIndicatorTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Optional<Lease> lease = Optional.of(new Lease("test", 1));
    private final RoundsHealthIndicator rounds = new RoundsHealthIndicator(() -> lease, registry);

    private void end(RoundStatus... statuses) {
        for (RoundStatus status : statuses) {
            rounds.begins();
            rounds.onEnd(new RoundObserver.RoundReport(
                    1, "test", null, RoundOutcome.of(status, null, List.of(), "no idea")));
            rounds.onIdle();
        }
    }

    private void assertFailed(int failed, Status status) {
        assertThat(registry.get("spur.rounds.failing").gauge().value()).isEqualTo(failed);
        assertThat(rounds.health().getStatus()).isEqualTo(status);
    }

    @Test
    void isDownAfterThreeFailedRoundsInARow() {
        end(RoundStatus.FAILED, RoundStatus.FAILED);
        assertFailed(2, Status.UP);
        end(RoundStatus.ABANDONED, RoundStatus.FAILED);
        assertFailed(3, Status.DOWN);
    }

    @ParameterizedTest
    @EnumSource(names = {"PUBLISHED", "UNCHANGED", "FENCED"})
    void isUpAfterARoundThatDidNotFail(RoundStatus status) {
        end(RoundStatus.FAILED, RoundStatus.FAILED, RoundStatus.FAILED, status);
        assertFailed(0, Status.UP);
    }

    @Test
    void countsRoundsThatCannotBegin() {
        for (int i = 0; i < RoundsHealthIndicator.LIMIT; i++) {
            rounds.begins();
            rounds.onIdle();
        }
        assertFailed(3, Status.DOWN);
    }

    @Test
    void concernsOnlyTheReplicaThatPlans() {
        end(RoundStatus.FAILED, RoundStatus.FAILED, RoundStatus.FAILED);
        lease = Optional.empty();
        assertFailed(0, Status.UP);
    }
}
