package dev.spur.service.performance;

import dev.spur.prediction.online.Drift;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Messages about a lasting change of a job's speed. */
public final class DriftMessages {
    private DriftMessages() {}

    /** Returns the change as one sentence. */
    public static String message(Drift drift) {
        String where = switch (drift.dimension()) {
            case EVERYWHERE -> "in every configuration";
            case TYPE -> "on " + drift.acceleratorType();
            case SLOTS -> "increasing with the number of slots";
            case BATCH -> "depending on the batch size per slot";
            case AGGREGATION -> "depending on the number of aggregation slots";
            case SHAPE -> "in the last configuration of the job";
        };
        return String.format(
                Locale.ROOT, "The steps of the job take %.2f times as long as predicted, %s.", drift.factor(), where);
    }

    /** Returns the details for the event of a job. */
    public static Map<String, Object> detail(Drift drift) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("dimension", drift.dimension().name());
        if (drift.acceleratorType() != null) {
            detail.put("acceleratorType", drift.acceleratorType());
        }
        detail.put("factor", drift.factor());
        detail.put("message", message(drift));
        return detail;
    }
}
