package dev.spur.service.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.service.simulation.SimulationRequest.Kind;
import dev.spur.service.simulation.SimulationRequest.TraceChoice;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationRunTest {
    private static final RoundSettings HURRIED =
            RoundSettings.DEFAULT.withEffort(0.0005, new SolveBudget(2, 0.1, 4, 1));

    @Test
    void decisionsEndByWorkHoweverShortTheClockOfRoundsIs() {
        RoundProblem state = new RoundProblem(
                RoundProblem.FORMAT,
                1000,
                HURRIED,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                RoundMemory.EMPTY);
        SimulationRequest request = new SimulationRequest(
                "what is there", new TraceChoice(Kind.LIVE, null, null), List.of("spur"), null, null, 60, 7);

        SolveBudget budget =
                new SimulationRun(request, state).settings().planning().budget();

        assertThat(budget).isEqualTo(new SolveBudget(2, 300, 1, 7));
    }
}
