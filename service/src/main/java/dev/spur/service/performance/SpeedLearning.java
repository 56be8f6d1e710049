package dev.spur.service.performance;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.prediction.job.Origin;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.job.Prediction;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.online.UpdateResult;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.TypedObservation;
import dev.spur.service.store.EffectiveSpec;
import dev.spur.service.store.FamilyStore;
import dev.spur.service.store.JobLearning;
import dev.spur.service.store.LearningStore;
import dev.spur.service.store.StepMeasurement;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Learns the speeds of jobs. Each method belongs into the transaction that has locked the job. */
@Component
public class SpeedLearning {
    /** How far what owners state is believed of their family, beside what jobs of it measured. */
    private static final double STATED_WEIGHT = 0.3;
    /** Windows of a shape from which on it is well known. */
    private static final int SETTLED = 3;
    /** How far a report may be from its prediction, as a difference of logarithms, without a new fit. */
    private static final double AS_PREDICTED = 0.05;

    private static final Logger LOG = LoggerFactory.getLogger(SpeedLearning.class);

    private final LearningStore store;
    private final FamilyStore families;
    private final PredictionContext surroundings;

    SpeedLearning(LearningStore store, FamilyStore families, PredictionContext surroundings) {
        this.store = store;
        this.families = families;
        this.surroundings = surroundings;
    }

    /**
     * What a job of a family, or one that may be measured, is expected to do before it has run; empty for others: their
     * profile stands as stated.
     */
    public Optional<JobLearning> before(JobSpec spec) {
        return isPredicted(spec) ? Optional.of(predict(spec, JobLearning.nothing(asStated(spec)))) : Optional.empty();
    }

    /** The specification with which a round would plan a new job on {@code nodes}. */
    public JobSpec planned(JobSpec spec, DeadlineStatus deadlineStatus, List<Node> nodes) {
        if (!isPredicted(spec)) {
            return spec;
        }
        JobSpeedPrediction forecast =
                JobSpeedPrediction.of(spec, List.of(), surroundings.now().families(), PredictionContext.offers(nodes));
        return new EffectiveSpec(spec, forecast.predicted(), null).of(deadlineStatus);
    }

    private static boolean isPredicted(JobSpec spec) {
        return spec.family() != null || spec.profiling() != null;
    }

    /** Writes down what is expected of a new job, and lets its family know what it states. */
    public void begin(String job, JobSpec spec, JobLearning learning) {
        store.put(job, learning);
        if (spec.family() != null) {
            families.learn(
                    spec.family(),
                    spec.profile().points().stream()
                            .filter(point -> point.samplesPerSecond() > 0)
                            .map(point -> stated(spec, point))
                            .toList());
        }
    }

    /** How much a sample is worth in a larger batch: by the noise scale that the job reported, or as stated. */
    public StatisticalEfficiency efficiency(String job, JobSpec spec) {
        return store.noiseScale(job).map(StatisticalEfficiency::ofNoiseScale).orElseGet(spec::efficiency);
    }

    private static TypedObservation stated(JobSpec spec, ProfilePoint point) {
        TypedObservation measured = TypedObservation.of(
                point, spec.batch().accumulationSteps(point.batchSize(), point.acceleratorType(), point.slots()));
        StepObservation seen = measured.observation();
        return new TypedObservation(
                measured.acceleratorType(), new StepObservation(seen.shape(), seen.stepSeconds(), STATED_WEIGHT));
    }

    /**
     * Learns from a report of a running job. What follows for other shapes is left to {@link PredictionRefresher}: a
     * fit takes longer than a report may hold the job.
     *
     * @param generation of the allocation
     * @param held what it runs in
     * @return the lasting change that this report made certain; empty if there is none
     */
    public Optional<Drift> learn(
            String job, JobSpec spec, long generation, Configuration held, StepMeasurement measured) {
        Optional<JobLearning> known = store.find(job);
        JobLearning before = known.orElseGet(() -> JobLearning.nothing(asStated(spec)));
        int batch = measured.batch(held);
        int passes = spec.batch().accumulationSteps(batch, held.acceleratorType(), held.slots());
        SpeedReport report = measured.report(held, passes, generation);
        JobLearning.ExpectedStepTime expected = expected(before, generation, held, report, batch);
        UpdateResult lesson = before.learned().observe(report, expected.seconds());
        boolean taught = known.isEmpty() || lesson.drift().isPresent() || !isAsPredicted(before, report, held, batch);
        store.put(
                job,
                new JobLearning(
                        lesson.learned(),
                        before.predicted(),
                        measured.noiseScale() == null
                                ? before.noise()
                                : before.noise().and(measured.noiseScale()),
                        lesson.drift().orElse(before.drift()),
                        lesson.drift().map(drift -> expected.after(drift)).orElse(expected),
                        taught ? JobLearning.Basis.OUTDATED : before.basis()));
        return lesson.drift();
    }

    /** A shape that has been reported several times, and now again about as predicted: the fit is spared. */
    private static boolean isAsPredicted(JobLearning before, SpeedReport report, Configuration held, int batch) {
        boolean settled = before.learned().steps().stream()
                .anyMatch(step -> step.acceleratorType().equals(report.acceleratorType())
                        && step.shape().equals(report.shape())
                        && step.windows().size() >= SETTLED);
        double predicted = held.throughput(before.predicted().profile(Prediction.RiskAttitude.EVEN), batch);
        return settled && Math.abs(Math.log(batch / report.stepSeconds() / predicted)) < AS_PREDICTED;
    }

    /**
     * What reports of an allocation are held against: what was predicted when its first one came, so that a change that
     * predictions have followed since is noticed all the same. After a change was noticed it is what the change says.
     */
    private static JobLearning.ExpectedStepTime expected(
            JobLearning before, long generation, Configuration held, SpeedReport report, int batch) {
        JobLearning.ExpectedStepTime last = before.expected();
        if (last != null && last.generation() == generation && last.batch() == batch) {
            return last;
        }
        boolean assumed = before.predicted().predictions().stream().allMatch(p -> p.origin() == Origin.ASSUMED);
        double speed = held.throughput(before.predicted().profile(Prediction.RiskAttitude.EVEN), batch);
        double seconds = assumed || speed == 0 ? report.stepSeconds() : batch / speed;
        return new JobLearning.ExpectedStepTime(generation, batch, seconds);
    }

    /** What a job asks for, with the median speeds that are expected; as stated if it is planned so. */
    public JobSpec believed(String job, JobSpec spec) {
        return store.find(job)
                .map(known -> predict(spec, known))
                .map(now ->
                        spec.withSpeed(now.predicted().profile(Prediction.RiskAttitude.EVEN), efficiency(job, spec)))
                .orElse(spec);
    }

    /** Lets its family know what a job that has ended measured. */
    public void end(String job, JobSpec spec) {
        String family = spec.family();
        if (family != null) {
            store.find(job)
                    .ifPresent(learning ->
                            families.learn(family, learning.learned().observations()));
        }
    }

    /** Predicts a job anew whose specification has changed; nothing for a job that is planned as stated. */
    public void renew(String job, JobSpec spec) {
        store.find(job).ifPresent(old -> store.put(job, predict(spec, old)));
    }

    /**
     * Predicts a job anew that has taught something, or whose family or cluster has changed. Needs no transaction: a
     * report that comes meanwhile stands, and leaves the job outdated. Returns false then, or if there is nothing to
     * predict.
     */
    boolean refresh(String job, JobSpec spec) {
        Optional<LearningStore.Versioned> known = store.findVersioned(job);
        if (known.isEmpty()) {
            return false;
        }
        JobLearning now = predict(spec, known.get().learning());
        return store.replacePredictions(job, known.get().version(), now.predicted(), now.basis());
    }

    /** What is known, with new predictions. A fit that fails leaves the former ones. */
    private JobLearning predict(JobSpec spec, JobLearning before) {
        PredictionContext.PredictionInputs now = surroundings.now();
        try {
            return before.predicted(
                    JobSpeedPrediction.of(spec, before.learned().observations(), now.families(), now.offers())
                            .predicted(),
                    now.basis());
        } catch (RuntimeException failure) {
            LOG.warn("a job's speed could not be predicted anew, the former prediction stands", failure);
            return before.predicted(before.predicted(), now.basis());
        }
    }

    private static PredictedProfile asStated(JobSpec spec) {
        return new PredictedProfile(spec.profile().points().stream()
                .map(point -> new Prediction(
                        point, point.samplesPerSecond(), point.samplesPerSecond(), Origin.MEASURED, null))
                .toList());
    }
}
