package dev.spur.service.job.lifecycle;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.service.assignment.AssignmentStore;
import dev.spur.service.job.JobChanges;
import dev.spur.service.job.JobReport;
import dev.spur.service.job.JobState;
import dev.spur.service.job.StepMeasurement;
import dev.spur.service.job.StoredJob;
import dev.spur.service.performance.DriftMessages;
import dev.spur.service.performance.LossLearning;
import dev.spur.service.performance.Profiler;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.performance.StallLearning;
import dev.spur.service.trigger.RoundTrigger;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Learns speeds, stalls and losses from progress reports, within the transaction that stores the report. */
@Component
class ReportLearning {
    private final AssignmentStore assignments;
    private final JobChanges changes;
    private final SpeedLearning speeds;
    private final StallLearning stalls;
    private final LossLearning losses;
    private final Profiler profiler;
    private final RoundTrigger trigger;

    ReportLearning(
            AssignmentStore assignments,
            JobChanges changes,
            SpeedLearning speeds,
            StallLearning stalls,
            LossLearning losses,
            Profiler profiler,
            RoundTrigger trigger) {
        this.assignments = assignments;
        this.changes = changes;
        this.speeds = speeds;
        this.stalls = stalls;
        this.losses = losses;
        this.profiler = profiler;
        this.trigger = trigger;
    }

    /**
     * Learns the speed of the job in {@code allocation}. Does nothing without a measurement, for a measurement of
     * another configuration, and while ranks join or leave.
     */
    void learnSpeed(StoredJob job, long generation, Allocation allocation, @Nullable StepMeasurement measured) {
        if (measured == null || !measured.isOf(allocation.configuration())) {
            return;
        }
        JobSpec spec = job.readSpec();
        if (spec.rescales() && ranksChange(job, generation)) {
            return; // the steps were made in the previous shape
        }
        speeds.learn(job.id(), spec, generation, allocation.configuration(), measured)
                .ifPresent(drift -> {
                    changes.addEvent(job.id(), "DRIFT", DriftMessages.detail(drift));
                    trigger.requestRound("job speed drifted");
                });
        if (generation == job.generation() && spec.profiling() != null && profiler.completeRun(job)) {
            trigger.requestRound("profiling run ended");
        }
    }

    /** Returns true if the training of a generation has not adopted the last change of its ranks. */
    private boolean ranksChange(StoredJob job, long generation) {
        return assignments.gang(job.id(), generation).stream()
                .anyMatch(member -> member.nodeRank() == 0 && member.isRescaling());
    }

    /**
     * Learns the stalls of the changes that a report measured.
     *
     * @param restart stall of the last restart in seconds, if it is known
     */
    void learnStalls(StoredJob job, JobReport report, OptionalDouble restart) {
        stalls.learn(job.id(), job.readSpec(), report.generation(), report.changes(), restart);
    }

    /** Learns the loss of a report, and returns true if the job has reached its target. */
    boolean hasReachedItsLoss(StoredJob job, JobReport report, double done) {
        Double loss = report.loss();
        // a job that has reached its loss stays complete, whatever the loss of later batches
        return loss != null && job.state() != JobState.COMPLETING && losses.learn(job.id(), job.readSpec(), done, loss);
    }

    /** Returns the statistical efficiency of a batch size, relative to the initial one. */
    double efficiency(StoredJob job, int batch) {
        JobSpec spec = job.readSpec();
        int initial = spec.batch().initial();
        return batch == initial ? 1 : speeds.efficiency(job.id(), spec).at(batch, initial);
    }
}
