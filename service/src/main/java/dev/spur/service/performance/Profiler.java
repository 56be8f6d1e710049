package dev.spur.service.performance;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.LearnedStep;
import dev.spur.prediction.plan.ProfilingRun;
import dev.spur.prediction.speed.StepShape;
import dev.spur.service.store.DatabaseTime;
import dev.spur.service.store.JobChanges;
import dev.spur.service.store.JobLearning;
import dev.spur.service.store.JobProfiling;
import dev.spur.service.store.JobProfiling.End;
import dev.spur.service.store.JobStore;
import dev.spur.service.store.LearningStore;
import dev.spur.service.store.ProfilingStore;
import dev.spur.service.store.StoredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Has jobs measured whose owners allow it, one shape after the other: chooses the next one before a round, and ends a
 * run when its speed is known, when it has waited or run for too long without, or when the budget is used up. What is
 * wanted is a wish: {@link dev.spur.model.utility.Worth} makes it good for the job to run so, and a round gives it that
 * as it gives other shapes.
 */
@Component
public class Profiler {
    private static final Logger LOG = LoggerFactory.getLogger(Profiler.class);
    private static final int MOST = 100;
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** After so long a shape is given up that others leave no room for. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    /** A run may take so many times what it was expected to, reports being as rare as they are. */
    private static final double OVERRUN = 3;

    private final ProfilingStore store;
    private final LearningStore learning;
    private final JobStore jobs;
    private final JobChanges changes;
    private final PredictionContext surroundings;
    private final TransactionTemplate transaction;
    private final DatabaseTime time;

    Profiler(
            ProfilingStore store,
            LearningStore learning,
            JobStore jobs,
            JobChanges changes,
            PredictionContext surroundings,
            TransactionTemplate transaction,
            DatabaseTime time) {
        this.store = store;
        this.learning = learning;
        this.jobs = jobs;
        this.changes = changes;
        this.surroundings = surroundings;
        this.transaction = transaction;
        this.time = time;
    }

    /**
     * Brings the measuring of jobs up to date before a round. Those that are left take their turn before the next ones.
     * Returns how many were looked at.
     */
    public int beforeRound() {
        int looked = 0;
        long end = System.nanoTime() + MOST_NANOS;
        for (String job : store.open(MOST)) {
            if (System.nanoTime() > end) {
                break;
            }
            bringUpToDate(job);
            looked++;
        }
        return looked;
    }

    /** A job that cannot be measured must not cost others the round. */
    private void bringUpToDate(String job) {
        try {
            transaction.executeWithoutResult(status -> jobs.lock(job).ifPresent(this::look));
            choose(job);
        } catch (RuntimeException failure) {
            LOG.warn("what is to be measured of job {} stays as it is", job, failure);
        }
    }

    /**
     * Ends the run of a job, in the transaction that has locked it, if a report has told its speed.
     *
     * @return true if it was ended
     */
    public boolean reported(StoredJob job) {
        Optional<JobProfiling> measuring = store.find(job.id());
        return measuring.isPresent() && isMeasured(job, measuring.get()) && end(job, measuring.get(), End.MEASURED);
    }

    private void look(StoredJob job) {
        JobProfiling before = store.find(job.id()).orElseThrow();
        ProfilingTarget profilingTarget = before.profilingTarget();
        Instant wanted = before.wantedAt();
        if (profilingTarget == null || wanted == null) {
            return;
        }
        Allocation held = job.allocation();
        if (held == null || !profilingTarget.matches(held.configuration())) {
            if (Duration.between(wanted, time.now()).compareTo(PATIENCE) > 0) {
                end(job, before, End.NOT_PLACED);
            }
            return;
        }
        if (isMeasured(job, before)) {
            end(job, before, End.MEASURED);
            return;
        }
        store.count(job.id(), profilingTarget.slots());
        JobProfiling now = store.find(job.id()).orElseThrow();
        double ran = time.now().toEpochMilli() / 1000.0 - held.since();
        if (now.left() <= 0) {
            end(job, now, End.OUT_OF_BUDGET);
        } else if (ran > Math.max((double) PATIENCE.toSeconds(), OVERRUN * before.cost() / profilingTarget.slots())) {
            end(job, now, End.NOT_REPORTED);
        }
    }

    private boolean end(StoredJob job, JobProfiling before, End end) {
        ProfilingTarget profilingTarget = before.profilingTarget();
        Allocation held = job.allocation();
        if (profilingTarget == null) {
            return false;
        }
        if (end == End.MEASURED && held != null && profilingTarget.matches(held.configuration())) {
            store.count(job.id(), profilingTarget.slots());
        }
        store.close(job.id(), before, end);
        changes.tell(job.id(), "PROFILED", Map.of("profiling_target", profilingTarget, "end", end.name()));
        return true;
    }

    /** True if a warm window of the shape is known that is to be measured. */
    private boolean isMeasured(StoredJob job, JobProfiling measuring) {
        ProfilingTarget profilingTarget = measuring.profilingTarget();
        return profilingTarget != null
                && learning.find(job.id())
                        .map(JobLearning::learned)
                        .map(LearnedSpeed::steps)
                        .filter(steps -> steps.stream().anyMatch(step -> isOf(step, profilingTarget)))
                        .isPresent();
    }

    private static boolean isOf(LearnedStep step, ProfilingTarget profilingTarget) {
        StepShape shape = step.shape();
        Integer batch = profilingTarget.batchSize();
        return !step.cold()
                && step.acceleratorType().equals(profilingTarget.acceleratorType())
                && shape.slots() == profilingTarget.slots()
                && shape.nodes() == profilingTarget.nodes()
                && shape.strategy() == profilingTarget.strategy()
                && shape.aggregationSlots() == profilingTarget.aggregationSlots()
                && (batch == null || batch == Math.round(shape.batchSize()));
    }

    /** A fit takes longer than reports may be held up, so the job is not locked while it is made. */
    private void choose(String id) {
        StoredJob job = jobs.find(id).orElse(null);
        JobProfiling before = store.find(id).orElse(null);
        if (job == null
                || job.state().hasEnded()
                || before == null
                || before.profilingTarget() != null
                || before.done()) {
            return;
        }
        JobSpec stated = job.readSpec();
        JobSpec spec = learning.noiseScale(id)
                .map(noise -> stated.withSpeed(stated.profile(), StatisticalEfficiency.ofNoiseScale(noise)))
                .orElse(stated);
        PredictionContext.PredictionInputs now = surroundings.now();
        LearnedSpeed learned = learning.find(id).map(JobLearning::learned).orElse(LearnedSpeed.NOTHING);
        JobSpeedPrediction forecast = JobSpeedPrediction.of(spec, learned.observations(), now.families(), now.offers());
        Optional<ProfilingRun> next = forecast.nextRun(
                before.left(),
                before.over().stream()
                        .map(JobProfiling.FinishedRun::profilingTarget)
                        .toList());
        transaction.executeWithoutResult(status -> jobs.lock(id).ifPresent(locked -> {
            if (next.isPresent()) {
                store.want(id, profilingTarget(next.get()), next.get().slotSeconds());
            } else {
                store.finish(id);
            }
        }));
    }

    private static ProfilingTarget profilingTarget(ProfilingRun run) {
        StepShape shape = run.shape();
        return new ProfilingTarget(
                run.acceleratorType(), shape.slots(), shape.nodes(), shape.strategy(), shape.aggregationSlots(), (int)
                        Math.round(shape.batchSize()));
    }
}
