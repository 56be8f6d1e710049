package dev.spur.service.simulation;

import dev.spur.model.cluster.Node;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.PolicyRegistry;
import dev.spur.service.contract.FieldError;
import dev.spur.service.contract.ProblemException;
import dev.spur.service.contract.ProblemType;
import dev.spur.service.simulation.SimulationRequest.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Validation of a simulation request beyond the schema. It reports all invalid fields at once. */
final class SimulationRules {
    private static final long MAX_SLOTS = 20_000;

    private final List<FieldError> errors = new ArrayList<>();
    private final SimulationRequest request;

    private SimulationRules(SimulationRequest request) {
        this.request = request;
    }

    /** @throws ProblemException 422 with all invalid fields */
    static void require(SimulationRequest request, @Nullable RoundProblem state, int mostJobs) {
        SimulationRules rules = new SimulationRules(request);
        rules.policiesAreKnown();
        rules.theClusterIsNoLargerThanCanBeReplayed();
        rules.uploadedJobsTrainKnownModels();
        if (state != null) {
            rules.requireRequestedResources(state, mostJobs);
        }
        if (!rules.errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, rules.errors);
        }
    }

    private void policiesAreKnown() {
        Set<String> seen = new HashSet<>();
        for (int p = 0; p < request.policies().size(); p++) {
            String name = request.policies().get(p);
            if (PolicyRegistry.policy(name).isEmpty()) {
                errors.add(FieldError.at("/policies/" + p, "is not a known policy"));
            } else if (!seen.add(name)) {
                errors.add(FieldError.at("/policies/" + p, "is a duplicate"));
            }
        }
    }

    private void theClusterIsNoLargerThanCanBeReplayed() {
        if (request.cluster() != null) {
            long slots = request.cluster().nodes().stream()
                    .mapToLong(kind -> (long) kind.count() * kind.slots())
                    .sum();
            if (slots > MAX_SLOTS) {
                errors.add(FieldError.at(
                        "/cluster", "has %d slots, more than the maximum of %d".formatted(slots, MAX_SLOTS)));
            }
        }
    }

    private void uploadedJobsTrainKnownModels() {
        JsonNode trace = request.trace().uploaded();
        if (request.trace().kind() != Kind.UPLOADED || trace == null) {
            return;
        }
        Set<String> ids = new HashSet<>();
        for (int j = 0; j < trace.path("jobs").size(); j++) {
            JsonNode job = trace.path("jobs").path(j);
            String pointer = "/trace/uploaded/jobs/" + j;
            if (!trace.path("models").has(job.path("model").asString())) {
                errors.add(FieldError.at(pointer + "/model", "is not a model of this trace"));
            }
            if (!ids.add(job.path("id").asString())) {
                errors.add(FieldError.at(pointer + "/id", "is the id of an earlier job"));
            }
            if (job.path("minSlots").asInt(1) > job.path("maxSlots").asInt(Integer.MAX_VALUE)) {
                errors.add(FieldError.at(pointer + "/minSlots", "is greater than maxSlots"));
            }
        }
    }

    private void requireRequestedResources(RoundProblem state, int mostJobs) {
        if (request.cluster() == null
                && state.nodes().stream().mapToInt(Node::slots).sum() == 0) {
            errors.add(FieldError.at("/cluster", "is required because no node with slots is registered"));
        }
        if (request.trace().kind() == Kind.LIVE && state.jobs().isEmpty()) {
            errors.add(FieldError.at("/trace", "has no jobs: no job is pending or running"));
        }
        if (request.trace().kind() == Kind.LIVE && state.jobs().size() > mostJobs) {
            errors.add(FieldError.at(
                    "/trace",
                    "has %d jobs, more than the maximum of %d"
                            .formatted(state.jobs().size(), mostJobs)));
        }
    }
}
