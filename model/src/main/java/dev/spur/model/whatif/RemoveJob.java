package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;

/**
 * The removal of a training job and of the reservations for it, or of a data preparation. Jobs that depend on the data
 * preparation continue to wait; {@link ReleaseHold} releases them.
 *
 * @param job its id
 */
public record RemoveJob(String job) implements Change {
    public RemoveJob {
        Checks.nonBlank("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs).jobOrPreparation(job).throwIfInvalid();
        return problem.withJobs(NamedLists.without(problem.jobs(), Job::id, job))
                .withPreparations(NamedLists.without(problem.preparations(), Preparation::id, job))
                .withReservations(problem.reservations().stream()
                        .filter(reservation -> !job.equals(reservation.job()))
                        .toList());
    }

    @Override
    public String describe() {
        return "remove job " + job;
    }
}
