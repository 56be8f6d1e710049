package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.service.plans.RoundFailure;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeboxedPolicyCallTest {
    private static final RoundProblem EMPTY = new RoundProblem(
            RoundProblem.FORMAT,
            0,
            RoundSettings.DEFAULT,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            RoundMemory.EMPTY);

    @Test
    void oneCallMayFollowAnotherAtOnce() throws InterruptedException {
        TimeboxedPolicyCall call = new TimeboxedPolicyCall(new GreedyPolicy(), 60);
        for (int i = 0; i < 2000; i++) {
            assertThat(call.plan(EMPTY).running()).isEmpty();
        }
    }

    @Test
    void oneCallMayFollowAFailureAtOnce() {
        TimeboxedPolicyCall call = new TimeboxedPolicyCall(
                new Policy() {
                    @Override
                    public String name() {
                        return "broken";
                    }

                    @Override
                    public Decision decide(RoundProblem problem) {
                        throw new IllegalStateException("as always");
                    }
                },
                60);
        for (int i = 0; i < 500; i++) {
            assertThatThrownBy(() -> call.plan(EMPTY))
                    .isInstanceOf(RoundFailure.class)
                    .hasMessageContaining("as always");
        }
    }
}
