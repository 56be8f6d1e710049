package dev.spur.solver.candidate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Candidates of one job.
 *
 * @param job index of the job in the problem
 * @param fresh configurations that mean a start or restart, none dominated by another
 * @param retained the present allocation, if the job could keep it; null otherwise
 * @param pinned true if only {@code retained} is allowed, and waiting is not
 * @param unfit reason why {@code fresh} is empty
 */
public record JobCandidates(
        int job, List<Candidate> fresh, @Nullable Candidate retained, boolean pinned, NoCandidateReason unfit) {}
