package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;

/**
 * Nodes are open to all that were kept for somebody.
 *
 * @param reservation name of the reservation
 */
public record RemoveReservation(String reservation) implements Change {
    public RemoveReservation {
        Checks.named("reservation", reservation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held)
                .require(
                        NamedLists.has(problem.reservations(), Reservation::name, reservation),
                        "/reservation",
                        "reservation %s does not exist",
                        reservation)
                .demand();
        return problem.withReservations(NamedLists.without(problem.reservations(), Reservation::name, reservation));
    }

    @Override
    public String words() {
        return "remove reservation " + reservation;
    }
}
