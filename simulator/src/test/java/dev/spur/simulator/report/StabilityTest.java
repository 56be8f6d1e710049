package dev.spur.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.NodeFixture;
import dev.spur.model.allocation.Allocation;
import dev.spur.simulator.replay.AllocationInterval;
import dev.spur.simulator.replay.JobOutcome;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.testing.FifoTestPolicy;
import dev.spur.simulator.testing.TestGroundTruth;
import dev.spur.simulator.testing.Traces;
import dev.spur.simulator.trace.Trace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Jobs arrive at 100. Their first start takes 20 s, each later one 30 s. The replay ends at 1,000. */
class StabilityTest {
    private static final double ARRIVAL = 100;
    private static final double END = 1000;
    private static final Allocation ANY = FifoTestPolicy.on(
            NodeFixture.node("a", 1).type("A100").build(), List.of("0"), 1, 0);

    @Nested
    class ShortAllocations {
        @Test
        void lastLessThanTwiceTheRestartCost() {
            assertThat(finished(200, held(110, 169), held(170, 200)).shortAllocations()).isEqualTo(1);
            assertThat(finished(200, held(110, 170), held(170, 200)).shortAllocations()).isZero();
        }

        @Test
        void doNotIncludeThoseThatEndWithTheCompletion() {
            assertThat(finished(200, held(190, 200)).shortAllocations()).isZero();
        }

        @Test
        void doNotIncludeThoseThatEndWithTheReplay() {
            assertThat(unfinished(held(990, END)).shortAllocations()).isZero();
            assertThat(unfinished(held(990, 999)).shortAllocations()).isEqualTo(1);
        }

        @Test
        void areCountedAmongAllAllocations() {
            assertThat(finished(200, held(110, 120), held(130, 140), held(150, 200)).allocations())
                    .isEqualTo(3);
        }
    }

    @Nested
    class TheLongestWait {
        @Test
        void lastsUntilTheFirstStartIsOver() {
            assertThat(finished(200, held(110, 200)).longestWaitSeconds()).isEqualTo(30);
        }

        @Test
        void goesOnAfterAnAllocationWithoutProgress() {
            assertThat(finished(300, held(110, 130), held(200, 300)).longestWaitSeconds())
                    .isEqualTo(100 + 30);
        }

        @Test
        void lastsUntilTheEndOfTheReplayWithoutAnyProgress() {
            assertThat(unfinished().longestWaitSeconds()).isEqualTo(900);
            assertThat(unfinished(held(200, 215)).longestWaitSeconds()).isEqualTo(900);
        }
    }

    @Nested
    class TheLongestIdleTime {
        @Test
        void isTheSumOfAllTimesWithoutSlots() {
            assertThat(finished(300, held(110, 150), held(200, 300)).longestIdleSeconds())
                    .isEqualTo(10 + 50);
        }

        @Test
        void ofAnUnfinishedJobLastsUntilTheEndOfTheReplay() {
            assertThat(unfinished(held(110, 150)).longestIdleSeconds()).isEqualTo(10 + 850);
        }
    }

    @Nested
    class RestartsOfRigidJobs {
        @Test
        void areThoseOfJobsWithOneNumberOfSlots() {
            Stability stability = finished(200, held(110, 150), held(160, 200));

            assertThat(stability.rigidJobs()).isEqualTo(1);
            assertThat(stability.restartsOfRigidJobs()).isEqualTo(1);
        }
    }

    private static AllocationInterval held(double start, double end) {
        return new AllocationInterval("a", start, end, ANY);
    }

    private static Stability finished(double end, AllocationInterval... intervals) {
        return of(end, intervals);
    }

    private static Stability unfinished(AllocationInterval... intervals) {
        return of(null, intervals);
    }

    private static Stability of(@Nullable Double end, AllocationInterval... intervals) {
        Trace trace = Traces.trace(
                Traces.job("a", ARRIVAL, 1, 100, new TestGroundTruth(100, 1, 1, 20, 30, false)));
        JobOutcome outcome =
                new JobOutcome("a", ARRIVAL, null, end, Math.max(0, intervals.length - 1), 0, 0, 0, null);
        return Stability.of(
                trace,
                new Replay("test", "made up", 1, List.of(outcome), List.of(), List.of(), List.of(intervals), 0),
                END);
    }
}
