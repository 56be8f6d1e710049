package dev.spur.service.job;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.performance.DriftMessages;
import dev.spur.service.performance.LossLearning;
import dev.spur.service.performance.Profiler;
import dev.spur.service.performance.SpeedLearning;
import dev.spur.service.round.RoundTrigger;
import dev.spur.service.store.JobChanges;
import dev.spur.service.store.JobChanges.Report;
import dev.spur.service.store.JobState;
import dev.spur.service.store.JobStore;
import dev.spur.service.store.StepMeasurement;
import dev.spur.service.store.StoredJob;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Takes progress reports. Counters are cumulative, so a report that is lost or repeated does no harm; reports of an
 * older generation are refused, since another allocation of the job may be running by now.
 */
@Component
public class ProgressService {
    /** Sums of efficiencies are as exact as doubles are. */
    private static final double ROUNDING = 1e-9;

    private final JobStore jobs;
    private final JobChanges changes;
    private final SpeedLearning learning;
    private final LossLearning losses;
    private final Profiler profiler;
    private final JobTermination ending;
    private final TransactionTemplate transaction;
    private final RoundTrigger trigger;

    ProgressService(
            JobStore jobs,
            JobChanges changes,
            SpeedLearning learning,
            LossLearning losses,
            Profiler profiler,
            JobTermination ending,
            TransactionTemplate transaction,
            RoundTrigger trigger) {
        this.jobs = jobs;
        this.changes = changes;
        this.learning = learning;
        this.losses = losses;
        this.profiler = profiler;
        this.ending = ending;
        this.transaction = transaction;
        this.trigger = trigger;
    }

    /** What an executor is to do. */
    public enum Directive {
        /** Go on. */
        CONTINUE,
        /** Write a checkpoint and release the devices. */
        CHECKPOINT_AND_STOP
    }

    /**
     * The answer to a report.
     *
     * @param directive what to do
     * @param generation the job's generation
     * @param applied false if the report said nothing new
     * @param configuration in which the job runs
     * @param hasCommand true if executors start the job
     */
    public record Reply(
            Directive directive, long generation, boolean applied, Configuration configuration, boolean hasCommand) {}

    /**
     * Takes a report.
     *
     * @throws ProblemException 404, 409 if it is of another generation than the job's, 410 if the job has ended
     */
    public Reply take(String id, Report report) {
        return take(id, report, false);
    }

    /**
     * Takes the progress that a platform shows of its job. It may fall: the platform restarts a job from a checkpoint
     * by itself, within a generation.
     *
     * @throws ProblemException as {@link #take}
     */
    public void takeFromPlatform(String id, Report report) {
        take(id, report, true);
    }

    private Reply take(String id, Report report, boolean mayFall) {
        Result result = Objects.requireNonNull(transaction.execute(status -> {
            StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
            noteCheckpoint(job, report);
            ProblemException refusal = refusal(job, report.generation());
            return refusal == null ? new Result(apply(job, report, mayFall), null) : new Result(null, refusal);
        }));
        ProblemException refusal = result.refusal();
        if (refusal != null) {
            throw refusal;
        }
        return Objects.requireNonNull(result.reply());
    }

    /** A refusal is thrown after the transaction, so that a checkpoint is noted all the same. */
    private record Result(@Nullable Reply reply, @Nullable ProblemException refusal) {}

    /** A generation may report its last checkpoint when it has been replaced already. */
    private void noteCheckpoint(StoredJob job, Report report) {
        Double samples = report.checkpointSamples();
        if (samples != null && !job.state().hasEnded() && report.generation() <= job.generation()) {
            changes.checkpoint(job.id(), report.generation(), samples);
        }
    }

    private Reply apply(StoredJob job, Report report, boolean mayFall) {
        Allocation allocation = Objects.requireNonNull(job.allocation());
        StoredJob.JobWork work = job.work();
        if (work.reportGeneration() == report.generation() && report.seq() <= work.reportSeq()) {
            return reply(job, job.state(), allocation, false);
        }
        if (work.reportGeneration() != report.generation()) {
            changes.tellIfProgressFell(job.id(), report.generation(), report.samplesTotal());
        }
        Report counted = mayFall ? report : withoutFall(job, report);
        double done = done(job, allocation, counted);
        changes.report(job.id(), counted, done);
        learn(job, allocation, counted.measured());
        boolean reached = hasReachedItsLoss(job, counted, done);
        JobState state = moveOn(job, counted, done, reached);
        return reply(job, state, allocation, true);
    }

    /**
     * Takes what training code measured that counts no samples.
     *
     * @param measured what that is in the configuration in which the job runs; empty for nothing
     * @throws ProblemException 404, 409 if the job has another generation, 410 if it has ended
     */
    public void measured(String id, long generation, Function<Configuration, Optional<StepMeasurement>> measured) {
        transaction.executeWithoutResult(status -> {
            StoredJob job = jobs.lock(id).orElseThrow(() -> ProblemException.notFound("job", id));
            ProblemException refusal = refusal(job, generation);
            if (refusal != null) {
                throw refusal;
            }
            Allocation allocation = Objects.requireNonNull(job.allocation());
            learn(job, allocation, measured.apply(allocation.configuration()).orElse(null));
        });
    }

    private static Reply reply(StoredJob job, JobState state, Allocation allocation, boolean applied) {
        return new Reply(
                directive(job, state), job.generation(), applied, allocation.configuration(), job.command() != null);
    }

    /** Why a report of {@code generation} does not count; null for one of the allocation that the job holds. */
    private static @Nullable ProblemException refusal(StoredJob job, long generation) {
        if (job.state().hasEnded()) {
            return ProblemException.of(ProblemType.GONE, "The job is " + job.state() + ".")
                    .withStop(null);
        }
        return generation == job.generation() && job.allocation() != null
                ? null
                : ProblemException.of(
                                ProblemType.STALE_GENERATION,
                                "The job is at generation %d, the report carries %d."
                                        .formatted(job.generation(), generation))
                        .withStop(job.generation());
    }

    /**
     * The report with a count that does not fall within its generation. A program that counts from zero again keeps the
     * progress of its job, and makes none until it has passed the largest count; an event reports the first fall.
     */
    private Report withoutFall(StoredJob job, Report report) {
        double before = job.work().raw();
        if (job.work().reportGeneration() != report.generation() || report.samplesTotal() >= before) {
            return report;
        }
        changes.tellOnce(
                job.id(),
                "COUNT_FELL",
                report.generation(),
                Map.of("generation", report.generation(), "before", before, "samplesTotal", report.samplesTotal()));
        return report.withSamplesTotal(before);
    }

    /**
     * Useful samples by now: every raw sample counts with the efficiency of the batch size under which it was
     * processed. What a restart from a checkpoint loses was done under the batch size of the generation before.
     */
    private double done(StoredJob job, Allocation allocation, Report report) {
        double raw = report.samplesTotal() - job.work().raw();
        int batch = allocation.configuration().batchSize();
        long before = job.work().reportGeneration();
        if (raw < 0 && before != report.generation()) {
            Integer known = changes.batchOf(job.id(), before);
            batch = known == null ? batch : known;
        }
        JobSpec spec = job.readSpec();
        int initial = spec.batch().initial();
        double efficiency =
                batch == initial ? 1 : learning.efficiency(job.id(), spec).at(batch, initial);
        return Math.max(0, job.work().done() + raw * efficiency);
    }

    private void learn(StoredJob job, Allocation allocation, @Nullable StepMeasurement measured) {
        if (measured == null) {
            return;
        }
        JobSpec spec = job.readSpec();
        learning.learn(job.id(), spec, job.generation(), allocation.configuration(), measured)
                .ifPresent(drift -> {
                    changes.tell(job.id(), "DRIFT", DriftMessages.detail(drift));
                    trigger.changed("speed drifted");
                });
        if (spec.profiling() != null && profiler.reported(job)) {
            trigger.changed("profiling run over");
        }
    }

    private boolean hasReachedItsLoss(StoredJob job, Report report, double done) {
        Double loss = report.loss();
        // once it is done it stays so, whatever the last batches say
        return loss != null && job.state() != JobState.COMPLETING && losses.learn(job.id(), job.readSpec(), done, loss);
    }

    private JobState moveOn(StoredJob job, Report report, double done, boolean reachedItsLoss) {
        switch (report.state()) {
            case "COMPLETED" -> {
                return end(job, report, JobState.DONE);
            }
            case "FAILED" -> {
                return end(job, report, JobState.FAILED);
            }
            default -> {
                boolean reached = reachedItsLoss || done >= job.work().total() * (1 - ROUNDING);
                if (!reached || job.state() == JobState.COMPLETING) {
                    return job.state();
                }
                changes.moveTo(job.id(), JobState.COMPLETING);
                changes.tell(job.id(), "COMPLETING", Map.of("doneSamples", done));
                trigger.changed("job completing");
                return JobState.COMPLETING;
            }
        }
    }

    private JobState end(StoredJob job, Report report, JobState state) {
        String detail = report.detail();
        ending.end(job, state, detail == null ? Map.of() : Map.of("detail", detail));
        return state;
    }

    private static Directive directive(StoredJob job, JobState state) {
        boolean stop = state == JobState.COMPLETING || state.hasEnded() || job.held();
        return stop ? Directive.CHECKPOINT_AND_STOP : Directive.CONTINUE;
    }
}
