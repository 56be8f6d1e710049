package dev.spur.service.jobs.learning;

import dev.spur.model.job.JobSpec;
import dev.spur.prediction.efficiency.LossHistory;
import org.springframework.stereotype.Component;

/**
 * Predicts from reported losses when jobs with a target loss will be done. Each method must run in the transaction that
 * has locked the job.
 */
@Component
public class LossLearning {
    private final LossStore store;

    LossLearning(LossStore store) {
        this.store = store;
    }

    /**
     * Learns from a reported loss.
     *
     * @param done effective samples done at the time of the report
     * @return true if the target loss is reached; false if the job has none
     */
    public boolean learn(String job, JobSpec spec, double done, double loss) {
        LossHistory losses = store.find(job).and(done, loss);
        store.put(job, losses);
        Double target = spec.work().targetLoss();
        if (target == null) {
            return false;
        }
        boolean reached = losses.hasReached(target);
        double max = spec.totalSamples();
        double expected = reached ? done : Math.min(max, losses.workTo(target).orElse(max));
        store.expect(job, Math.max(done, expected));
        return reached;
    }
}
