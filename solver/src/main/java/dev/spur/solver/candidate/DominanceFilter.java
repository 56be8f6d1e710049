package dev.spur.solver.candidate;

import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.HostDemand;
import java.util.Arrays;
import java.util.List;

/** Filter of the candidates of one job on one class of nodes: it drops those that another one dominates. */
final class DominanceFilter {
    private final Candidate[] candidates;
    private final boolean hasDeadline;
    private final AggregatorDemands demands;
    private final HostLimits limits;
    /** Number of undominated candidates, which are the first ones of the array. */
    private int retained;

    private double highestUtility = Double.NEGATIVE_INFINITY;

    private DominanceFilter(Candidate[] candidates, boolean hasDeadline, AggregatorDemands demands, HostLimits limits) {
        this.limits = limits;
        this.candidates = candidates;
        this.hasDeadline = hasDeadline;
        this.demands = demands;
    }

    /**
     * Returns the candidates that no other one dominates in demand and utility, ascending by slots, nodes, aggregation,
     * hosts and access; among these, larger pieces come first.
     *
     * @param candidatesBySlots candidates on one class of nodes, ascending by slots
     * @param hasDeadline true if the job has a deadline, so that a candidate dominates only slower ones
     * @param demands demands of the candidates for aggregators and hosts
     * @param limits host resources that count
     */
    static List<Candidate> filter(
            List<Candidate> candidatesBySlots, boolean hasDeadline, AggregatorDemands demands, HostLimits limits) {
        DominanceFilter filter =
                new DominanceFilter(candidatesBySlots.toArray(new Candidate[0]), hasDeadline, demands, limits);
        int from = 0;
        for (int to = 1; to <= candidatesBySlots.size(); to++) {
            if (to == candidatesBySlots.size()
                    || candidatesBySlots.get(to).slots()
                            != candidatesBySlots.get(from).slots()) {
                filter.keepUndominated(from, to);
                from = to;
            }
        }
        return Arrays.asList(filter.candidates).subList(0, filter.retained);
    }

    /** Keeps the undominated candidates of one number of slots. Only candidates with as many or fewer dominate them. */
    private void keepUndominated(int from, int to) {
        int first = retained;
        Arrays.sort(candidates, from, to, this::byWorth);
        for (int i = from; i < to; i++) {
            Candidate candidate = candidates[i];
            if (candidate.utility() > highestUtility || !isDominated(candidate)) {
                candidates[retained++] = candidate;
                highestUtility = Math.max(highestUtility, candidate.utility());
            }
        }
        Arrays.sort(candidates, first, retained, this::byShape);
    }

    /** Descending utility; among equal ones ascending demand, so that a candidate precedes those that it dominates. */
    private int byWorth(Candidate a, Candidate b) {
        if (a.utility() != b.utility()) {
            return Double.compare(b.utility(), a.utility());
        }
        int byAggregation = byAggregation(a, b);
        int byDemand = byAggregation != 0 ? byAggregation : byNodes(a, b);
        return byDemand != 0 ? byDemand : byHost(a, b);
    }

    private int byShape(Candidate a, Candidate b) {
        int byNodes = byNodes(a, b);
        int byAggregation = byNodes != 0 ? byNodes : byAggregation(a, b);
        int byDemand = byAggregation != 0 ? byAggregation : byHost(a, b);
        int byAccess = byDemand != 0 ? byDemand : a.access().compareTo(b.access());
        return byAccess != 0 ? byAccess : byPieces(b, a);
    }

    private static int byPieces(Candidate a, Candidate b) {
        List<Integer> own = a.configuration().shape();
        List<Integer> other = b.configuration().shape();
        for (int i = 0; i < Math.min(own.size(), other.size()); i++) {
            if (!own.get(i).equals(other.get(i))) {
                return own.get(i) - other.get(i);
            }
        }
        return own.size() - other.size();
    }

    private static int byNodes(Candidate a, Candidate b) {
        return Integer.compare(a.configuration().nodes(), b.configuration().nodes());
    }

    private int byAggregation(Candidate a, Candidate b) {
        int bySlots = Double.compare(
                a.configuration().aggregationSlots(), b.configuration().aggregationSlots());
        return bySlots != 0 ? bySlots : Long.compare(demands.cpus(a), demands.cpus(b));
    }

    private int byHost(Candidate a, Candidate b) {
        HostDemand own = demands.host(a);
        HostDemand other = demands.host(b);
        int byCpus = Double.compare(own.cpusPerSlot(), other.cpusPerSlot());
        return byCpus != 0 ? byCpus : Double.compare(own.memoryGiBPerSlot(), other.memoryGiBPerSlot());
    }

    private boolean isDominated(Candidate candidate) {
        for (int i = 0; i < retained; i++) {
            if (dominates(candidates[i], candidate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether {@code a} fits wherever {@code b} fits, with at least its utility and, with a deadline, at least
     * its speed.
     */
    private boolean dominates(Candidate a, Candidate b) {
        return a.utility() >= b.utility()
                && (!hasDeadline || a.goodput() >= b.goodput())
                && a.configuration().aggregationThousandths()
                        <= b.configuration().aggregationThousandths()
                && demands.cpus(a) <= demands.cpus(b)
                && limits.isAtMost(demands.host(a), demands.host(b))
                && a.access().includes(b.access())
                && fitsWithin(a.configuration().shape(), b.configuration().shape())
                && (!a.mayLose() || findsDevicesOf(a, b));
    }

    /**
     * Returns whether {@code a} finds devices for its change wherever {@code b} does. The node of rank 0 may only have
     * room for the smallest share.
     */
    private static boolean findsDevicesOf(Candidate a, Candidate b) {
        return a.change() == b.change()
                && (a.change() != ChangeMechanism.RESCALE || smallestShare(a) <= smallestShare(b));
    }

    private static int smallestShare(Candidate candidate) {
        List<Integer> shape = candidate.configuration().shape();
        return shape.get(shape.size() - 1);
    }

    /**
     * Returns whether every share of {@code a} fits into a distinct share of {@code b}; both are in descending order.
     */
    private static boolean fitsWithin(List<Integer> a, List<Integer> b) {
        if (a.size() > b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (a.get(i) > b.get(i)) {
                return false;
            }
        }
        return true;
    }
}
