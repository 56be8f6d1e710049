package dev.spur.service.performance;

import dev.spur.prediction.online.Drift;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Says what a lasting change of a job's speed is. */
public final class DriftMessages {
    private DriftMessages() {}

    /** The change in one sentence. */
    public static String sentence(Drift drift) {
        String where = switch (drift.dimension()) {
            case EVERYWHERE -> "in every shape";
            case TYPE -> "on " + drift.acceleratorType();
            case SLOTS -> "the more, the more slots it has";
            case BATCH -> "depending on the batch of a slot";
            case AGGREGATION -> "depending on the aggregation slots";
            case SHAPE -> "in the shape in which it ran last";
        };
        return String.format(
                Locale.ROOT, "Its steps take %.2f times as long as was expected, %s.", drift.factor(), where);
    }

    /** The facts for the event of a job. */
    public static Map<String, Object> detail(Drift drift) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("dimension", drift.dimension().name());
        if (drift.acceleratorType() != null) {
            detail.put("acceleratorType", drift.acceleratorType());
        }
        detail.put("factor", drift.factor());
        detail.put("message", sentence(drift));
        return detail;
    }
}
