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
 * First in, first out as the program of Gavel's authors has it: {@link TypeBlindAssignment} gives each job a type for
 * good, of which more may be given than there is, and who has the same type takes turns there. Like all shares of that
 * program, types are dealt at most each {@link GavelDefaults#PROGRAM 1,920 s}. A job without a type gets nothing, also
 * where slots stay idle.
 */
public final class FifoProgram implements Policy {
    private final long seed;

    /** @param seed of the draws; the same seed gives the same decisions */
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
        Optional<Shares> known = received.knownShares(GavelDefaults.PROGRAM.shareSeconds());
        if (known.isEmpty()) {
            types.deal();
            received.settle();
        }
        Shares shares = known.orElseGet(types::shares);
        Map<String, Double> counters = new HashMap<>();
        types.remember(counters);
        received.remember(shares, known.isEmpty(), counters);
        PlacementState seating = RoundMechanism.seat(speed, shares, received, false, j -> false);
        return seating.decision(new RoundMemory(Map.of(), counters));
    }
}
