package dev.spur.model.round.change;

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
    public RoundProblem applyTo(RoundProblem problem, HeldBack held) {
        new Fit(problem, held)
                .require(
                        Named.has(problem.maintenance(), MaintenanceWindow::name, window),
                        "/window",
                        "maintenance window %s does not exist or has ended",
                        window)
                .demand();
        return problem.withMaintenance(Named.without(problem.maintenance(), MaintenanceWindow::name, window));
    }

    @Override
    public String words() {
        return "remove maintenance window " + window;
    }
}
