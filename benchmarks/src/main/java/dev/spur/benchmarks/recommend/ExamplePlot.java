package dev.spur.benchmarks.recommend;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.family.Families;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.service.jobs.learning.PredictionContext;
import dev.spur.service.web.contract.Contract;
import dev.spur.service.web.contract.FieldError;
import dev.spur.simulator.report.plot.Axis;
import dev.spur.simulator.report.plot.LinePlot;
import dev.spur.simulator.report.plot.Series;
import dev.spur.solver.recommend.NodeCatalog;
import dev.spur.solver.recommend.NodeOffer;
import dev.spur.solver.recommend.Option;
import dev.spur.solver.recommend.Recommendation;
import dev.spur.solver.recommend.RecommendationGoal;
import dev.spur.solver.recommend.Recommender;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/**
 * Plot of time and cost of the options for the example request of the contract.
 *
 * @param target goal of the example
 * @param options all options for the job
 * @param found the recommendation
 */
public record ExamplePlot(RecommendationGoal target, List<Option> options, Recommendation found) {
    private static final double MEDIAN = 0.5;
    private static final double HOUR = 3600;
    /** Start of the time axis, s. */
    private static final double FIRST = 10 * HOUR;

    public ExamplePlot {
        options = List.copyOf(options);
    }

    /** Returns the plot of the example in the contract that the service ships. */
    public static ExamplePlot ofTheContract() {
        Contract contract = Contract.load();
        JsonNode request = contract.document()
                .at("/components/examples/recommendationRequest/value")
                .deepCopy();
        List<FieldError> errors = contract.complete("RecommendationRequest", request);
        if (!errors.isEmpty()) {
            throw new IllegalStateException("The example violates the contract: " + errors);
        }
        JobSpec stated = RoundJson.mapper().treeToValue(request.path("spec"), JobSpec.class);
        RecommendationGoal target = RoundJson.mapper().treeToValue(request.path("target"), RecommendationGoal.class);
        NodeCatalog market =
                NodeCatalog.of(StreamSupport.stream(request.path("nodeTypes").spliterator(), false)
                        .map(offer -> RoundJson.mapper().treeToValue(offer, NodeOffer.class))
                        .toList());
        JobSpeedPrediction forecast =
                JobSpeedPrediction.of(stated, List.of(), Families.NONE, PredictionContext.offers(market.nodes()));
        List<Option> options = Recommender.options(forecast.spec(RiskAttitude.EVEN), market, forecast);
        return new ExamplePlot(
                target, options, Recommendation.of(options, target).orElseThrow());
    }

    /** Returns the plot as SVG text. */
    public String svg() {
        Double deadline = target.deadlineSeconds();
        String chosen = deadline == null
                ? "chosen"
                : String.format(Locale.ROOT, "chosen for a deadline of %.0f h", deadline / HOUR);
        return LinePlot.draw(
                "Time and cost",
                Axis.duration("time to the end (median)", FIRST, largest(ExamplePlot::seconds)),
                Axis.linear("cost (median)", 0, largest(ExamplePlot::cost)),
                List.of(
                        Series.line("no option is faster and cheaper", x(found.front()), y(found.front())),
                        Series.ofPoints("options", x(options), y(options)),
                        Series.ofPoints(chosen, x(List.of(found.chosen())), y(List.of(found.chosen())))));
    }

    private double largest(ToDoubleFunction<Option> value) {
        return options.stream().mapToDouble(value).max().orElseThrow();
    }

    private static double[] x(List<Option> options) {
        return options.stream().mapToDouble(ExamplePlot::seconds).toArray();
    }

    private static double[] y(List<Option> options) {
        return options.stream().mapToDouble(ExamplePlot::cost).toArray();
    }

    private static double seconds(Option option) {
        return option.seconds(MEDIAN);
    }

    private static double cost(Option option) {
        return option.cost(MEDIAN);
    }
}
