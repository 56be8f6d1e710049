package dev.spur.policies.gavel;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * First in, first out as in the program of Gavel's authors. {@link TypeBlindAssignment} assigns each job an accelerator
 * type for its lifetime. A type may be oversubscribed; its jobs then take turns. As all shares of that program, types
 * are assigned at most every {@link GavelDefaults#PROGRAM 1,920 s}. A job without a type gets nothing, even where slots
 * are idle.
 */
public final class FifoProgram implements Policy {
    private final long seed;

    /**
     * Creates the policy.
     *
     * @param seed seed of the random draws; equal seeds give equal decisions
     */
    public FifoProgram(long seed) {
        this.seed = seed;
    }

    @Override
    public String name() {
        return "fifo-program";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        JobSpeeds speed = new JobSpeeds(RoundView.of(problem, BatchRule.USER));
        ReceivedTime received = new ReceivedTime(speed);
        TypeBlindAssignment types = new TypeBlindAssignment(speed, seed);
        Optional<Shares> known = received.cachedShares(GavelDefaults.PROGRAM.shareSeconds());
        if (known.isEmpty()) {
            types.assign();
            received.updateDeficits();
        }
        Shares shares = known.orElseGet(types::shares);
        Map<String, Double> counters = new HashMap<>();
        types.remember(counters);
        received.remember(shares, known.isEmpty(), counters);
        PlacementState placement = RoundMechanism.place(speed, shares, received, false, j -> false);
        return placement.decision(new RoundMemory(Map.of(), counters));
    }
}
