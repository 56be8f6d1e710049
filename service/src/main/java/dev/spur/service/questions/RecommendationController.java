package dev.spur.service.questions;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.prediction.job.Prediction.RiskAttitude;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.jobs.learning.JobSpeedPrediction;
import dev.spur.service.jobs.learning.PredictionContext;
import dev.spur.service.jobs.lifecycle.SubmissionDefaults;
import dev.spur.service.security.AccessScope;
import dev.spur.service.web.contract.Binder;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.candidate.NoCandidateReason;
import dev.spur.solver.recommend.NodeCatalog;
import dev.spur.solver.recommend.NodeOffer;
import dev.spur.solver.recommend.RecommendationGoal;
import dev.spur.solver.recommend.Recommender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Recommends a configuration for a job, based on the speeds in its profile and its family. */
@RestController
class RecommendationController {
    private final OnDemandSolver solves;
    private final NodeStore nodes;
    private final AcceleratorTypeStore types;
    private final PredictionContext context;
    private final SubmissionDefaults defaults;

    RecommendationController(
            OnDemandSolver solves,
            NodeStore nodes,
            AcceleratorTypeStore types,
            PredictionContext context,
            SubmissionDefaults defaults) {
        this.solves = solves;
        this.nodes = nodes;
        this.types = types;
        this.context = context;
        this.defaults = defaults;
    }

    @PostMapping("/api/v1/recommendations")
    DeferredResult<RecommendationView> recommend(AccessScope scope, @RequestBody ObjectNode question) {
        List<FieldError> errors =
                defaults.completeQuestion(scope, (ObjectNode) question.path("spec"), largestOffer(question));
        RecommendationRequest requested = Binder.bind(question, RecommendationRequest.class, errors);
        List<NodeOffer> offers = requested.nodeTypes();
        NodeCatalog catalog = (offers == null ? NodeCatalog.ofCluster(nodes.all()) : NodeCatalog.of(offers))
                .withTypes(types.all("name"));
        PredictionContext.PredictionInputs known = context.now();
        return solves.solve(() -> answer(requested, catalog, known));
    }

    /** Returns the largest number of slots of one type among the offered nodes; 0 if none are offered. */
    private static int largestOffer(JsonNode body) {
        return (int) body.path("nodeTypes")
                .valueStream()
                .mapToLong(offer ->
                        offer.path("slots").longValue() * offer.path("count").longValue())
                .max()
                .orElse(0);
    }

    private static RecommendationView answer(
            RecommendationRequest requested, NodeCatalog catalog, PredictionContext.PredictionInputs known) {
        JobSpeedPrediction forecast = JobSpeedPrediction.of(
                requested.spec(), List.of(), known.families(), PredictionContext.offers(catalog.nodes()));
        JobSpec spec = forecast.spec(RiskAttitude.EVEN);
        return Recommender.recommend(spec, catalog, forecast, requested.target())
                .map(found -> RecommendationView.of(found, requested.target(), forecast))
                .orElseThrow(() -> refusal(Recommender.whyNone(spec, catalog)));
    }

    private static ProblemException refusal(NoCandidateReason unfit) {
        String reason = switch (unfit) {
            case NONE, NO_GAIN, NO_THROUGHPUT -> "The profile has no speed above 0 on these nodes.";
            case NO_MATCHING_NODES -> "No node has devices of a type that the job allows and its profile contains.";
            case BATCH_EXCEEDS_GPU_MEMORY ->
                "No allowed batch size divides into equal shares that fit the memory of the devices.";
            case BATCH_NOT_DIVISIBLE ->
                "No allowed batch size divides into equal shares on an allowed number of slots.";
            case UNSATISFIABLE -> "There are too few slots or nodes, or too little host or aggregation capacity.";
        };
        return ProblemException.of(ProblemType.UNSATISFIABLE, "The job cannot run on any of the nodes.")
                .withReasons(List.of(reason));
    }

    /** Request for a recommendation. Members as in the contract. */
    record RecommendationRequest(
            JobSpec spec,
            RecommendationGoal target,
            @Nullable List<NodeOffer> nodeTypes) {
        RecommendationRequest {
            Checks.require(
                    spec.family() != null || !spec.profile().points().isEmpty(),
                    "spec (without points of a profile) must name a family");
            if (nodeTypes != null) {
                nodeTypes = List.copyOf(nodeTypes);
                List<String> names = nodeTypes.stream().map(NodeOffer::name).toList();
                Checks.require(
                        names.stream().distinct().count() == names.size(),
                        "nodeTypes (%s) must have unique names",
                        names);
            }
        }
    }
}
