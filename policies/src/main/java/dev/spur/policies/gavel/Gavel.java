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
 * Gavel: rigid jobs get time shares on each partition, by a linear program at each change of the jobs; rounds realize
 * the shares in turn. Source: Narayanan et al., OSDI '20. Certain. {@link GavelDefaults} holds the choices that the
 * paper leaves open.
 */
public final class Gavel implements Policy {
    private static final String ISOLATION = "gavel/isolation/";

    private final String name;
    private final ShareObjective objective;
    private final GavelDefaults defaults;

    public Gavel(String name, ShareObjective objective, GavelDefaults defaults) {
        this.name = name;
        this.objective = objective;
        this.defaults = defaults;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        JobSpeeds speed = new JobSpeeds(view, defaults.blind());
        ReceivedTime received = new ReceivedTime(speed);
        IsolatedShare isolatedShare = new IsolatedShare(view, ISOLATION);
        Optional<Shares> known = received.cachedShares(defaults.shareSeconds());
        Shares shares = known.or(() -> objective.shares(speed, isolatedShare, defaults.prefersSpeed()))
                .orElseGet(Shares::new);
        if (known.isEmpty()) {
            received.updateDeficits();
        }
        Map<String, Double> counters = new HashMap<>();
        speed.jobs().forEach(j -> isolatedShare.remember(j, speed.isolatedSpeed(j), counters));
        received.remember(shares, known.isEmpty(), counters);
        IntPredicate idles = j -> known.isPresent() && defaults.holdsForNewJobs() && received.isNew(j);
        PlacementState placement = RoundMechanism.place(speed, shares, received, defaults.fillsUp(), idles);
        return placement.decision(new RoundMemory(Map.of(), counters));
    }
}
