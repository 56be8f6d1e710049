package dev.spur.model.round;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Steps that decided a plan.
 *
 * @param foundBy last step that improved the plan
 * @param openJobs largest number of jobs that the bound left open for a core problem, with those that could only move
 *     to other nodes where CP-SAT decided all of them; 0 if no core problem was solved
 * @param openCandidates number of their candidates, waiting included
 * @param proof source of the bound; null if the plan is not proved optimal
 */
public record SearchSummary(
        SearchStep foundBy,
        int openJobs,
        int openCandidates,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable OptimalityProof proof) {
    /** Summary of a plan that is the greedy repair of the last one. */
    public static final SearchSummary REPAIRED = new SearchSummary(SearchStep.REPAIR, 0, 0, OptimalityProof.BOUND);

    /**
     * Returns the summary of two solves of which each decides a part of the jobs: the later step, the larger counts,
     * and no proof if one of them has none.
     */
    public SearchSummary and(SearchSummary other) {
        return new SearchSummary(
                foundBy.compareTo(other.foundBy) >= 0 ? foundBy : other.foundBy,
                Math.max(openJobs, other.openJobs),
                Math.max(openCandidates, other.openCandidates),
                proof == OptimalityProof.BOUND ? other.proof : proof);
    }

    /** Returns this summary of a plan that another step found. */
    public SearchSummary foundBy(SearchStep step) {
        return new SearchSummary(step, openJobs, openCandidates, proof);
    }

    /** Returns this summary of a plan that is not proved optimal. */
    public SearchSummary withoutProof() {
        return new SearchSummary(foundBy, openJobs, openCandidates, null);
    }
}
