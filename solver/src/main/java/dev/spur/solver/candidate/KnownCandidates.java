package dev.spur.solver.candidate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Candidates of a round on the classes of nodes that a reservation leaves unchanged. They are the same with the
 * reservation, except for the numbers of the atoms. Thread-safe.
 */
final class KnownCandidates {
    private final CandidateSet candidates;
    private final ClusterIndex clusterIndex;
    /** By class: whether no node is reserved, so that its atoms are the same. */
    private final boolean[] unchanged;
    /** By access without the reservation, not to all nodes of its class: the access with it. */
    private final Map<NodeAccess, NodeAccess> accesses = new ConcurrentHashMap<>();

    /**
     * @param candidates candidates without the reservation
     * @param clusterIndex the same nodes with the reservation
     */
    KnownCandidates(CandidateSet candidates, ClusterIndex clusterIndex) {
        this.candidates = candidates;
        this.clusterIndex = clusterIndex;
        unchanged = new boolean[clusterIndex.classes().size()];
        for (int k = 0; k < unchanged.length; k++) {
            unchanged[k] = hasNoReservation(clusterIndex, k) && hasNoReservation(candidates.clusterIndex(), k);
        }
    }

    private static boolean hasNoReservation(ClusterIndex clusterIndex, int nodeClass) {
        return clusterIndex.classes().get(nodeClass).nodes().stream().noneMatch(clusterIndex::isReservedLater);
    }

    /** Returns whether the candidates on {@code nodeClass} are known. */
    boolean include(NodeClass nodeClass) {
        return unchanged[nodeClass.index()];
    }

    /** Returns the fresh candidates of job {@code j} on {@code nodeClass}, a class that these include. */
    List<Candidate> on(NodeClass nodeClass, int j) {
        List<Candidate> found = new ArrayList<>();
        for (Candidate candidate : candidates.of(j).freshCandidates()) {
            if (candidate.nodeClass() == nodeClass.index()) {
                found.add(
                        candidate.access().isWhole() ? candidate : candidate.withAccess(access(nodeClass, candidate)));
            }
        }
        return found;
    }

    private NodeAccess access(NodeClass nodeClass, Candidate candidate) {
        NodeClass before = candidates.clusterIndex().classes().get(nodeClass.index());
        int shift = nodeClass.atoms().get(0).index() - before.atoms().get(0).index();
        return shift == 0
                ? candidate.access()
                : accesses.computeIfAbsent(
                        candidate.access(),
                        access -> clusterIndex.select(
                                NodeAccess.WHOLE, nodeClass, atom -> access.containsAtom(atom.index() - shift)));
    }

    /** Returns the candidates of job {@code j} with {@code freshCandidates}, for which {@code reason} holds. */
    JobCandidates with(int j, List<Candidate> freshCandidates, NoCandidateReason reason) {
        JobCandidates own = candidates.of(j);
        return new JobCandidates(
                j,
                freshCandidates,
                own.otherCandidates(),
                own.retainedCandidate(),
                false,
                own.freshCandidates().isEmpty() ? own.reason() : reason);
    }
}
