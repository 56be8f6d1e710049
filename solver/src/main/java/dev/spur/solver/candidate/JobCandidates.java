package dev.spur.solver.candidate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of one job.
 *
 * @param job index of the job in the problem
 * @param freshCandidates configurations that mean a start or restart, none dominated by another
 * @param otherCandidates the present devices with another host grant or batch size, none dominated by another
 * @param retainedCandidate the present allocation, or what it could be without a restart; null if the job cannot stay
 * @param pinned true if only {@code retainedCandidate} is allowed, and waiting is not
 * @param reason reason why {@code freshCandidates} is empty
 */
public record JobCandidates(
        int job,
        List<Candidate> freshCandidates,
        List<Candidate> otherCandidates,
        @Nullable Candidate retainedCandidate,
        boolean pinned,
        NoCandidateReason reason) {
    /** Candidates of which at most one keeps the present devices. */
    public JobCandidates(
            int job,
            List<Candidate> freshCandidates,
            @Nullable Candidate retainedCandidate,
            boolean pinned,
            NoCandidateReason reason) {
        this(job, freshCandidates, List.of(), retainedCandidate, pinned, reason);
    }
}
