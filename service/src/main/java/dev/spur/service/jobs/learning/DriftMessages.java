package dev.spur.service.jobs.learning;

import dev.spur.prediction.online.Drift;
import dev.spur.service.jobs.JobEventDetail;
import java.util.Locale;

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

    /** Returns the detail for the event of a job. */
    public static JobEventDetail.SpeedDrift detail(Drift drift) {
        return new JobEventDetail.SpeedDrift(
                drift.dimension().name(), drift.acceleratorType(), drift.factor(), message(drift));
    }
}
