package dev.spur.prediction.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.prediction.speed.PosteriorModel;
import dev.spur.prediction.speed.SpeedModels;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProfilingPlanTest {
    private static final StepShape ONE = StepShape.allReduce(1, 1, 32);
    private static final StepShape NODE = StepShape.allReduce(4, 1, 32);
    private static final StepShape NODES = StepShape.allReduce(16, 4, 32);
    private static final PosteriorModel KNOWN = SpeedModels.fit(
            List.of(StepObservation.of(ONE, 0.3), StepObservation.of(StepShape.allReduce(1, 1, 64), 0.5)));

    @Test
    void whatIsKnownIsNotRunAgain() {
        ProfilingRun run = next(List.of(ONE, NODE), 1e6);

        assertThat(run.shape()).isEqualTo(NODE);
        assertThat(run.gain()).isPositive();
    }

    @Test
    void aRunThatTheBudgetDoesNotAllowIsNotMade() {
        ProfilingRun run = next(List.of(ONE, NODE, NODES), 400);

        assertThat(run.shape()).isEqualTo(NODE);
        assertThat(run.slotSeconds()).isLessThanOrEqualTo(400);
    }

    @Test
    void nothingIsRunOnceTheBudgetIsSpent() {
        assertThat(ProfilingPlan.next("A", KNOWN, List.of(ONE, NODE), new ProfilingBudget(10, 30, 20)))
                .isEmpty();
    }

    @Test
    void aRunNarrowsTheBandOfWhatItMeasures() {
        ProfilingRun run = next(List.of(ONE, NODE, NODES), 1e6);
        List<StepObservation> more = new ArrayList<>(KNOWN.observations());
        more.add(StepObservation.of(run.shape(), 0.45));

        assertThat(SpeedModels.fit(more).spread(run.shape())).isLessThan(KNOWN.spread(run.shape()));
    }

    private static ProfilingRun next(List<StepShape> shapes, double slotSeconds) {
        return ProfilingPlan.next("A", KNOWN, shapes, new ProfilingBudget(slotSeconds, 30, 20))
                .orElseThrow();
    }
}
