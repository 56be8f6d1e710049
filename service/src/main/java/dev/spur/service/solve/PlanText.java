package dev.spur.service.solve;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.Piece;
import dev.spur.model.round.Deferral;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.Proof;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolveFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A plan for people: who runs, who waits and why, how good it is, and how long each step took. */
final class PlanText {
    private static final int NODES_SHOWN = 3;

    private final RoundPlan plan;
    private final List<String> parts = new ArrayList<>();

    PlanText(RoundPlan plan) {
        this.plan = plan;
    }

    String text() {
        running();
        waiting();
        proof();
        steps();
        return String.join(System.lineSeparator(), parts);
    }

    private void running() {
        Columns columns = new Columns("JOB", "CHANGE", "SLOTS", "TYPE", "NODES", "BATCH", "STRATEGY", "WORTH");
        columns.alignRight(2, 5, 7);
        for (PlannedJob job : plan.running()) {
            Configuration shape = job.allocation().configuration();
            columns.add(
                    job.jobId(),
                    job.change().name(),
                    Integer.toString(shape.slots()),
                    shape.acceleratorType(),
                    nodes(job.allocation()),
                    Integer.toString(shape.batchSize()),
                    strategy(shape),
                    number(job.worth()));
        }
        parts.add(plan.running().isEmpty() ? "No job runs." : columns.text());
    }

    private static String nodes(Allocation allocation) {
        List<Piece> pieces = allocation.placement();
        String shown = pieces.stream().limit(NODES_SHOWN).map(Piece::node).collect(Collectors.joining(","));
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
        Columns columns = new Columns("WAITS", "JOB", "REASON", "WHY");
        columns.alignRight(0);
        for (Deferral deferral : plan.waiting()) {
            columns.add(
                    Integer.toString(deferral.position()),
                    deferral.jobId(),
                    deferral.reason().name(),
                    deferral.sentence());
        }
        parts.add("");
        parts.add(columns.text());
    }

    private void proof() {
        Proof proof = plan.proof();
        SolveFigures figures = plan.figures();
        parts.add("");
        parts.add("worth %s, bound %s, gap %s %%: %s"
                .formatted(number(proof.worth()), number(proof.bound()), number(100 * proof.gap()), proof.status()));
        parts.add("%d of %d jobs run; %d candidates, %d rows, work %s"
                .formatted(
                        plan.running().size(),
                        figures.jobs(),
                        figures.candidates(),
                        figures.rows(),
                        number(figures.work())));
    }

    private void steps() {
        parts.add(plan.figures().steps().stream()
                .map(step -> String.format(Locale.ROOT, "%s %.1f ms", step.step(), step.milliseconds()))
                .collect(Collectors.joining(", ")));
    }

    /** At most four digits after the point, none that say nothing. */
    private static String number(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceAll("\\.?0+$", "").equals("-0") ? "0" : text.replaceAll("\\.?0+$", "");
    }
}
