package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.worth.Goodput;
import dev.spur.model.worth.Worth;
import java.util.HashMap;
import java.util.Map;

/** Worth of placed allocations: with the prices of their own nodes, and without restart where nothing moved. */
final class Valuation {
    private final Worth worth;
    private final Map<String, Double> prices = new HashMap<>();

    Valuation(RoundProblem problem) {
        worth = new Worth(problem);
        for (Node node : problem.nodes()) {
            prices.put(node.id(), node.pricePerSlotHour());
        }
    }

    double worth(Job job, Allocation given) {
        boolean unchanged = job.allocation() != null && given.sameRunAs(job.allocation());
        double price = given.placement().stream()
                .mapToDouble(piece -> piece.slots() * prices.getOrDefault(piece.node(), 0.0))
                .sum();
        return worth.of(
                job,
                given.configuration(),
                Goodput.of(job.spec(), given.configuration()),
                unchanged,
                price / given.configuration().slots());
    }
}
