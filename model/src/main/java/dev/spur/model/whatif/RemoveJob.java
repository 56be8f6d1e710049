package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;

/**
 * One job less; nodes that were kept for it are open to all.
 *
 * @param job its id
 */
public record RemoveJob(String job) implements Change {
    public RemoveJob {
        Checks.named("job", job);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held).job(job).demand();
        return problem.withJobs(NamedLists.without(problem.jobs(), Job::id, job))
                .withReservations(problem.reservations().stream()
                        .filter(reservation -> !job.equals(reservation.job()))
                        .toList());
    }

    @Override
    public String words() {
        return "remove job " + job;
    }
}
