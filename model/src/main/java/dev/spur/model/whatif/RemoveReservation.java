package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.round.RoundProblem;

/**
 * The removal of a reservation, which makes its nodes available to all.
 *
 * @param reservation name of the reservation
 */
public record RemoveReservation(String reservation) implements Change {
    public RemoveReservation {
        Checks.nonBlank("reservation", reservation);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .require(
                        NamedLists.has(problem.reservations(), Reservation::name, reservation),
                        "/reservation",
                        "reservation %s does not exist",
                        reservation)
                .throwIfInvalid();
        return problem.withReservations(NamedLists.without(problem.reservations(), Reservation::name, reservation));
    }

    @Override
    public String describe() {
        return "remove reservation " + reservation;
    }
}
