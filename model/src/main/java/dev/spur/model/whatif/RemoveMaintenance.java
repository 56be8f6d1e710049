package dev.spur.model.whatif;

import dev.spur.model.Checks;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.round.RoundProblem;

/**
 * Nodes are not worked on after all, or no longer.
 *
 * @param window name of the maintenance window
 */
public record RemoveMaintenance(String window) implements Change {
    public RemoveMaintenance {
        Checks.named("window", window);
    }

    @Override
    public RoundProblem applyTo(RoundProblem problem, WithheldJobs held) {
        new ChangeValidator(problem, held)
                .require(
                        NamedLists.has(problem.maintenance(), MaintenanceWindow::name, window),
                        "/window",
                        "maintenance window %s does not exist or has ended",
                        window)
                .demand();
        return problem.withMaintenance(NamedLists.without(problem.maintenance(), MaintenanceWindow::name, window));
    }

    @Override
    public String words() {
        return "remove maintenance window " + window;
    }
}
