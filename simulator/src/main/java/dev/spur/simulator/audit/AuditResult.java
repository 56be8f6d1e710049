package dev.spur.simulator.audit;

import dev.spur.model.Checks;
import dev.spur.model.objective.ObjectiveKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Result of a self-audit.
 *
 * @param jobs number of jobs whose completion times count
 * @param excluded number of other jobs that should count, because a replay did not end them
 * @param baseline replay of the scheduler as it ran
 * @param baselineJctSeconds its completion times, by id of the job
 * @param regret regret by cause, in the order of removal
 * @param bestObjective objective of the last replay
 * @param references replays of other policies with the information of the scheduler
 */
public record AuditResult(
        int jobs,
        int excluded,
        AuditReplay baseline,
        Map<String, Double> baselineJctSeconds,
        List<Regret> regret,
        ObjectiveKind bestObjective,
        List<AuditReplay> references) {
    public AuditResult {
        baselineJctSeconds = Map.copyOf(baselineJctSeconds);
        regret = Checks.copy(regret);
        references = Checks.copy(references);
    }

    /**
     * Regret of one cause: the difference between the replay before and the replay after its removal. It is negative if
     * the removal made completion times longer.
     *
     * @param cause the cause
     * @param without replay without this and all earlier causes
     * @param seconds decrease of the mean completion time
     * @param weightedSeconds decrease of the weighted mean completion time
     * @param fraction {@code seconds} relative to the baseline
     */
    public record Regret(
            RegretCause cause, AuditReplay without, double seconds, double weightedSeconds, double fraction) {}

    /** Returns the total regret, seconds of the mean completion time: the sum of all causes. */
    public double totalSeconds() {
        return regret.stream().mapToDouble(Regret::seconds).sum();
    }

    /** Returns the total regret relative to the mean completion time of the baseline. */
    public double totalFraction() {
        return regret.stream().mapToDouble(Regret::fraction).sum();
    }

    /** Returns the result in one sentence. */
    public String summary() {
        if (jobs == 0) {
            return "No job of the range ended in every replay.";
        }
        List<String> parts = new ArrayList<>();
        for (AuditReplay reference : references) {
            double difference = relative(baseline.meanJctSeconds(), reference.meanJctSeconds());
            parts.add("%s %s %s"
                    .formatted(percent(Math.abs(difference)), difference <= 0 ? "below" : "above", reference.policy()));
        }
        List<String> causes = regret.stream()
                .map(cause -> "%s to %s".formatted(percent(cause.fraction()), name(cause.cause())))
                .toList();
        return "Mean JCT %s; lost: %s.".formatted(String.join(", ", parts), String.join(", ", causes));
    }

    private static double relative(double value, double reference) {
        return reference == 0 ? 0 : value / reference - 1;
    }

    private static String name(RegretCause cause) {
        return switch (cause) {
            case OPTIMALITY_GAP -> "the optimality gap";
            case OBJECTIVE -> "the objective";
            default -> cause.name().toLowerCase(Locale.ROOT);
        };
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }
}
