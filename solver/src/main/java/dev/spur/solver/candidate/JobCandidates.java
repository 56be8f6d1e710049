package dev.spur.solver.candidate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of one job.
 *
 * @param job index of the job in the problem
 * @param freshCandidates configurations that mean a start or restart, none dominated by another
 * @param retainedCandidate the present allocation, if the job could keep it; null otherwise
 * @param pinned true if only {@code retainedCandidate} is allowed, and waiting is not
 * @param reason reason why {@code freshCandidates} is empty
 */
public record JobCandidates(
        int job,
        List<Candidate> freshCandidates,
        @Nullable Candidate retainedCandidate,
        boolean pinned,
        NoCandidateReason reason) {}
