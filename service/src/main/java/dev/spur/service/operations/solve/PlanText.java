package dev.spur.service.operations.solve;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SearchSummary;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolverStats;
import dev.spur.simulator.report.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Text output of a plan: running jobs, waiting jobs with their reasons, solution quality, and time of each step. */
final class PlanText {
    private static final int NODES_SHOWN = 3;
    private static final List<String> RUNNING =
            List.of("JOB", "CHANGE", "SLOTS", "TYPE", "NODES", "BATCH", "STRATEGY", "UTILITY");
    private static final List<String> WAITING = List.of("POSITION", "JOB", "REASON", "MESSAGE");

    private final RoundPlan plan;
    private final List<String> parts = new ArrayList<>();

    PlanText(RoundPlan plan) {
        this.plan = plan;
    }

    String text() {
        running();
        waiting();
        quality();
        steps();
        return String.join(System.lineSeparator(), parts);
    }

    private void running() {
        List<List<String>> rows = new ArrayList<>();
        for (PlannedJob job : plan.running()) {
            Configuration shape = job.allocation().configuration();
            rows.add(List.of(
                    job.jobId(),
                    job.change().name(),
                    Integer.toString(shape.slots()),
                    shape.acceleratorType(),
                    nodes(job.allocation()),
                    Integer.toString(shape.batchSize()),
                    strategy(shape),
                    number(job.utility())));
        }
        parts.add(plan.running().isEmpty() ? "No job runs." : new ResultTable(RUNNING, rows).asText());
    }

    private static String nodes(Allocation allocation) {
        List<NodeShare> pieces = allocation.placement();
        String shown = pieces.stream().limit(NODES_SHOWN).map(NodeShare::node).collect(Collectors.joining(","));
        return pieces.size() <= NODES_SHOWN ? shown : shown + " and %d more".formatted(pieces.size() - NODES_SHOWN);
    }

    private static String strategy(Configuration shape) {
        return switch (shape.strategy()) {
            case ALL_REDUCE -> "AllReduce";
            case PARAMETER_SERVER -> "servers (%s)".formatted(number(shape.aggregationSlots()));
        };
    }

    private void waiting() {
        if (plan.waiting().isEmpty()) {
            return;
        }
        List<List<String>> rows = plan.waiting().stream()
                .map((PendingJob pending) -> List.of(
                        Integer.toString(pending.queuePosition()),
                        pending.jobId(),
                        pending.reason().name(),
                        pending.message()))
                .toList();
        parts.add("");
        parts.add(new ResultTable(WAITING, rows).asText());
    }

    private void quality() {
        SolutionQuality quality = plan.quality();
        SolverStats stats = plan.stats();
        parts.add("");
        parts.add("objective value %s, best bound %s, optimality gap %s %%: %s"
                .formatted(
                        number(quality.objectiveValue()),
                        number(quality.bestBound()),
                        number(100 * quality.gap()),
                        quality.status()));
        SearchSummary search = quality.search();
        if (search != null) {
            parts.add("found by " + search.foundBy() + (search.proof() == null ? "" : ", proved by " + search.proof()));
            if (search.openJobs() > 0) {
                parts.add("%d jobs with %d candidates were open to CP-SAT"
                        .formatted(search.openJobs(), search.openCandidates()));
            }
        }
        if (quality.classes().size() > 1) {
            quality.classes()
                    .forEach(own -> parts.add("priority %d: objective value %s, best bound %s, optimality gap %s %%"
                            .formatted(
                                    own.priority(),
                                    number(own.objectiveValue()),
                                    number(own.bestBound()),
                                    number(100 * own.gap()))));
        }
        parts.add("%d of %d jobs run; %d candidates, %d coupling constraints, work %s"
                .formatted(
                        plan.running().size(),
                        stats.jobs(),
                        stats.candidates(),
                        stats.couplingConstraints(),
                        number(stats.work())));
    }

    private void steps() {
        parts.add(plan.stats().steps().stream()
                .map(step -> String.format(Locale.ROOT, "%s %.1f ms", step.step(), step.milliseconds()))
                .collect(Collectors.joining(", ")));
    }

    /** At most four decimals, without trailing zeros. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceAll("\\.?0+$", "").equals("-0") ? "0" : text.replaceAll("\\.?0+$", "");
    }
}
