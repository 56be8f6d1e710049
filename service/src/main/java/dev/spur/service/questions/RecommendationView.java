package dev.spur.service.questions;

import dev.spur.model.allocation.Configuration;
import dev.spur.prediction.job.Origin;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.solver.recommend.Option;
import dev.spur.solver.recommend.Recommendation;
import dev.spur.solver.recommend.RecommendationGoal;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A recommendation as returned to callers. Members as in the contract. */
record RecommendationView(
        OptionView chosen, boolean targetMet, String message, List<OptionView> front, int considered) {

    /** Prediction interval of a quantity, with a coverage of 80 %. */
    record Range(double low, double median, double high) {
        /** Returns the interval of a quantity that is given by its quantile function. */
        static Range of(DoubleUnaryOperator figure) {
            return new Range(figure.applyAsDouble(0.1), figure.applyAsDouble(0.5), figure.applyAsDouble(0.9));
        }
    }

    /** A configuration for the job. Predictions are null for an assumed speed. Members as in the contract. */
    record OptionView(
            String nodeType,
            Configuration configuration,
            @Nullable Double goodput,
            @Nullable Range seconds,
            @Nullable Range cost,
            double pricePerHour,
            @Nullable Double risk,
            Origin origin) {

        static OptionView of(Option option, RecommendationGoal target, JobSpeedPrediction forecast) {
            Configuration shape = option.configuration();
            Origin origin = forecast.prediction(shape).origin();
            return origin == Origin.ASSUMED
                    ? new OptionView(shape.pool(), shape, null, null, null, option.pricePerHour(), null, origin)
                    : new OptionView(
                            shape.pool(),
                            shape,
                            option.goodput(),
                            Range.of(option::seconds),
                            Range.of(option::cost),
                            option.pricePerHour(),
                            round(option.risk(target)),
                            origin);
        }
    }

    /** Rounds a probability. A probability below one in a million is reported as 0. */
    private static double round(double risk) {
        return Math.round(1e6 * risk) / 1e6;
    }

    static RecommendationView of(Recommendation found, RecommendationGoal target, JobSpeedPrediction forecast) {
        boolean unknown = forecast.profile().hasNoData();
        return new RecommendationView(
                OptionView.of(found.chosen(), target, forecast),
                found.targetMet() && !(unknown && hasLimit(target)),
                unknown ? unknownMessage(found.chosen().configuration()) : message(found, target),
                found.front().stream()
                        .map(option -> OptionView.of(option, target, forecast))
                        .toList(),
                found.considered());
    }

    private static boolean hasLimit(RecommendationGoal target) {
        return target.deadlineSeconds() != null || target.budget() != null;
    }

    private static String unknownMessage(Configuration shape) {
        return ("Nothing is known about the speed of this job: time, cost and risk are unknown until it has run. "
                        + "It starts with %s, and can grow after its first reports of steps. "
                        + "State a profile, or submit it and import spur.torch in its program.")
                .formatted(describe(shape));
    }

    private static String describe(Configuration shape) {
        return String.format(
                Locale.ROOT,
                "%d %s on %d %s of %s at batch size %d",
                shape.slots(),
                shape.acceleratorType(),
                shape.nodes(),
                shape.nodes() == 1 ? "node" : "nodes",
                shape.pool(),
                shape.batchSize());
    }

    private static String message(Recommendation found, RecommendationGoal target) {
        Option option = found.chosen();
        String what = String.format(
                Locale.ROOT,
                "%s: about %s, for about %.2f",
                describe(option.configuration()),
                time(option.seconds(0.5)),
                option.cost(0.5));
        if (!hasLimit(target)) {
            return what + ".";
        }
        String risk = String.format(Locale.ROOT, " The chance to miss the target is %.1f %%.", 100 * found.risk());
        return what + (found.targetMet() ? "." : "; nothing keeps the target with the wanted confidence.") + risk;
    }

    private static String time(double seconds) {
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.0f s", seconds);
        }
        return seconds < 7200
                ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }
}
