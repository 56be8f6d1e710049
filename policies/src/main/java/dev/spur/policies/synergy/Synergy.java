package dev.spur.policies.synergy;

import dev.spur.model.performance.HostLevel;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.RoundView;
import dev.spur.policies.support.SlotAllocations;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.Map;

/**
 * Synergy of Mohan et al., OSDI '22. An order selects the jobs that run. Host CPU and memory are allocated to these by
 * sensitivity, so that no job is slower than with the proportional share of its slots.
 */
public final class Synergy implements Policy {
    /** Order of the jobs: each that fits runs, in turn. */
    public enum Order {
        /** By arrival. */
        FIFO("fifo", "FIFO") {
            @Override
            int[] jobs(RoundView view) {
                return JobOrders.byArrival(view);
            }
        },
        /** By the time that they still need, with what they state of their hosts. */
        SRTF("srtf", "SRTF") {
            @Override
            int[] jobs(RoundView view) {
                return JobOrders.byRemainingTime(view);
            }
        };

        private final String suffix;
        private final String text;

        Order(String suffix, String text) {
            this.suffix = suffix;
            this.text = text;
        }

        abstract int[] jobs(RoundView view);
    }

    /** Allocation of host resources. */
    public enum Shares {
        /** In proportion to slots: the baseline. */
        PROPORTIONAL("proportional", "host CPU and memory in proportion to slots.") {
            @Override
            Tune.LevelChoice levelChoice(SlotAllocations allocations, HostRequests hostRequests) {
                return (j, request) -> request.floorLevel();
            }
        },
        /** The grant with which each job is fastest, as far as hosts allow (Synergy-TUNE). */
        TUNE("synergy-tune", "hosts at each job's fastest level, limited to its share under contention.") {
            @Override
            Tune.LevelChoice levelChoice(SlotAllocations allocations, HostRequests hostRequests) {
                return (j, request) -> request.bestLevel();
            }
        },
        /** The grants of Synergy's first program for all jobs jointly, as far as hosts allow (after Synergy-OPT). */
        OPT("synergy-opt", "hosts by one integer program over the throughput of all jobs.") {
            @Override
            Tune.LevelChoice levelChoice(SlotAllocations allocations, HostRequests hostRequests) {
                Map<Integer, HostLevel> chosen =
                        new OptProgram(allocations, hostRequests).levels().orElse(Map.of());
                return (j, request) -> chosen.getOrDefault(j, request.floorLevel());
            }
        };

        private final String prefix;
        private final String text;

        Shares(String prefix, String text) {
            this.prefix = prefix;
            this.text = text;
        }

        abstract Tune.LevelChoice levelChoice(SlotAllocations allocations, HostRequests hostRequests);
    }

    private final Order order;
    private final Shares shares;

    public Synergy(Order order, Shares shares) {
        this.order = order;
        this.shares = shares;
    }

    @Override
    public String name() {
        return shares.prefix + "-" + order.suffix;
    }

    /** Returns the one-sentence summary of the policy. */
    public String idea() {
        return order.text + " with the requested slots; " + shares.text;
    }

    @Override
    public boolean changesOnlyWithEvents() {
        return true;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.USER);
        SlotAllocations allocations = grant(view);
        HostRequests hostRequests = new HostRequests(view);
        Tune tune = new Tune(allocations, hostRequests, shares.levelChoice(allocations, hostRequests));
        return Decision.of(problem, tune.allocations(), RoundMemory.EMPTY);
    }

    /** Returns the slots of the selected jobs. */
    SlotAllocations grant(RoundView view) {
        SlotAllocations allocations = new SlotAllocations(view);
        for (int j : order.jobs(view)) {
            if (allocations.isFull()) {
                break;
            }
            allocations.grant(j, view.requestedSlots(j));
        }
        return allocations;
    }
}
