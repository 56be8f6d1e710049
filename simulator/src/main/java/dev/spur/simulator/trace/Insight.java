package dev.spur.simulator.trace;

import dev.spur.model.job.JobSpec;

/** What a policy is told of a job as the job gains experience. Without state of its own. */
public interface Insight {
    /** What is known after {@code experience}. Asked for each decision: parts that have not changed should be the same objects. */
    Belief after(Experience experience);

    /** All is known from the start, and the work left is what {@code spec} asks for less what is done. */
    static Insight complete(JobSpec spec) {
        double total = spec.totalSamples();
        return experience -> new Belief(spec, Math.max(0, total - experience.doneSamples()));
    }
}
