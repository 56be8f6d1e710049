package dev.spur.service.jobs.lifecycle;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.JobSpec;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.MeasuredChange;
import dev.spur.service.jobs.StepMeasurement;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.DriftMessages;
import dev.spur.service.jobs.learning.LossLearning;
import dev.spur.service.jobs.learning.Profiler;
import dev.spur.service.jobs.learning.SpeedHistoryStore;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.jobs.learning.StallLearning;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Learns speeds, stalls and losses from progress reports, within the transaction that stores the report. */
@Component
class ReportLearning {
    private final AssignmentStore assignments;
    private final JobTransitionStore transitions;
    private final SpeedLearning speeds;
    private final SpeedHistoryStore history;
    private final StallLearning stalls;
    private final LossLearning losses;
    private final Profiler profiler;
    private final RoundTrigger trigger;

    ReportLearning(
            AssignmentStore assignments,
            JobTransitionStore transitions,
            SpeedLearning speeds,
            SpeedHistoryStore history,
            StallLearning stalls,
            LossLearning losses,
            Profiler profiler,
            RoundTrigger trigger) {
        this.assignments = assignments;
        this.transitions = transitions;
        this.speeds = speeds;
        this.history = history;
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
        JobSpec spec = job.trainingSpec();
        if (spec.rescales() && ranksChange(job, generation)) {
            return; // the steps were made in the previous shape
        }
        Configuration held = allocation.configuration();
        history.add(job.id(), generation, held.slots(), measured.batch(held) / measured.seconds(held));
        speeds.learn(job.id(), spec, generation, held, measured).ifPresent(drift -> {
            transitions.addEvent(job.id(), JobEventKind.DRIFT, DriftMessages.detail(drift));
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
     * Learns the stalls of the changes that a report measured. A change of the ranks or a move that no plan ordered,
     * and a stall longer than the generation, are ignored.
     *
     * @param restart stall of the last restart in seconds, if it is known
     */
    void learnStalls(StoredJob job, JobReport report, OptionalDouble restart) {
        stalls.learn(
                job.id(),
                job.trainingSpec(),
                report.generation(),
                report.changes(),
                changes -> changesByPlans(job, report, changes),
                restart);
    }

    /** Returns those of {@code changes} that plans ordered. Where other platforms run the training, all count. */
    private List<MeasuredChange> changesByPlans(StoredJob job, JobReport report, List<MeasuredChange> changes) {
        return assignments
                .orderedChanges(job.id(), report.generation())
                .map(ordered -> changes.stream()
                        .filter(change -> change.stallSeconds() <= ordered.ageSeconds())
                        .filter(change -> switch (change.kind()) {
                            case RESCALE -> rescalesUpTo(change, report) <= ordered.rescales();
                            case MIGRATE -> ordered.migrates();
                            default -> true;
                        })
                        .toList())
                .orElse(changes);
    }

    private static long rescalesUpTo(MeasuredChange last, JobReport report) {
        return report.changes().stream()
                .filter(change -> change.kind() == ChangeMechanism.RESCALE && change.number() <= last.number())
                .count();
    }

    /** Learns the loss of a report, and returns true if the job has reached its target. */
    boolean hasReachedItsLoss(StoredJob job, JobReport report, double done) {
        Double loss = report.loss();
        // a job that has reached its loss stays complete, whatever the loss of later batches
        return loss != null
                && job.state() != JobState.COMPLETING
                && losses.learn(job.id(), job.trainingSpec(), done, loss);
    }

    /** Returns the statistical efficiency of a batch size, relative to the initial one. */
    double efficiency(StoredJob job, int batch) {
        JobSpec spec = job.trainingSpec();
        int initial = spec.batch().initial();
        return batch == initial ? 1 : speeds.efficiency(job.id(), spec).at(batch, initial);
    }
}
