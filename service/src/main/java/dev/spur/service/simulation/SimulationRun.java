package dev.spur.service.simulation;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.objective.Objective;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.policies.PolicyRegistry;
import dev.spur.service.simulation.SimulationRequest.Kind;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.Replay;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.trace.StateTrace;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.spurformat.SpurTrace;
import dev.spur.simulator.trace.synthetic.SyntheticTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** Replays the requested trace once for each policy. */
final class SimulationRun {
    /**
     * Maximum solver budget of a decision, so that long simulations end. The work limit binds long before the time
     * limit, so equal requests give equal results.
     */
    private static final SolveBudget MAX = new SolveBudget(5, 300, 1, 1);

    private final SimulationRequest request;
    private final @Nullable RoundProblem state;

    SimulationRun(SimulationRequest request, @Nullable RoundProblem state) {
        this.request = request;
        this.state = state;
    }

    /**
     * Runs the replays.
     *
     * @param progress receives the completed fraction after each round of a replay; an exception that it throws ends
     *     the run
     * @throws IOException if the trace cannot be read
     */
    List<Replay> replays(DoubleConsumer progress) throws IOException {
        Trace trace = trace();
        ClusterConfig cluster = cluster(trace);
        List<Replay> replays = new ArrayList<>();
        for (String name : request.policies()) {
            int before = replays.size();
            ProgressListener listener =
                    (time, ended, all) -> progress.accept((before + (all == 0 ? 1 : (double) ended / all))
                            / request.policies().size());
            replays.add(
                    Replayer.replay(trace, cluster, PolicyRegistry.policy(name).orElseThrow(), settings(), listener));
        }
        return replays;
    }

    private Trace trace() throws IOException {
        return switch (request.trace().kind()) {
            case GENERATED ->
                SyntheticTrace.generate(Objects.requireNonNull(request.trace().generated()), nodes(), request.seed());
            case UPLOADED ->
                SpurTrace.parse(
                        request.name(),
                        Objects.requireNonNull(request.trace().uploaded()).toString(),
                        nodes());
            case LIVE -> StateTrace.of(request.name(), Objects.requireNonNull(state));
        };
    }

    private List<Node> nodes() {
        ClusterFile cluster = request.cluster();
        return cluster == null ? liveNodes() : cluster.allNodes();
    }

    /** Returns the schedulable nodes. A replay would not use the others either. */
    private List<Node> liveNodes() {
        return Objects.requireNonNull(state).nodes().stream()
                .filter(node -> node.state() == NodeState.ACTIVE)
                .toList();
    }

    private ClusterConfig cluster(Trace trace) {
        ClusterFile stated = request.cluster();
        if (stated != null) {
            return ClusterConfig.of(stated, trace);
        }
        RoundProblem live = Objects.requireNonNull(state)
                .withNodes(liveNodes())
                .withoutReservations()
                .withMaintenance(List.of());
        ClusterConfig cluster = ClusterConfig.of(live);
        return request.trace().kind() == Kind.LIVE ? cluster : cluster.withTenantsOf(trace);
    }

    ReplaySettings settings() {
        RoundSettings planning = state == null ? ReplaySettings.DEFAULT.planning() : state.settings();
        SolveBudget budget = new SolveBudget(
                Math.min(MAX.work(), planning.budget().work()), MAX.wallSeconds(), 1, (int) request.seed());
        planning = planning.withEffort(planning.gapTarget(), budget);
        if (request.objective() != null) {
            planning = planning.withObjective(Objective.of(request.objective()));
        }
        return ReplaySettings.DEFAULT
                .withPlanning(planning)
                .withRounds(request.roundSeconds(), null)
                .withSeed(request.seed());
    }
}
