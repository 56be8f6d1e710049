package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;

/**
 * View of a job whose stated work is an estimate. The job ends by its ground truth, before or after the estimate. The
 * speeds are those of the specification.
 *
 * <p>A job that has done nine tenths of the expected work or more is expected to do a ninth more than it has done, as
 * in the service. So a job beyond its estimate always has remaining work, and it continues to run.
 *
 * @param spec specification with the estimated work, which is marked as an estimate
 */
public record EstimatedWork(JobSpec spec) implements PolicyViewModel {
    /** Maximum fraction of the expected work that a running job has done. */
    private static final double MAX_PROGRESS = 0.9;

    public EstimatedWork {
        Checks.require(spec.work().estimated(), "the work (%s) must be marked as an estimate", spec.work());
    }

    /**
     * Returns the view of a job whose work is unknown.
     *
     * @param trueSpec true specification
     * @param factor estimated work divided by the true work, above 0
     */
    public static EstimatedWork of(JobSpec trueSpec, double factor) {
        Checks.positive("factor", factor);
        Work work = trueSpec.work();
        Work estimate = new Work(work.unit(), factor * work.amount(), work.samplesPerEpoch(), work.targetLoss(), true);
        return new EstimatedWork(trueSpec.edit().work(estimate).build());
    }

    @Override
    public PolicyView after(RunHistory history) {
        double done = history.doneSamples();
        double expected = Math.max(spec.totalSamples(), done / MAX_PROGRESS);
        return new PolicyView(spec, expected - done);
    }
}
