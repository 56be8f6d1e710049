package dev.spur.benchmarks.recommend;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.Goodput;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.service.jobs.learning.PredictionContext;
import dev.spur.solver.recommend.NodeCatalog;
import dev.spur.solver.recommend.Option;
import dev.spur.solver.recommend.Recommendation;
import dev.spur.solver.recommend.RecommendationGoal;
import dev.spur.solver.recommend.Recommender;
import dev.spur.solver.recommend.SpeedUncertainty;
import java.util.ArrayList;
import java.util.List;

/** Evaluation in hindsight: recommends with the measurements that an owner has, and compares with the true result. */
public final class HindsightEvaluation {
    /** Tightest and loosest deadline, as multiples of the run time of the fastest option. */
    private static final double TIGHTEST = 1.1;

    private static final double LOOSEST = 8;
    private static final int DEADLINES = 24;
    /**
     * Standard deviation of the logarithm of run times between runs in the same configuration. It is the median of six
     * models, measured on placements that differ only in the order of the nodes (T4, artifact of Sia).
     */
    private static final double BETWEEN_RUNS = 0.037;

    private final MeasuredJob job;
    private final NodeCatalog market;
    private final List<Option> best;

    public HindsightEvaluation(MeasuredJob job, NodeCatalog market) {
        this.job = job;
        this.market = market;
        best = Recommender.options(job.spec(), market, SpeedUncertainty.CERTAIN).stream()
                .filter(option -> wasMeasured(option.configuration()))
                .toList();
    }

    /**
     * Result of a recommendation for one deadline.
     *
     * @param guaranteed true if the recommendation met the requested confidence
     * @param retained probability of meeting the deadline given the variation between runs, in [0, 1]
     * @param extra true median cost relative to the cheapest option that meets the deadline, minus 1
     */
    public record Outcome(boolean guaranteed, double retained, double extra) {}

    /** Returns the results of recommendations based on {@code known}, one per deadline. */
    public List<Outcome> outcomes(JobSpec known, double confidence) {
        JobSpeedPrediction forecast =
                JobSpeedPrediction.of(known, List.of(), Families.NONE, PredictionContext.offers(market.nodes()));
        List<Option> options = Recommender.options(forecast.spec(RiskAttitude.EVEN), market, forecast).stream()
                .filter(option -> wasMeasured(option.configuration()))
                .filter(option -> trueGoodput(option.configuration()) > 0)
                .toList();
        double fastest =
                best.stream().mapToDouble(option -> option.seconds(0.5)).min().orElseThrow();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < DEADLINES; i++) {
            double factor = TIGHTEST * Math.pow(LOOSEST / TIGHTEST, i / (DEADLINES - 1.0));
            RecommendationGoal target = RecommendationGoal.deadline(factor * fastest, confidence);
            Recommendation.of(options, target).ifPresent(found -> outcomes.add(outcome(found, target)));
        }
        return outcomes;
    }

    private Outcome outcome(Recommendation found, RecommendationGoal target) {
        Option asPredicted = found.chosen();
        Option asItIs = new Option(
                asPredicted.configuration(),
                trueGoodput(asPredicted.configuration()),
                BETWEEN_RUNS,
                asPredicted.startSeconds(),
                job.spec().totalSamples() / trueGoodput(asPredicted.configuration()),
                asPredicted.pricePerHour());
        double min = Recommendation.of(best, target).orElseThrow().chosen().cost(0.5);
        return new Outcome(found.targetMet(), 1 - asItIs.risk(target), asItIs.cost(0.5) / min - 1);
    }

    private double trueGoodput(Configuration configuration) {
        return Goodput.of(job.spec(), configuration);
    }

    private boolean wasMeasured(Configuration configuration) {
        return job.wasMeasured(configuration.acceleratorType(), configuration.slots(), configuration.nodes());
    }
}
