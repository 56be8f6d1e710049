package dev.spur.model.round.change;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.preparation.Preparation;
import java.util.List;

/**
 * What is held back from rounds and therefore not part of a problem, each as the problem shows it once it is offered again.
 *
 * @param jobs those held by their owners, those that pause after a failure, and those that await data
 * @param preparations those held by their owners, and those that pause after a failure
 */
public record HeldBack(List<Job> jobs, List<Preparation> preparations) {
    /** Nothing is. */
    public static final HeldBack NOTHING = new HeldBack(List.of(), List.of());

    public HeldBack {
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }
}
