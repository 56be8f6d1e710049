package dev.spur.service.aggregation;

import dev.spur.prediction.online.LearnedLoad;
import java.util.Locale;

/** Messages about the difference between measured and declared aggregation load of a job. */
public final class AggregationLoadMessages {
    private AggregationLoadMessages() {}

    /** The measurement in one sentence. */
    public static String sentence(LearnedLoad learned) {
        String windows = learned.windows() == 1 ? "once" : learned.windows() + " times";
        return learned.factor() == 1
                ? "Its aggregation load was measured %s; rounds use the declared load.".formatted(windows)
                : String.format(
                        Locale.ROOT,
                        "Its aggregation load was measured %s: rounds use %.2f times the declared load.",
                        windows,
                        learned.factor());
    }
}
