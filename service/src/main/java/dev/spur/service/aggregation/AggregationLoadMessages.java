package dev.spur.service.aggregation;

import dev.spur.prediction.online.LearnedLoad;
import java.util.Locale;

/** Says how what aggregators do for a job differs from what it states. */
public final class AggregationLoadMessages {
    private AggregationLoadMessages() {}

    /** What was learnt, in one sentence. */
    public static String sentence(LearnedLoad learned) {
        String windows = learned.windows() == 1 ? "once" : learned.windows() + " times";
        return learned.factor() == 1
                ? "What aggregators do for it was measured %s; rounds count with what it states.".formatted(windows)
                : String.format(
                        Locale.ROOT,
                        "What aggregators do for it was measured %s: rounds count with %.2f times what it states.",
                        windows,
                        learned.factor());
    }
}
