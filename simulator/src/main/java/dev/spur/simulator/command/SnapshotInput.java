package dev.spur.simulator.command;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.json.JsonErrors;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.model.validation.Violation;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.trace.StateTrace;
import dev.spur.simulator.trace.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;

/** Snapshot of a round as the input of replays. */
final class SnapshotInput {
    private final Path file;
    private final String json;
    private final RoundProblem problem;

    private SnapshotInput(Path file, String json, RoundProblem problem) {
        this.file = file;
        this.json = json;
        this.problem = problem;
    }

    /** @throws IOException if the file cannot be read, is no snapshot, or violates the rules of a problem */
    static SnapshotInput read(Path file) throws IOException {
        String json = Files.readString(file);
        try {
            RoundProblem problem = RoundJson.readProblem(json);
            requireValid(file, problem);
            return new SnapshotInput(file, json, problem);
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not a snapshot that GET /api/v1/rounds/{number}/snapshot returns: %s."
                            .formatted(file, JsonErrors.describe(exception)),
                    exception);
        }
    }

    /** @throws IOException if the state of the cluster in {@code file} violates the rules of a problem */
    static void requireValid(Path file, RoundProblem problem) throws IOException {
        List<Violation> violations = ProblemCheck.violations(problem);
        if (!violations.isEmpty()) {
            Violation first = violations.get(0);
            throw new IOException("%s has a state of the cluster that violates %d rules, the first at %s: %s"
                    .formatted(file, violations.size(), first.subject(), first.message()));
        }
    }

    /** Returns the text of the file. */
    String json() {
        return json;
    }

    /** Returns the schedulable nodes. A replay would not use the others either. */
    List<Node> nodes() {
        return problem.nodes().stream()
                .filter(node -> node.state() == NodeState.ACTIVE)
                .toList();
    }

    /** @throws IOException if the snapshot has no job with work */
    Trace trace() throws IOException {
        Trace trace = StateTrace.of(String.valueOf(file.getFileName()), problem);
        if (trace.jobs().isEmpty()) {
            throw new IOException("%s has no job that is pending or running.".formatted(file));
        }
        return trace;
    }

    /** Returns the cluster with its tenants, quotas and groups. */
    ClusterConfig cluster() {
        return ClusterConfig.of(problem.withNodes(nodes()).withoutReservations().withMaintenance(List.of()));
    }

    RoundSettings settings() {
        return problem.settings();
    }
}
