package dev.spur.policies.list;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementRules;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * FIFO with EASY backfill (Lifka, JSSPP 1995). The first job that does not fit has a reservation, and a later job
 * starts only if it does not delay it. Run times are those of the profile.
 */
public final class EasyBackfill implements Policy {
    /** Slots of a job in a partition, and the seconds until its expected end. */
    private record Held(NodePartition partition, int slots, double seconds) {}

    /**
     * Reservation of the first waiting job. It counts slots, not nodes, as in the paper.
     *
     * @param partition partition in which the job can start first
     * @param seconds time until its start by the expected ends of running jobs
     * @param spare slots of the partition that are free next to it from then on
     */
    private record Reservation(NodePartition partition, double seconds, int spare) {
        boolean isOverlappedBy(Held job) {
            return job.partition.equals(partition) && job.seconds > seconds;
        }

        boolean allows(Held job) {
            return !isOverlappedBy(job) || job.slots <= spare;
        }

        Reservation after(Held job) {
            return isOverlappedBy(job) ? new Reservation(partition, seconds, spare - job.slots) : this;
        }
    }

    @Override
    public String name() {
        return "easy-backfill";
    }

    @Override
    public Decision decide(RoundProblem problem) {
        return new Pass(RoundView.of(problem, BatchRule.USER)).decide();
    }

    /** One decision. */
    private static final class Pass {
        private final RoundView view;
        private final PlacementState placement;
        private final List<Held> held = new ArrayList<>();
        private @Nullable Reservation firstReservation;

        Pass(RoundView view) {
            this.view = view;
            this.placement = new PlacementState(view);
        }

        Decision decide() {
            int[] order = JobOrders.byArrival(view);
            for (int j : order) {
                NodePartition partition = view.heldPartition(j);
                if (partition != null && (placement.isPlaced(j) || placement.keep(j))) {
                    held.add(new Held(partition, view.heldSlots(j), secondsLeft(j)));
                }
            }
            for (int j : order) {
                if (!placement.isPlaced(j)) {
                    startOrReserve(j);
                }
            }
            return placement.decision(RoundMemory.EMPTY);
        }

        private double secondsLeft(int j) {
            Job job = view.job(j);
            return job.secondsToRelease(view.heldGoodput(j), job.restartSecondsLeft(view.now()), view.now());
        }

        private void startOrReserve(int j) {
            List<Held> options = options(j);
            for (Held option : options) {
                if ((firstReservation == null || firstReservation.allows(option))
                        && placement.start(j, option.partition, option.slots, 0, PlacementRules.MIN_NODES)) {
                    held.add(option);
                    firstReservation = firstReservation == null ? null : firstReservation.after(option);
                    return;
                }
            }
            if (firstReservation == null) {
                firstReservation = options.stream()
                        .map(this::reservation)
                        .filter(own -> own.seconds < Double.POSITIVE_INFINITY)
                        .min(Comparator.comparingDouble(Reservation::seconds))
                        .orElse(null);
            }
        }

        /** Returns the ways to run job {@code j} on its requested slots, fastest partition first. */
        private List<Held> options(int j) {
            int slots = view.requestedSlots(j);
            double restart = view.job(j).spec().restartPenaltySeconds();
            return view.partitionsOf(j).stream()
                    .map(partition -> new Held(partition, slots, restart + view.remainingSeconds(j, partition, slots)))
                    .sorted(Comparator.comparingDouble(Held::seconds))
                    .toList();
        }

        /** Returns the reservation for {@code desiredHeld}; at infinity if all slots of the partition are too few. */
        private Reservation reservation(Held desiredHeld) {
            int free = placement.free(desiredHeld.partition);
            double seconds = free < desiredHeld.slots ? Double.POSITIVE_INFINITY : 0;
            for (Held other : held.stream()
                    .filter(job -> job.partition.equals(desiredHeld.partition))
                    .sorted(Comparator.comparingDouble(Held::seconds))
                    .toList()) {
                if (free >= desiredHeld.slots) {
                    break;
                }
                free += other.slots;
                seconds = free < desiredHeld.slots ? Double.POSITIVE_INFINITY : other.seconds;
            }
            return new Reservation(desiredHeld.partition, seconds, free - desiredHeld.slots);
        }
    }
}
