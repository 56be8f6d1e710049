package dev.spur.service.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.ChangeKind;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanDiffTest {
    /** The allocation of a job whose first generation is 1. */
    private static PlanEntry entry(int generation, String node, int slots, int batch) {
        return entry(generation, generation - 1, node, slots, batch);
    }

    private static PlanEntry entry(long generation, int restarts, String node, int slots, int batch) {
        List<String> devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toList();
        var configuration = new Configuration("main", "A100", List.of(slots), SyncStrategy.ALL_REDUCE, 0, batch, 0);
        var allocation = new Allocation(configuration, List.of(new NodeShare(node, devices)), List.of(), 0);
        return new PlanEntry("j", generation, restarts, allocation, ChangeKind.KEEP, 100.0 * slots, slots, 30, "");
    }

    private static PlanChange only(List<PlanEntry> before, List<PlanEntry> after, Set<String> waiting) {
        return PlanDiff.between(1, before, 2, after, waiting).changes().get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "n1, 2, 64, n1, 4, 64, GROW",
        "n1, 4, 64, n1, 2, 64, SHRINK",
        "n1, 2, 64, n2, 2, 64, MOVE",
        "n1, 2, 64, n1, 2, 128, RECONFIGURE"
    })
    void aChangeIsNamedByWhatItDoes(
            String node, int slots, int batch, String nodeAfter, int slotsAfter, int batchAfter, PlanChange.Kind kind) {
        PlanChange change = only(
                List.of(entry(1, node, slots, batch)), List.of(entry(2, nodeAfter, slotsAfter, batchAfter)), Set.of());

        assertThat(change.change()).isEqualTo(kind);
        assertThat(change.message()).isNotBlank();
        assertThat(change.restartSeconds()).isEqualTo(30);
        assertThat(change.lostSamples()).isEqualTo(30 * 100.0 * slots);
        assertThat(change.objectiveDelta()).isEqualTo(slotsAfter - slots);
    }

    @Nested
    class AJobThat {
        private final List<PlanEntry> runs = List.of(entry(3, "n1", 2, 64));

        @Test
        void keepsItsGenerationIsKept() {
            PlanDiff diff = PlanDiff.between(1, runs, 2, runs, Set.of());

            assertThat(diff.changes()).isEmpty();
            assertThat(diff.unchanged()).isEqualTo(1);
        }

        @Test
        void waitsAfterwardsIsPreemptedAndOneThatIsGoneHasEnded() {
            assertThat(only(runs, List.of(), Set.of("j")).change()).isEqualTo(PlanChange.Kind.PREEMPT);
            assertThat(only(runs, List.of(), Set.of()).change()).isEqualTo(PlanChange.Kind.END);
        }

        @Test
        void startsForTheFirstTimeLosesNothingAndOneThatStartsAgainDoes() {
            assertThat(only(List.of(), List.of(entry(1, "n1", 2, 64)), Set.of()).restartSeconds())
                    .isZero();
            assertThat(only(List.of(), runs, Set.of()).restartSeconds()).isEqualTo(30);
        }

        @Test
        void startsForTheFirstTimeAfterTheGenerationsOfAnEarlierJobLosesNothing() {
            assertThat(only(List.of(), List.of(entry(6, 0, "n1", 2, 64)), Set.of())
                            .restartSeconds())
                    .isZero();
        }

        @Test
        void restartsOnceAfterItsGenerationHasSkippedNumbersLosesOneRestart() {
            List<PlanEntry> after = List.of(entry(1_000_000, 3, "n2", 2, 64));

            assertThat(only(runs, after, Set.of()).restartSeconds()).isEqualTo(30);
        }

        @Test
        void changesItsBatchSizeWithinItsGenerationDoesNotRestart() {
            PlanChange change = only(runs, List.of(entry(3, "n1", 2, 128)), Set.of());

            assertThat(change.change()).isEqualTo(PlanChange.Kind.RECONFIGURE);
            assertThat(change.restartSeconds()).isZero();
        }

        @Test
        void changedThreeTimesBetweenTheTwoPlansHasRestartedThreeTimes() {
            assertThat(only(runs, List.of(entry(6, "n2", 2, 64)), Set.of()).restartSeconds())
                    .isEqualTo(90);
        }
    }
}
