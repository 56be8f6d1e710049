package dev.spur.service.jobs.lifecycle;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.Work;
import dev.spur.service.database.RoundTrigger;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobKind;
import dev.spur.service.jobs.JobReport;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StepMeasurement;
import dev.spur.service.jobs.StoredAssignment.DesiredRunState;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Applies progress reports. Counters are cumulative, so a lost or repeated report does no harm. Reports of an older
 * generation are rejected, because another allocation of the job may already run, unless that generation trains until
 * the processes of the next one are ready.
 */
@Component
public class ProgressService {
    /** Relative tolerance of the sum of efficiencies, for rounding errors. */
    private static final double ROUNDING = 1e-9;
    /** Maximum progress of a job of unknown length. */
    private static final double MAX_PROGRESS = 0.9;

    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final AssignmentStore assignments;
    private final ReportLearning learning;
    private final JobTermination ending;
    private final RoundTrigger trigger;

    ProgressService(
            JobStore jobs,
            JobTransitionStore transitions,
            AssignmentStore assignments,
            ReportLearning learning,
            JobTermination ending,
            RoundTrigger trigger) {
        this.jobs = jobs;
        this.transitions = transitions;
        this.assignments = assignments;
        this.learning = learning;
        this.ending = ending;
        this.trigger = trigger;
    }

    /** Instruction to an executor. */
    public enum Directive {
        /** Continue. */
        CONTINUE,
        /** Write a checkpoint and release the devices. */
        CHECKPOINT_AND_STOP
    }

    /**
     * Reply to a report.
     *
     * @param directive what the executor must do
     * @param applied false if the report contained nothing new
     * @param configuration in which the job runs
     * @param hasCommand true if executors start the job
     */
    public record Reply(
            Directive directive, long generation, boolean applied, Configuration configuration, boolean hasCommand) {}

    /**
     * Applies a report.
     *
     * @throws ProblemException 404 if the job does not exist, 409 if the report has another generation than the job,
     *     410 if the job has ended
     */
    @Transactional(noRollbackFor = ProblemException.class) // keeps the checkpoint of a rejected report
    public Reply take(String id, JobReport report) {
        return take(id, report, false);
    }

    /**
     * Applies the progress that an external platform reports. It may decrease: the platform restarts a job from a
     * checkpoint by itself, within a generation.
     *
     * @throws ProblemException as {@link #take}
     */
    @Transactional(noRollbackFor = ProblemException.class) // keeps the checkpoint of a rejected report
    public void takeFromPlatform(String id, JobReport report) {
        take(id, report, true);
    }

    private Reply take(String id, JobReport report, boolean mayFall) {
        StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
        requireKind(job, JobKind.TRAINING, "/samplesTotal");
        storeFinalState(job, report);
        if (!trainsUntilTheNextIsReady(job, report.generation())) {
            requireCurrent(job, report.generation());
        }
        return apply(job, report, mayFall);
    }

    /** Returns true for an earlier generation that trains while the processes of the current one prepare. */
    private boolean trainsUntilTheNextIsReady(StoredJob job, long generation) {
        return generation < job.generation()
                && assignments.gang(job.id(), generation).stream()
                        .anyMatch(member -> member.desired() == DesiredRunState.UNTIL_NEXT_IS_READY);
    }

    /** Stores a checkpoint and the last step. A generation may report both after it was replaced. */
    private void storeFinalState(StoredJob job, JobReport report) {
        if (job.state().hasEnded() || report.generation() > job.generation()) {
            return;
        }
        if (report.checkpointSamples() != null) {
            transitions.checkpoint(job.id(), report.generation(), report.checkpointSamples());
        }
        boolean ended = report.generation() < job.generation() || !job.holdsResources();
        if (ended && report.stepTimes() != null) {
            transitions.lastStep(
                    job.id(), report.generation(), report.stepTimes().lastSecondsAgo());
        }
    }

    private Reply apply(StoredJob job, JobReport report, boolean mayFall) {
        Allocation allocation = Objects.requireNonNull(
                report.generation() == job.generation()
                        ? job.allocation()
                        : transitions.allocation(job.id(), report.generation()));
        StoredJob.JobWork work = job.work();
        if (work.reportGeneration() == report.generation() && report.seq() <= work.reportSeq()) {
            return reply(job, job.state(), allocation, false);
        }
        if (work.reportGeneration() != report.generation()) {
            transitions.addEventIfProgressFell(job.id(), report.generation(), report.samples());
        }
        JobReport counted = mayFall ? report : withoutFall(job, report);
        double done = effectiveSamples(job, allocation, counted);
        OptionalDouble restart = transitions.report(job.id(), counted, done, expectedWork(job, done));
        learning.learnStalls(job, report, restart);
        learning.learnSpeed(job, report.generation(), allocation, counted.measured());
        boolean reached = learning.hasReachedItsLoss(job, counted, done);
        JobState state = transition(job, counted, done, reached);
        return reply(job, state, allocation, true);
    }

    /**
     * Applies a measurement of training code that counts no samples.
     *
     * @param measured converts the configuration of the job to the measurement; empty for none
     * @throws ProblemException 404 if the job does not exist, 409 if it has another generation, 410 if it has ended
     */
    @Transactional
    public void applyMeasurement(
            String id, long generation, Function<Configuration, Optional<StepMeasurement>> measured) {
        StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
        requireCurrent(job, generation);
        Allocation allocation = Objects.requireNonNull(job.allocation());
        learning.learnSpeed(
                job,
                generation,
                allocation,
                measured.apply(allocation.configuration()).orElse(null));
    }

    private static Reply reply(StoredJob job, JobState state, Allocation allocation, boolean applied) {
        return new Reply(
                directive(job, state), job.generation(), applied, allocation.configuration(), job.hasCommand());
    }

    /**
     * Requires that a report is that of a job of {@code kind}.
     *
     * @param pointer member of the report that jobs of this kind have
     * @throws ProblemException 422 for a job of the other kind
     */
    public static void requireKind(StoredJob job, JobKind kind, String pointer) {
        if (job.kind() != kind) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at(
                            pointer,
                            job.kind() == JobKind.TRAINING
                                    ? "is that of a data preparation; a training job reports samplesTotal"
                                    : "is that of a training job; a data preparation reports doneSeconds"));
        }
    }

    /** Rejects a report unless {@code generation} is that of the current resources. */
    public static void requireCurrent(StoredJob job, long generation) {
        if (job.state().hasEnded()) {
            throw ProblemException.of(ProblemType.GONE, "The job is " + job.state() + ".")
                    .withStop(null);
        }
        if (generation != job.generation() || !job.holdsResources()) {
            throw ProblemException.of(
                            ProblemType.STALE_GENERATION,
                            "The job is at generation %d, the report carries %d."
                                    .formatted(job.generation(), generation))
                    .withStop(job.generation());
        }
    }

    /**
     * The report with a count that does not decrease within its generation. A program that restarts its count at zero
     * keeps the progress of its job. New progress counts only above the largest earlier count; an event reports the
     * first decrease.
     */
    private JobReport withoutFall(StoredJob job, JobReport report) {
        double before = job.work().raw();
        if (job.work().reportGeneration() != report.generation() || report.samples() >= before) {
            return report;
        }
        transitions.addEventOnce(
                job.id(),
                JobEventKind.COUNT_FELL,
                report.generation(),
                new JobEventDetail.CountFall(report.generation(), before, report.samples()));
        return report.withSamplesTotal(before);
    }

    /**
     * Effective samples done so far: each raw sample counts with the efficiency of the batch size under which it was
     * processed. Samples lost by a restart from a checkpoint are counted under the batch size of the previous
     * generation.
     */
    private double effectiveSamples(StoredJob job, Allocation allocation, JobReport report) {
        double raw = report.samples() - job.work().raw();
        StepMeasurement measured = report.measured();
        Configuration held = allocation.configuration();
        int batch = measured == null ? held.batchSize() : measured.batch(held);
        long before = job.work().reportGeneration();
        if (raw < 0 && before != report.generation()) {
            Allocation known = transitions.allocation(job.id(), before);
            batch = known == null ? batch : known.configuration().batchSize();
        }
        return Math.max(0, job.work().done() + raw * learning.efficiency(job, batch));
    }

    /**
     * The total work of a job of unknown length after {@code done} samples: at least a ninth more than it has done.
     * Null for other jobs, and while the earlier estimate stands.
     */
    private static @Nullable Double expectedWork(StoredJob job, double done) {
        Work work = job.trainingSpec().work();
        boolean grows = work.estimated()
                && work.targetLoss() == null
                && done >= MAX_PROGRESS * job.work().estimate();
        return grows ? (Double) (done / MAX_PROGRESS) : null;
    }

    private static boolean hasReachedItsWork(StoredJob job, double done) {
        return done >= job.work().total() * (1 - ROUNDING)
                && !job.trainingSpec().work().estimated();
    }

    private JobState transition(StoredJob job, JobReport report, double done, boolean reachedItsLoss) {
        switch (report.state()) {
            case "COMPLETED" -> {
                return end(job, report, JobState.DONE);
            }
            case "FAILED" -> {
                return end(job, report, JobState.FAILED);
            }
            default -> {
                boolean reached = reachedItsLoss || hasReachedItsWork(job, done);
                if (!reached || job.state() == JobState.COMPLETING) {
                    return job.state();
                }
                transitions.moveTo(job.id(), JobState.COMPLETING);
                transitions.addEvent(job.id(), JobEventKind.COMPLETING, new JobEventDetail.Completion(done));
                trigger.requestRound("job completing");
                return JobState.COMPLETING;
            }
        }
    }

    private JobState end(StoredJob job, JobReport report, JobState state) {
        ending.end(job, state, JobEventDetail.Interruption.ofReport(null, report.detail()));
        return state;
    }

    private static Directive directive(StoredJob job, JobState state) {
        boolean stop = state == JobState.COMPLETING || state.hasEnded() || job.held();
        return stop ? Directive.CHECKPOINT_AND_STOP : Directive.CONTINUE;
    }
}
