package dev.spur.service.jobs.learning;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.job.TypeOffer;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.online.UpdateResult;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.service.jobs.EffectiveSpec;
import dev.spur.service.jobs.StepMeasurement;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Learns the speeds of jobs. Each method must run in the transaction that has locked the job, unless it states
 * otherwise.
 */
@Component
public class SpeedLearning {
    /** Weight of speeds that owners state for a family, relative to measurements of its jobs. */
    private static final double STATED_WEIGHT = 0.3;
    /** Number of measured windows from which on the speed in a configuration is well known. */
    private static final int KNOWN_WINDOWS = 3;
    /** Maximum deviation of a report from its prediction that needs no new fit, as a difference of logarithms. */
    private static final double AS_PREDICTED = 0.05;

    private static final Logger LOG = LoggerFactory.getLogger(SpeedLearning.class);

    private final LearningStore store;
    private final FamilyStore families;
    private final StallLearning stalls;
    private final PredictionContext context;

    SpeedLearning(LearningStore store, FamilyStore families, StallLearning stalls, PredictionContext context) {
        this.store = store;
        this.families = families;
        this.stalls = stalls;
        this.context = context;
    }

    /**
     * Returns the prediction for a job before its first run, if it has a family or may be profiled. Returns empty for
     * other jobs, which are planned with their stated profile.
     */
    public Optional<JobLearning> before(JobSpec spec) {
        return isPredicted(spec) ? Optional.of(predict(spec, JobLearning.nothing(asStated(spec)))) : Optional.empty();
    }

    /** Returns the specification with which a round would plan a new job on {@code nodes}. */
    public JobSpec plannedSpec(JobSpec spec, DeadlineStatus deadlineStatus, List<Node> nodes) {
        JobSpec stalling = stalls.effective(spec);
        return isPredicted(spec)
                ? plannedSpec(stalling, deadlineStatus, context.now().families(), PredictionContext.offers(nodes))
                : stalling;
    }

    /** Returns the specification with the speeds that a round plans with before the first report of the job. */
    static JobSpec plannedSpec(JobSpec spec, DeadlineStatus deadlineStatus, Families families, List<TypeOffer> offers) {
        JobSpeedPrediction forecast = JobSpeedPrediction.of(spec, List.of(), families, offers);
        return new EffectiveSpec(spec, forecast.profile(), null).of(deadlineStatus);
    }

    private static boolean isPredicted(JobSpec spec) {
        return spec.family() != null || spec.profiling() != null;
    }

    /** Returns false for a job with a share of a device, whose speeds are not those of its family. */
    private static boolean isOnWholeDevices(JobSpec spec) {
        return spec.elasticity().deviceShare() == null;
    }

    /** Stores the prediction for a new job, and adds its stated speeds to its family. */
    public void begin(String job, JobSpec spec, JobLearning learning) {
        store.put(job, learning);
        if (spec.family() != null && isOnWholeDevices(spec)) {
            families.learn(
                    spec.family(),
                    spec.profile().points().stream()
                            .filter(point -> point.samplesPerSecond() > 0)
                            .map(point -> toObservation(spec, point))
                            .toList());
        }
    }

    /** Stores the prediction for a new job also for the other jobs of its array. */
    public void copy(String job, String array) {
        store.copy(job, array);
    }

    /**
     * Returns the statistical efficiency of a larger batch, by the gradient noise scale that the job reported, or as
     * stated.
     */
    public StatisticalEfficiency efficiency(String job, JobSpec spec) {
        return store.noiseScale(job).map(StatisticalEfficiency::ofNoiseScale).orElseGet(spec::efficiency);
    }

    private static TypedObservation toObservation(JobSpec spec, ProfilePoint point) {
        TypedObservation measured = TypedObservation.of(
                point, spec.batch().accumulationSteps(point.batchSize(), point.acceleratorType(), point.slots()));
        StepObservation seen = measured.observation();
        return new TypedObservation(
                measured.acceleratorType(), new StepObservation(seen.shape(), seen.stepSeconds(), STATED_WEIGHT));
    }

    /**
     * Learns from a report of a running job. {@link PredictionRefresher} updates the predictions for other
     * configurations, because a fit takes longer than a report may lock the job.
     *
     * <p>A measured time counts as that with the stated host resources within one domain of the topology, by the stated
     * speeds of the granted level and of crossings. At a level that the job no longer states, nothing is learned.
     *
     * @param generation generation of the allocation
     * @param held its configuration
     * @return the lasting change that this report confirmed; empty if there is none
     */
    public Optional<Drift> learn(
            String job, JobSpec spec, long generation, Configuration held, StepMeasurement measured) {
        Optional<JobLearning> known = store.find(job);
        double speed = spec.hostSpeed(held) * spec.crossingSpeed(held);
        if (speed == 0) {
            return Optional.empty();
        }
        JobLearning before = known.orElseGet(() -> JobLearning.nothing(asStated(spec)));
        int batch = measured.batch(held);
        int passes = spec.batch().accumulationSteps(batch, held.acceleratorType(), held.slots());
        SpeedReport report = measured.report(held, passes, speed, generation);
        JobLearning.ExpectedStepTime expected = before.expectedIn(generation, held, report, batch);
        UpdateResult update = before.learned().observe(report, expected == null ? null : expected.seconds());
        boolean changesPrediction =
                known.isEmpty() || update.drift().isPresent() || !isAsPredicted(before, report, held, batch);
        store.put(
                job,
                new JobLearning(
                        update.learned(),
                        before.predicted(),
                        measured.noiseScale() == null
                                ? before.noise()
                                : before.noise().and(measured.noiseScale()),
                        update.drift().orElse(before.drift()),
                        update.drift().isPresent() ? null : expected,
                        changesPrediction ? JobLearning.Basis.OUTDATED : before.basis()));
        if (spec.family() != null && isOnWholeDevices(spec)) {
            families.learn(
                    spec.family(), update.learned().firstWindow(report).stream().toList());
        }
        return update.drift();
    }

    /**
     * Returns true if the configuration was reported several times and this report is close to the prediction. In this
     * case no fit is necessary.
     */
    private static boolean isAsPredicted(JobLearning before, SpeedReport report, Configuration held, int batch) {
        boolean known = before.learned().steps().stream()
                .anyMatch(step -> step.acceleratorType().equals(report.acceleratorType())
                        && step.shape().equals(report.shape())
                        && step.windows().size() >= KNOWN_WINDOWS);
        double predicted = held.throughput(before.predicted().profile(Prediction.RiskAttitude.EVEN), batch);
        return known && Math.abs(Math.log(batch / report.stepSeconds() / predicted)) < AS_PREDICTED;
    }

    /**
     * Returns the specification with estimated stalls, and with predicted median speeds unless the job is planned with
     * its stated profile.
     */
    public JobSpec withPredictions(String job, JobSpec spec) {
        JobSpec stalling = stalls.effective(job, spec);
        return store.find(job)
                .map(known -> predict(spec, known))
                .map(now -> stalling.withSpeed(
                        now.predicted().profile(Prediction.RiskAttitude.EVEN), efficiency(job, spec)))
                .orElse(stalling);
    }

    /** Adds the medians of all measurements of ended jobs to their families. */
    public void end(Collection<String> jobs) {
        store.observations(jobs).forEach(families::learn);
    }

    /**
     * Predicts a job again after a change of its specification; does nothing if the job is planned with its stated
     * profile.
     */
    public void renew(String job, JobSpec spec) {
        store.find(job).ifPresent(old -> store.put(job, predict(spec, old)));
    }

    /**
     * Predicts a job again that has reported measurements, or whose family or cluster has changed.
     *
     * <p>Requires no transaction: a concurrent report is kept, and leaves the job outdated. Returns false in this case,
     * or if there is nothing to predict.
     */
    boolean refresh(String job, JobSpec spec) {
        Optional<LearningStore.Versioned> known = store.findVersioned(job);
        if (known.isEmpty()) {
            return false;
        }
        JobLearning now = predict(spec, known.get().learning());
        return store.replacePredictions(job, known.get().version(), now.predicted(), now.basis());
    }

    /** Returns the learned state with new predictions. If a fit fails, the former predictions are kept. */
    private JobLearning predict(JobSpec spec, JobLearning before) {
        PredictionContext.PredictionInputs now = context.now();
        try {
            return before.withPredictions(
                    JobSpeedPrediction.of(spec, before.learned().observations(), now.families(), now.offers())
                            .profile(),
                    now.basis(spec.family()));
        } catch (RuntimeException failure) {
            LOG.warn("cannot predict the speed of a job, the former prediction is kept", failure);
            return before.withPredictions(before.predicted(), now.basis(spec.family()));
        }
    }

    private static PredictedProfile asStated(JobSpec spec) {
        return new PredictedProfile(spec.profile().points().stream()
                .map(point -> new Prediction(
                        point, point.samplesPerSecond(), point.samplesPerSecond(), Origin.MEASURED, null))
                .toList());
    }
}
