package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResourceDemand;
import dev.spur.solver.placement.StarvationReservation;
import dev.spur.solver.program.Obligation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reservation for the starving job with the longest wait among those that cannot start because some jobs are protected,
 * or have guaranteed deadlines where they run. Without it, other jobs would start on each released slot, become
 * protected themselves, and the job could wait for ever.
 */
final class StarvationReservationPlanner {
    /** Maximum number of starving jobs examined in one round. */
    private static final int MAX_EXAMINED = 60;

    private final CandidateSet candidates;
    private final double now;
    private final double[] releases;
    private final ResidualCapacity lasting;

    private StarvationReservationPlanner(CandidateSet candidates) {
        this.candidates = candidates;
        this.now = candidates.problem().now();
        this.releases = new double[candidates.hardware().nodes().size()];
        this.lasting = new ResidualCapacity(candidates);
        for (int j = 0; j < candidates.jobs(); j++) {
            Job job = candidates.job(j);
            Allocation held = job.allocation();
            if (held != null && !job.spec().preemptible()) {
                lasting.occupy(j, held);
            } else if (held != null && candidates.isPinned(j)) {
                release(
                        held,
                        held.since()
                                + Math.max(
                                        job.spec().minRunSeconds(), job.spec().restartPenaltySeconds()));
            }
            if (held != null && job.deadlineStatus() == DeadlineStatus.GUARANTEED) {
                double goodput = Goodput.of(job.spec(), held.configuration());
                release(held, now + job.restartSecondsLeft(now) + job.remainingSamples() / goodput);
            }
        }
    }

    private void release(Allocation held, double time) {
        for (NodeShare piece : held.placement()) {
            int v = candidates.hardware().indexOf(piece.node());
            releases[v] = Math.max(releases[v], time);
        }
    }

    /**
     * Returns the reservation for the first starving job that is not in {@code met} and only waits for releases; null
     * if there is none.
     */
    static @Nullable StarvationReservation next(CandidateSet candidates, List<Obligation> met) {
        Set<Integer> served = met.stream().map(Obligation::job).collect(Collectors.toSet());
        List<Integer> waiting = Obligations.overdue(candidates).stream()
                .filter(j -> !served.contains(j))
                .limit(MAX_EXAMINED)
                .toList();
        if (waiting.isEmpty()) {
            return null;
        }
        StarvationReservationPlanner turns = new StarvationReservationPlanner(candidates);
        for (int j : waiting) {
            StarvationReservation turn = turns.turnOf(j);
            if (turn != null) {
                return turn;
            }
        }
        return null;
    }

    /**
     * Returns whether, with {@code turn} reserved, every commitment met {@code before} that is guaranteed or older is
     * still met.
     */
    static boolean spares(
            CandidateSet candidates, StarvationReservation turn, List<Obligation> before, List<Obligation> after) {
        Set<Integer> still = after.stream().map(Obligation::job).collect(Collectors.toSet());
        List<Integer> overdue = Obligations.overdue(candidates);
        Set<Integer> ahead = new HashSet<>(overdue.subList(0, overdue.indexOf(turn.job())));
        return before.stream()
                .map(Obligation::job)
                .filter(j -> candidates.job(j).deadlineStatus() == DeadlineStatus.GUARANTEED || ahead.contains(j))
                .allMatch(still::contains);
    }

    /** Returns the placement for job {@code j} that becomes free first, if it is not free now. */
    private @Nullable StarvationReservation turnOf(int j) {
        double earliest = Double.POSITIVE_INFINITY;
        StarvationReservation turn = null;
        for (Candidate candidate : smallestOfEachClass(j)) {
            List<Integer> nodes = nodesFreeFirst(candidate);
            double release = nodes.stream().mapToDouble(v -> releases[v]).max().orElse(Double.POSITIVE_INFINITY);
            if (release < earliest) {
                earliest = release;
                Set<String> ids = nodes.stream()
                        .map(v -> candidates.hardware().nodes().get(v).id())
                        .collect(Collectors.toSet());
                turn = new StarvationReservation(j, candidate.configuration(), ids);
            }
        }
        return earliest > now ? turn : null;
    }

    /** Returns by class the candidates with the fewest slots, those on the fewest nodes first. */
    private List<Candidate> smallestOfEachClass(int j) {
        Map<Integer, List<Candidate>> smallest = new TreeMap<>();
        for (Candidate candidate : candidates.of(j).fresh()) {
            if (lasting.limitsAllow(ResourceDemand.of(candidates, candidate))) {
                List<Candidate> own = smallest.computeIfAbsent(candidate.nodeClass(), k -> new ArrayList<>());
                if (own.isEmpty() || own.get(0).slots() == candidate.slots()) {
                    own.add(candidate);
                }
            }
        }
        return smallest.values().stream().flatMap(List::stream).toList();
    }

    /**
     * Returns a node for each share, the one released first among those that can hold it; empty if there are too few.
     */
    private List<Integer> nodesFreeFirst(Candidate candidate) {
        List<Integer> found = new ArrayList<>();
        for (int piece : candidate.configuration().shape()) {
            int best = -1;
            for (int v :
                    candidates.hardware().classes().get(candidate.nodeClass()).nodes()) {
                boolean sooner = best < 0 || releases[v] < releases[best];
                if (sooner
                        && candidate.access().contains(v)
                        && !found.contains(v)
                        && lasting.cluster().holds(v, piece, candidates.host(candidate))) {
                    best = v;
                }
            }
            if (best < 0) {
                return List.of();
            }
            found.add(best);
        }
        return found;
    }
}
