package dev.spur.policies.gavel;

import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.IsolatedShare;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Gavel: jobs of fixed slots get shares of time on each lane, by a linear program whenever the set of jobs changes, and
 * rounds give them in turn. Source: Narayanan et al., OSDI '20. Certain. Where the paper is silent,
 * {@link GavelDefaults} tell.
 */
public final class Gavel implements Policy {
    private static final String ISOLATION = "gavel/isolation/";

    private final String name;
    private final ShareObjective goal;
    private final GavelDefaults habits;

    public Gavel(String name, ShareObjective goal, GavelDefaults habits) {
        this.name = name;
        this.goal = goal;
        this.habits = habits;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView snapshot = RoundView.of(problem, BatchRule.USER);
        JobSpeeds speed = new JobSpeeds(snapshot, habits.blind());
        ReceivedTime received = new ReceivedTime(speed);
        IsolatedShare isolation = new IsolatedShare(snapshot, ISOLATION);
        Optional<Shares> known = received.knownShares(habits.shareSeconds());
        Shares shares = known.or(() -> goal.shares(speed, isolation, habits.prefersSpeed()))
                .orElseGet(Shares::new);
        if (known.isEmpty()) {
            received.settle();
        }
        Map<String, Double> counters = new HashMap<>();
        speed.jobs().forEach(j -> isolation.remember(j, speed.isolated(j), counters));
        received.remember(shares, known.isEmpty(), counters);
        IntPredicate idles = j -> known.isPresent() && habits.holdsForNewcomers() && received.isNew(j);
        PlacementState seating = RoundMechanism.seat(speed, shares, received, habits.fillsUp(), idles);
        return seating.decision(new RoundMemory(Map.of(), counters));
    }
}
