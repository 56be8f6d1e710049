package dev.spur.policies.elastic;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.round.BatchRule;
import dev.spur.policies.round.ConfigurationProgram;
import dev.spur.policies.round.Lane;
import dev.spur.policies.round.Seating;
import dev.spur.policies.round.Snapshot;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;

/**
 * ETA-MIP of Hu et al.: the slots of all jobs at once, by the progress that they make until a horizon.
 *
 * <pre>
 * U(j, k)    = max(0, T - restart penalty if k is not what j holds)
 * gain(j, k) = min(R, goodput(j, k) * U(j, k)) / W     or / R, which favours jobs close to their end
 * maximize   sum of weight * gain; one k or none for each job; no more slots than a lane has
 * </pre>
 *
 * with remaining work R, total work W and the horizon T of Spur's settings. A first start pays the penalty as well. Source: Hu
 * et al., arXiv 2109.03389. A reconstruction: the goal is certain, the program is not.
 */
public final class EtaMip implements Policy {
    private final String name;
    private final boolean byRemaining;

    /** @param byRemaining true to measure progress against the work that is left, false against all work */
    public EtaMip(String name, boolean byRemaining) {
        this.name = name;
        this.byRemaining = byRemaining;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        Snapshot snapshot = Snapshot.of(problem, BatchRule.USER);
        ConfigurationProgram program = new ConfigurationProgram(snapshot);
        for (int j = 0; j < snapshot.jobs(); j++) {
            for (Lane lane : snapshot.lanesOf(j)) {
                for (int slots : snapshot.counts(j, lane)) {
                    program.offer(j, lane, slots, gain(snapshot, j, lane, slots));
                }
            }
        }
        return Seating.decide(program.solve(), RoundMemory.EMPTY);
    }

    /** Weighted gain of job {@code j} on {@code slots} of {@code lane}. */
    double gain(Snapshot snapshot, int j, Lane lane, int slots) {
        Job job = snapshot.job(j);
        double penalty = job.spec().restartPenaltySeconds();
        boolean unchanged = slots == snapshot.held(j) && lane.equals(snapshot.heldLane(j));
        double horizon = snapshot.problem().settings().horizon().seconds(penalty);
        double useful = Math.max(0, horizon - (unchanged ? 0 : penalty));
        double left = job.remainingSamples();
        double progress = Math.min(left, snapshot.goodput(j, lane, slots) * useful);
        double all = byRemaining ? left : job.spec().totalSamples();
        return all == 0 ? 0 : job.spec().effectiveWeight() * progress / all;
    }
}
