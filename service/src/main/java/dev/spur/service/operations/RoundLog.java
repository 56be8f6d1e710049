package dev.spur.service.operations;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.StepTime;
import dev.spur.service.plans.RoundOutcome;
import dev.spur.service.plans.RoundStatus;
import dev.spur.service.rounds.RoundObserver;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.rounds.RoundProperties;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;
import org.springframework.stereotype.Component;

/** One log line per round, with the round number as a separate field for structured logs. */
@Component
class RoundLog implements RoundObserver {
    private static final Logger LOG = LoggerFactory.getLogger(RoundLog.class);

    private final double gapLimit;

    RoundLog(RoundProperties properties) {
        this.gapLimit = properties.gapLimit();
    }

    @Override
    public void onEnd(RoundReport report) {
        MDC.put("round", Long.toString(report.number()));
        try {
            RoundOutcome outcome = report.outcome();
            Level level = outcome.status() == RoundStatus.FAILED ? Level.ERROR : Level.INFO;
            String error = outcome.error() == null ? "" : " error=\"%s\"".formatted(outcome.error());
            LOG.atLevel(level).log("{}{}", line(report), error);
            warnOfWideGap(report);
        } finally {
            MDC.remove("round");
        }
    }

    private void warnOfWideGap(RoundReport report) {
        RoundPlan plan = report.outcome().plan();
        if (plan != null && plan.quality().gap() > gapLimit) {
            SolutionQuality quality = plan.quality();
            LOG.warn(
                    "round {}: the optimality gap is {} %, above spur.rounds.gap-limit ({} %): objective value {}, bound {}, status {}."
                            + " Increase the budget in /api/v1/settings. If the gap stays, keep"
                            + " GET /api/v1/rounds/{}/snapshot for a report.",
                    report.number(),
                    "%.3g".formatted(100 * quality.gap()),
                    "%.3g".formatted(100 * gapLimit),
                    "%.6g".formatted(quality.objectiveValue()),
                    "%.6g".formatted(quality.bestBound()),
                    quality.status(),
                    report.number());
        }
    }

    private static String line(RoundReport report) {
        RoundOutcome outcome = report.outcome();
        String times = outcome.steps().stream()
                .map(step -> "%s=%.0fms".formatted(step.step(), step.milliseconds()))
                .collect(Collectors.joining(" "));
        double all =
                outcome.steps().stream().mapToDouble(StepTime::milliseconds).sum();
        return String.format(
                Locale.ROOT,
                "round %d %s trigger=\"%s\" revision=%s%s dropped=%d total=%.0fms %s",
                report.number(),
                outcome.status().name().toLowerCase(Locale.ROOT),
                report.trigger(),
                outcome.planRevision(),
                stats(outcome.plan()),
                outcome.dropped().size(),
                all,
                times);
    }

    private static String stats(@Nullable RoundPlan plan) {
        if (plan == null) {
            return "";
        }
        SolutionQuality quality = plan.quality();
        return String.format(
                Locale.ROOT,
                " running=%d waiting=%d solve=%s objective=%.6g gap=%.3g",
                plan.running().size(),
                plan.waiting().size(),
                quality.status().name().toLowerCase(Locale.ROOT),
                quality.objectiveValue(),
                quality.gap());
    }
}
