package dev.spur.prediction.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.JobPredictor;
import dev.spur.prediction.job.PredictionInput;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.TypedObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterProfilingPlanTest {
    private static final BatchLimits BATCH = new BatchLimits(32, 32, 8192, 256, Map.of(), true);
    private static final ProfilingBudget PLENTY = new ProfilingBudget(1e6, 30, 20);

    private static JobPredictor knowing(TypedObservation... seen) {
        return new JobPredictor(
                new PredictionInput(null, new ThroughputProfile(List.of(), List.of()), List.of(seen), BATCH),
                Families.NONE);
    }

    private static TypedObservation seen(String type, int slots, int perSlot) {
        return new TypedObservation(
                type, StepObservation.of(StepShape.allReduce(slots, 1, perSlot), 0.1 + 0.001 * perSlot + 0.01 * slots));
    }

    private static List<ProfilePoint> desired(String... types) {
        List<ProfilePoint> points = new ArrayList<>();
        for (String type : types) {
            for (int slots = 1; slots <= 8; slots *= 2) {
                points.add(ProfilePoint.allReduce(type, slots, 1, 32 * slots, 0));
            }
        }
        return points;
    }

    private static Optional<ProfilingRun> next(
            JobPredictor predictor, List<ProfilePoint> points, ProfilingBudget budget) {
        return ClusterProfilingPlan.next(predictor, points, point -> 0, point -> true, budget);
    }

    @Test
    void aJobOfWhichNothingIsKnownRunsInItsSmallestShape() {
        ProfilingRun run = next(knowing(), desired("A", "B"), PLENTY).orElseThrow();

        assertThat(run.shape().slots()).isOne();
    }

    @Test
    void aTypeOfWhichNothingIsKnownIsTriedBeforeOneThatIsKnownWell() {
        JobPredictor predictor = knowing(seen("A", 1, 32), seen("A", 2, 32), seen("A", 4, 32), seen("A", 8, 32));

        assertThat(next(predictor, desired("A", "B"), PLENTY).orElseThrow().acceleratorType())
                .isEqualTo("B");
    }

    @Test
    void shapesThatAreClosedAreLeftOut() {
        JobPredictor predictor = knowing(seen("A", 1, 32));

        for (int slots : new int[] {2, 4, 8}) {
            ProfilingRun run = ClusterProfilingPlan.next(
                            predictor, desired("A"), point -> 0, point -> point.slots() == slots, PLENTY)
                    .orElseThrow();
            assertThat(run.shape().slots()).isEqualTo(slots);
        }
        assertThat(ClusterProfilingPlan.next(predictor, desired("A"), point -> 0, point -> false, PLENTY))
                .isEmpty();
    }

    @Test
    void whatTheBudgetDoesNotAllowIsNotRun() {
        JobPredictor predictor = knowing(seen("A", 1, 32));

        assertThat(next(predictor, desired("A", "B"), new ProfilingBudget(20, 30, 20)))
                .isEmpty();
        for (double slotSeconds : new double[] {40, 80, 200}) {
            ProfilingRun run = next(predictor, desired("A"), new ProfilingBudget(slotSeconds, 30, 20))
                    .orElseThrow();
            assertThat(run.slotSeconds()).isLessThanOrEqualTo(slotSeconds);
        }
    }
}
