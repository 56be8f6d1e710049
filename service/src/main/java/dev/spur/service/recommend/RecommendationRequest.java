package dev.spur.service.recommend;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import dev.spur.solver.recommend.NodeOffer;
import dev.spur.solver.recommend.RecommendationGoal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request for a recommendation.
 *
 * @param spec the job
 * @param target limits and goal of its owner
 * @param nodeTypes the available node types, each name once; null for those of the cluster
 */
record RecommendationRequest(
        JobSpec spec, RecommendationGoal target, @Nullable List<NodeOffer> nodeTypes) {
    RecommendationRequest {
        Checks.require(
                spec.family() != null || !spec.profile().points().isEmpty(),
                "spec (without points of a profile) must name a family");
        if (nodeTypes != null) {
            nodeTypes = List.copyOf(nodeTypes);
            List<String> names = nodeTypes.stream().map(NodeOffer::name).toList();
            Checks.require(
                    names.stream().distinct().count() == names.size(), "nodeTypes (%s) must have unique names", names);
        }
    }
}
