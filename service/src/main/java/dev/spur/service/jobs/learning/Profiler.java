package dev.spur.service.jobs.learning;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.LearnedStep;
import dev.spur.prediction.plan.ProfilingRun;
import dev.spur.prediction.speed.StepShape;
import dev.spur.service.database.DatabaseTime;
import dev.spur.service.jobs.JobEventDetail;
import dev.spur.service.jobs.JobEventKind;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.JobTransitionStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.JobProfiling.End;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs profiling for jobs whose owners allow it, one configuration after the other. Before a round it selects the next
 * configuration. It ends a profiling run in these cases: the speed is known, the run has waited or run for too long
 * without a result, or the budget is spent.
 *
 * <p>The selected configuration is not reserved. {@link dev.spur.model.utility.Utility} increases the utility of the
 * job in that configuration, and a round assigns it as it assigns any other.
 */
@Component
public class Profiler {
    private static final Logger LOG = LoggerFactory.getLogger(Profiler.class);
    private static final int MAX = 100;
    private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** Time after which the profiler skips a configuration for which there is no capacity. */
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);
    /** Maximum duration of a run, as a multiple of the predicted one, because reports can be rare. */
    private static final double OVERRUN = 3;

    private final ProfilingStore store;
    private final LearningStore learning;
    private final StallLearning stalls;
    private final JobStore jobs;
    private final JobTransitionStore transitions;
    private final PredictionContext context;
    /** One transaction per job: a failure must not affect the other jobs. */
    private final TransactionTemplate transaction;

    private final DatabaseTime time;

    Profiler(
            ProfilingStore store,
            LearningStore learning,
            StallLearning stalls,
            JobStore jobs,
            JobTransitionStore transitions,
            PredictionContext context,
            TransactionTemplate transaction,
            DatabaseTime time) {
        this.store = store;
        this.learning = learning;
        this.stalls = stalls;
        this.jobs = jobs;
        this.transitions = transitions;
        this.context = context;
        this.transaction = transaction;
        this.time = time;
    }

    /**
     * Updates the profiling of jobs before a round. The remaining jobs come first before the next round. Returns the
     * number of checked jobs.
     */
    public int beforeRound() {
        int checked = 0;
        long end = System.nanoTime() + MAX_NANOS;
        for (String job : store.open(MAX)) {
            if (System.nanoTime() > end) {
                break;
            }
            bringUpToDate(job);
            checked++;
        }
        return checked;
    }

    /** Updates one job. A failure is logged, so that it does not prevent the round of the other jobs. */
    private void bringUpToDate(String job) {
        try {
            transaction.executeWithoutResult(status -> jobs.lock(job).ifPresent(this::look));
            choose(job);
        } catch (RuntimeException failure) {
            LOG.warn("cannot update the profiling of job {}, its state is unchanged", job, failure);
        }
    }

    /**
     * Ends the run of a job if a report has determined its speed. Must run in the transaction that has locked the job.
     *
     * @return true if the run was ended
     */
    public boolean completeRun(StoredJob job) {
        Optional<JobProfiling> measuring = store.find(job.id());
        return measuring.isPresent() && isMeasured(job, measuring.get()) && end(job, measuring.get(), End.MEASURED);
    }

    private void look(StoredJob job) {
        JobProfiling before = store.find(job.id()).orElseThrow();
        ProfilingTarget profilingTarget = before.profilingTarget();
        Instant since = before.requestedAt();
        if (profilingTarget == null || since == null) {
            return;
        }
        Allocation held = job.allocation();
        if (held == null || !profilingTarget.matches(held.configuration())) {
            if (Duration.between(since, time.now()).compareTo(MAX_DELAY) > 0) {
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
        if (now.remainingBudget() <= 0) {
            end(job, now, End.OUT_OF_BUDGET);
        } else if (ran > Math.max((double) MAX_DELAY.toSeconds(), OVERRUN * before.cost() / profilingTarget.slots())) {
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
        transitions.addEvent(
                job.id(), JobEventKind.PROFILED, new JobEventDetail.ProfilingRun(profilingTarget, end.name()));
        return true;
    }

    /** Returns true if a warm window of the profiled configuration was reported. */
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

    /**
     * Selects the next configuration. A fit takes longer than reports may be blocked, so the job is not locked during
     * the fit.
     */
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
        JobSpec stated = stalls.effective(id, job.trainingSpec());
        JobSpec spec = learning.noiseScale(id)
                .map(noise -> stated.withSpeed(stated.profile(), StatisticalEfficiency.ofNoiseScale(noise)))
                .orElse(stated);
        PredictionContext.PredictionInputs now = context.now();
        LearnedSpeed learned = learning.find(id).map(JobLearning::learned).orElse(LearnedSpeed.NOTHING);
        JobSpeedPrediction forecast = JobSpeedPrediction.of(spec, learned.observations(), now.families(), now.offers());
        Optional<ProfilingRun> next = forecast.nextRun(
                before.remainingBudget(),
                before.over().stream()
                        .map(JobProfiling.FinishedRun::profilingTarget)
                        .toList());
        transaction.executeWithoutResult(status -> jobs.lock(id).ifPresent(locked -> {
            if (next.isPresent()) {
                store.requestRun(id, profilingTarget(next.get()), next.get().slotSeconds());
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
