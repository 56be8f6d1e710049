package dev.spur.service.questions;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.utility.Goodput;
import dev.spur.prediction.efficiency.LossHistory;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.service.jobs.JobState;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.JobLearning;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.service.jobs.learning.LearningStore;
import dev.spur.service.jobs.learning.LossStore;
import dev.spur.service.jobs.learning.PredictionContext;
import dev.spur.service.jobs.learning.ProfilingStore;
import dev.spur.service.jobs.learning.StallLearning;
import dev.spur.service.questions.PredictionView.Course;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.solver.recommend.NodeCatalog;
import dev.spur.solver.recommend.Option;
import dev.spur.solver.recommend.Recommendation;
import dev.spur.solver.recommend.RecommendationGoal;
import dev.spur.solver.recommend.Recommender;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Returns the predicted speed and the ETA of a job. */
@RestController
class PredictionController {
    private final JobStore jobs;
    private final LearningStore learning;
    private final LossStore losses;
    private final ProfilingStore profiling;
    private final StallLearning stalls;
    private final PredictionContext context;
    private final EtaFeed estimates;
    private final OnDemandSolver solves;
    private final Clock clock = Clock.systemUTC();

    PredictionController(
            JobStore jobs,
            LearningStore learning,
            LossStore losses,
            ProfilingStore profiling,
            StallLearning stalls,
            PredictionContext context,
            EtaFeed estimates,
            OnDemandSolver solves) {
        this.jobs = jobs;
        this.learning = learning;
        this.losses = losses;
        this.profiling = profiling;
        this.stalls = stalls;
        this.context = context;
        this.estimates = estimates;
        this.solves = solves;
    }

    @GetMapping("/api/v1/jobs/{id}/prediction")
    DeferredResult<PredictionView> predict(@PathVariable String id) {
        StoredJob job = jobs.find(id).orElseThrow(() -> ProblemException.notFound("job", id));
        Optional<JobLearning> known = learning.find(id);
        LossHistory history = losses.find(id);
        PredictionContext.PredictionInputs inputs = context.now();
        NodeCatalog catalog = context.catalog();
        return solves.solve(() -> view(job, known.orElse(null), history, inputs, catalog));
    }

    private PredictionView view(
            StoredJob job,
            @Nullable JobLearning known,
            LossHistory history,
            PredictionContext.PredictionInputs inputs,
            NodeCatalog catalog) {
        JobSpec stated = stalls.effective(job.id(), job.trainingSpec());
        LearnedSpeed learned = known == null ? LearnedSpeed.NOTHING : known.learned();
        JobSpeedPrediction forecast =
                JobSpeedPrediction.of(stated, learned.observations(), inputs.families(), inputs.offers());
        Double noise = known == null || known.noise().reports() == 0
                ? null
                : known.noise().samples();
        JobSpec predicted = stated.withSpeed(
                forecast.spec(RiskAttitude.EVEN).profile(),
                noise == null ? stated.efficiency() : StatisticalEfficiency.ofNoiseScale(noise));
        Instant now = clock.instant();
        return new PredictionView(
                job.id(),
                stated.family(),
                known != null,
                learned.reports(),
                noise,
                PredictionView.Loss.of(history, stated.work().targetLoss()),
                stalls.of(job.id(), job.trainingSpec()),
                profiling.find(job.id()).map(PredictionView.Measuring::of).orElse(null),
                known == null ? null : known.drift(),
                job.work().remaining(),
                forecast.profile().predictions().stream()
                        .map(PredictionView.Point::of)
                        .toList(),
                job.state().hasEnded() || predicted.profile().isAssumed()
                        ? null
                        : isolatedCourse(job, predicted, forecast, catalog, now),
                predicted.profile().isAssumed() ? null : plannedCourse(job, predicted, forecast, now),
                etaOf(job));
    }

    private static @Nullable Course isolatedCourse(
            StoredJob job, JobSpec predicted, JobSpeedPrediction forecast, NodeCatalog catalog, Instant now) {
        return Recommendation.of(
                        Recommender.options(predicted, job.work().remaining(), catalog, forecast),
                        RecommendationGoal.fastest())
                .map(found -> Course.of(found.chosen(), now))
                .orElse(null);
    }

    private static @Nullable Course plannedCourse(
            StoredJob job, JobSpec predicted, JobSpeedPrediction forecast, Instant now) {
        Allocation held = job.allocation();
        double goodput = held == null ? 0 : Goodput.of(predicted, held.configuration());
        if (held == null || goodput <= 0) {
            return null;
        }
        double since = now.toEpochMilli() / 1000.0 - held.since();
        double starting = Math.max(0, predicted.restartPenaltySeconds() - since);
        return Course.of(
                new Option(
                        held.configuration(),
                        goodput,
                        forecast.of(held.configuration()),
                        starting,
                        job.work().remaining() / goodput,
                        0),
                now);
    }

    private @Nullable JobEta etaOf(StoredJob job) {
        boolean waits = job.state() == JobState.SUBMITTED || job.state() == JobState.WAITING;
        return job.state().hasEnded()
                ? null
                : estimates
                        .current()
                        .of(job.id(), waits, job.held(), job.since())
                        .orElse(null);
    }
}
