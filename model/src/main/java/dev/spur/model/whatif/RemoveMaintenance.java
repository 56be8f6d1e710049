package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.round.RoundProblem;

/**
 * The removal of a maintenance window.
 *
 * @param window name of the maintenance window
 */
public record RemoveMaintenance(String window) implements Change {
    public RemoveMaintenance {
        Checks.nonBlank("window", window);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs withheldJobs) {
        new ChangeValidator(problem, withheldJobs)
                .require(
                        NamedLists.has(problem.maintenance(), MaintenanceWindow::name, window),
                        "/window",
                        "maintenance window %s does not exist or has ended",
                        window)
                .throwIfInvalid();
        return problem.withMaintenance(NamedLists.without(problem.maintenance(), MaintenanceWindow::name, window));
    }

    @Override
    public String describe() {
        return "remove maintenance window " + window;
    }
}
