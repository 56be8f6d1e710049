package dev.spur.simulator.dataprep;

import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.PreparationsCheck;
import dev.spur.model.validation.Violation;
import dev.spur.solver.dataprep.PreparationPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Replay of the preparations of a workload. The memory that nodes use themselves changes every ten seconds. If a node
 * has lent more than it has left, its executor immediately revokes loans, least active first. Rounds run every minute.
 */
public final class MemoryReplay {
    private static final double TICK = 10;
    private static final int TICKS_PER_ROUND = 6;
    private static final LendingSettings OFF = new LendingSettings(false, 8, 0.1, 2);

    private final MemoryWorkload workload;
    private final LendingPolicy lending;
    private final List<Preparation> comingPreparations;
    private final SimulatedHosts hosts;
    private final PowerOfTwoChoices choices;
    private final SplittableRandom activity;
    private final Tally tally = new Tally();

    /** Sums over the replay. */
    private static final class Tally {
        private double work;
        private int done;
        private double completionSeconds;
        private double usedGiBSeconds;
        private double slowDowns;
        private double runningTicks;
        private long revokedAtOnce;
        private long belowHeadroom;
        private long decisions;
        private double gaps;
    }

    /**
     * Results of a replay.
     *
     * @param workHours work done, in hours at full speed
     * @param done number of ended preparations
     * @param meanCompletionSeconds mean time from arrival to end of the ended preparations; 0 if none ended
     * @param utilization mean fraction of all memory in use, from 0 to 1
     * @param meanSlowDown time-averaged slowdown of the running preparations, at least 1; 0 if nothing ran
     * @param revokedGiBPerHour memory that executors revoked before a round did
     * @param belowHeadroom number of decisions after which a lender had less free memory than its headroom
     * @param decisions number of decisions
     * @param meanGap mean optimality gap of the plans; 0 without planning
     */
    public record Outcome(
            double workHours,
            int done,
            double meanCompletionSeconds,
            double utilization,
            double meanSlowDown,
            double revokedGiBPerHour,
            long belowHeadroom,
            long decisions,
            double meanGap) {}

    private MemoryReplay(MemoryWorkload workload, LendingPolicy lending, long seed) {
        this.workload = workload;
        this.lending = lending;
        this.comingPreparations = new ArrayList<>(workload.preparations(seed));
        this.hosts = new SimulatedHosts(workload, seed + 1);
        this.choices = new PowerOfTwoChoices(hosts, seed + 2);
        this.activity = new SplittableRandom(seed + 3);
    }

    /**
     * Replays the preparations of {@code seed}; deterministic for the same arguments.
     *
     * @throws IllegalStateException if the plan validator rejects a plan
     */
    public static Outcome run(MemoryWorkload workload, LendingPolicy lending, long seed) {
        return new MemoryReplay(workload, lending, seed).run();
    }

    private Outcome run() {
        int ticks = (int) Math.round(workload.seconds() / TICK);
        for (int tick = 0; tick < ticks; tick++) {
            double now = tick * TICK;
            hosts.ownLoad().pass(now, TICK);
            arrive(now);
            serveSuddenDemands();
            if (tick % TICKS_PER_ROUND == 0) {
                decide(now);
            }
            work(now);
        }
        double capacity = workload.nodes() * workload.memoryGiB() * ticks * TICK;
        return new Outcome(
                tally.work / 3600,
                tally.done,
                tally.done == 0 ? 0 : tally.completionSeconds / tally.done,
                tally.usedGiBSeconds / capacity,
                tally.runningTicks == 0 ? 0 : tally.slowDowns / tally.runningTicks,
                (double) tally.revokedAtOnce / (ticks * TICK / 3600),
                tally.belowHeadroom,
                tally.decisions,
                tally.gaps / Math.max(1, tally.decisions));
    }

    private void arrive(double now) {
        while (!comingPreparations.isEmpty() && comingPreparations.get(0).arrival() <= now) {
            hosts.activePreparations().add(comingPreparations.remove(0));
        }
    }

    private void serveSuddenDemands() {
        if (lending == LendingPolicy.TWO_CHOICES) {
            tally.revokedAtOnce += choices.watch();
        }
        for (int v = 0; v < hosts.count(); v++) {
            int needed = (int) Math.ceil(-hosts.free(v) - 1e-9);
            for (int j : needed > 0 ? leastActive(v) : List.<Integer>of()) {
                PreparationAllocation allocation =
                        hosts.activePreparations().get(j).grant();
                int part = allocation == null ? 0 : Math.min(needed, allocation.borrowedFrom(hosts.id(v)));
                hosts.takeBack(j, v, part);
                needed -= part;
                tally.revokedAtOnce += part;
            }
        }
    }

    private List<Integer> leastActive(int lender) {
        List<Integer> order = new ArrayList<>();
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            PreparationAllocation allocation = hosts.activePreparations().get(j).grant();
            if (allocation != null && allocation.borrowedFrom(hosts.id(lender)) > 0) {
                order.add(j);
            }
        }
        order.sort(Comparator.comparingDouble(
                j -> hosts.activePreparations().get(j).activity().getOrDefault(hosts.id(lender), 0.0)));
        return order;
    }

    private void decide(double now) {
        if (lending == LendingPolicy.TWO_CHOICES) {
            choices.decide(now);
        } else {
            plan(now);
        }
        reportActivity();
        tally.decisions++;
        tally.belowHeadroom += hosts.isLenderBelowHeadroom(LendingSettings.DEFAULT) ? 1 : 0;
    }

    private void plan(double now) {
        RoundProblem problem = hosts.problem(now, lending == LendingPolicy.PLAN ? LendingSettings.DEFAULT : OFF);
        PreparationPlan plan = PreparationPlanner.plan(problem, Map.of());
        List<Violation> violations = PreparationsCheck.violations(problem, Map.of(), plan);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("The plan validator rejects a plan: " + violations.get(0));
        }
        Map<String, PreparationAllocation> grants = new HashMap<>();
        plan.running().forEach(planned -> grants.put(planned.jobId(), planned.grant()));
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            PreparationAllocation allocation =
                    grants.get(hosts.activePreparations().get(j).id());
            if (allocation != null) {
                hosts.give(j, allocation);
            }
        }
        tally.gaps += plan.quality().gap();
    }

    /** Reports random activity of each loan. */
    private void reportActivity() {
        for (int j = 0; j < hosts.activePreparations().size(); j++) {
            Preparation known = hosts.activePreparations().get(j);
            Map<String, Double> busy = new HashMap<>();
            if (known.grant() != null) {
                known.grant().loans().forEach(loan -> busy.put(loan.lender(), activity.nextDouble()));
            }
            hosts.activePreparations()
                    .set(
                            j,
                            new Preparation(
                                    known.id(),
                                    known.tenant(),
                                    known.arrival(),
                                    known.spec(),
                                    known.remainingSeconds(),
                                    known.grant(),
                                    busy));
        }
    }

    /** Advances all preparations by one tick, with the memory that the own use of their nodes leaves. */
    private void work(double now) {
        double[] localShares = new double[hosts.count()];
        for (int v = 0; v < localShares.length; v++) {
            double left = hosts.memoryGiB(v) - hosts.ownLoad().gib(v) - hosts.lent(v);
            int local = hosts.local(v);
            localShares[v] = local == 0 ? 1 : Math.max(0.05, Math.min(1, left / local));
            tally.usedGiBSeconds +=
                    TICK * Math.min(hosts.memoryGiB(v), hosts.ownLoad().gib(v) + local + hosts.lent(v));
        }
        List<Preparation> still = new ArrayList<>();
        for (Preparation preparation : hosts.activePreparations()) {
            Preparation after = preparation.grant() == null
                    ? preparation
                    : advance(
                            preparation,
                            preparation.grant(),
                            localShares[number(preparation.grant().node())],
                            now);
            if (after.remainingSeconds() > 0) {
                still.add(after);
            }
        }
        hosts.activePreparations().clear();
        hosts.activePreparations().addAll(still);
    }

    private Preparation advance(
            Preparation preparation, PreparationAllocation allocation, double localShares, double now) {
        double all = preparation.spec().workingSetGiB();
        double slowDown = preparation
                .spec()
                .slowDown()
                .at(Math.min(1, localShares * allocation.localGiB() / all), allocation.borrowedGiB() / all);
        double done = Math.min(preparation.remainingSeconds(), TICK / slowDown);
        tally.work += done;
        tally.slowDowns += slowDown;
        tally.runningTicks++;
        double left = preparation.remainingSeconds() - done;
        if (left <= 0) {
            tally.done++;
            tally.completionSeconds += now + done * slowDown - preparation.arrival();
        }
        return new Preparation(
                preparation.id(),
                preparation.tenant(),
                preparation.arrival(),
                preparation.spec(),
                left,
                allocation,
                preparation.activity());
    }

    private int number(String node) {
        for (int v = 0; v < hosts.count(); v++) {
            if (hosts.id(v).equals(node)) {
                return v;
            }
        }
        throw new IllegalStateException("Unknown node: " + node);
    }
}
