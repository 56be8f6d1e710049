package dev.spur.solver.candidate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is offered for one job.
 *
 * @param job index of the job in the problem
 * @param fresh configurations that mean a start or restart, none dominated by another
 * @param kept what the job holds now, if it could stay; null otherwise
 * @param mustStay true if only {@code kept} is allowed, and waiting is not
 * @param unfit why {@code fresh} is empty
 */
public record JobCandidates(
        int job, List<Candidate> fresh, @Nullable Candidate kept, boolean mustStay, NoCandidateReason unfit) {}
