package dev.spur.policies.elasticflow;

import dev.spur.model.job.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Admitted jobs and the plans of the last round, stored as counters. */
final class AdmissionState {
    private static final String ADMITTED = "elasticflow/admitted/";
    private static final String PLAN = "elasticflow/plan/";

    private final Map<String, Double> before;
    private final Map<String, Double> after = new HashMap<>();

    AdmissionState(Map<String, Double> before) {
        this.before = before;
    }

    /** Returns true if {@code job} was admitted, false if it was rejected; empty if it is new. */
    Optional<Boolean> wasAdmitted(Job job) {
        Double stored = before.get(ADMITTED + job.id());
        return stored == null ? Optional.empty() : Optional.of(stored > 0);
    }

    void rememberAdmission(Job job, boolean admitted) {
        after.put(ADMITTED + job.id(), admitted ? 1.0 : 0.0);
    }

    /** Returns the remainder of the last plan of {@code job} from {@code now} on. */
    List<SlotInterval> planFrom(Job job, double now) {
        List<SlotInterval> intervals = new ArrayList<>();
        for (int i = 0; before.containsKey(key(job, i, "start")); i++) {
            double start = Math.max(now, before.getOrDefault(key(job, i, "start"), now));
            double end = before.getOrDefault(key(job, i, "end"), now);
            int slots = before.getOrDefault(key(job, i, "slots"), 0.0).intValue();
            if (start < end && slots > 0) {
                intervals.add(new SlotInterval(start, end, slots));
            }
        }
        return intervals;
    }

    void rememberPlan(Job job, List<SlotInterval> intervals) {
        for (int i = 0; i < intervals.size(); i++) {
            after.put(key(job, i, "start"), intervals.get(i).start());
            after.put(key(job, i, "end"), intervals.get(i).end());
            after.put(key(job, i, "slots"), (double) intervals.get(i).slots());
        }
    }

    private static String key(Job job, int i, String what) {
        return PLAN + job.id() + "/" + i + "/" + what;
    }

    Map<String, Double> counters() {
        return after;
    }
}
