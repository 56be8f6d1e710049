package dev.spur.connectors.determined;

import dev.spur.connectors.AggregatorHost;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
import dev.spur.connectors.PlacementGranularity;
import dev.spur.connectors.Platform;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.Step;
import dev.spur.connectors.StepOutcome;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A Determined cluster. Its experiments with a single trial are jobs: to pause them is to hold them, to activate them
 * is to release them, and since the size of a trial stands in the configuration, to resize one is to cancel it when it
 * is paused and to continue it with another configuration, under the same id. The mark stands in the notes.
 */
public final class DeterminedPlatform implements Platform {
    private static final String ACTIVE = "states=STATE_ACTIVE&states=STATE_PAUSED&states=STATE_STOPPING_COMPLETED"
            + "&states=STATE_STOPPING_CANCELED&states=STATE_STOPPING_ERROR&states=STATE_STOPPING_KILLED";
    /** How many of those that ended last are looked at. */
    private static final int ENDED = 100;

    private final DeterminedSettings settings;
    private final DeterminedClient client;
    private final AgentReader agents;
    private final Clock clock;
    /** Experiments that ended for good, by id and time: no need to ask for each of them again. */
    private Set<String> settled = Set.of();

    public DeterminedPlatform(DeterminedSettings settings, Clock clock) {
        this(settings, clock, Transport.network(settings.timeout()));
    }

    DeterminedPlatform(DeterminedSettings settings, Clock clock, Transport transport) {
        this.settings = settings;
        this.client = new DeterminedClient(settings, transport, clock);
        this.agents = new AgentReader(settings.pools());
        this.clock = clock;
    }

    @Override
    public ControlLevel maxControlLevel() {
        return ControlLevel.RESIZE;
    }

    @Override
    public PlacementGranularity placementGranularity() {
        return PlacementGranularity.POOLS;
    }

    @Override
    public Optional<AggregatorHost> aggregatorHost() {
        return settings.aggregators().map(program -> new Commands(program, settings, client));
    }

    @Override
    public List<PlatformNode> inventory() throws IOException, InterruptedException {
        for (JsonNode pool : client.pages("/api/v1/resource-pools", "resourcePools")) {
            boolean planned = settings.pools().contains(pool.path("name").asString(""));
            if (planned && pool.path("type").asString("").equals("RESOURCE_POOL_TYPE_K8S")) {
                throw new IOException("resource pool %s is one of Kubernetes, where Determined chooses nothing"
                        .formatted(pool.path("name").asString()));
            }
        }
        return client.pages("/api/v1/agents", "agents").stream()
                .flatMap(row -> agents.read(row).stream())
                .toList();
    }

    @Override
    public List<PlatformJob> workload() throws IOException, InterruptedException {
        List<JsonNode> rows = new ArrayList<>(client.pages("/api/v1/experiments?" + ACTIVE, "experiments"));
        client.look("/api/v1/experiments?states=STATE_COMPLETED&states=STATE_CANCELED&states=STATE_ERROR"
                        + "&sortBy=SORT_BY_END_TIME&orderBy=ORDER_BY_DESC&labels=%s&limit=%d"
                                .formatted(ExperimentReader.LABEL, ENDED))
                .path("experiments")
                .forEach(rows::add);
        Tasks tasks = new Tasks(client.look("/api/v1/tasks"));
        List<PlatformJob> jobs = new ArrayList<>();
        Set<String> over = new HashSet<>();
        for (JsonNode row : rows) {
            PlatformJob job = job(row, tasks);
            jobs.add(job);
            if (job.state().hasEnded()) {
                over.add(ExperimentReader.ending(row));
            }
        }
        settled = over;
        jobs.addAll(tasks.others());
        return jobs;
    }

    /** Lists show neither notes nor configurations: those that may be Spur's are asked for one by one. */
    private PlatformJob job(JsonNode row, Tasks tasks) throws IOException, InterruptedException {
        if (settled.contains(ExperimentReader.ending(row)) || !ExperimentReader.isOffered(row)) {
            return ExperimentReader.read(row, row.path("nothing"), tasks);
        }
        try {
            DeterminedExperiment whole = DeterminedExperiment.of(
                    client.experiment(Integer.toString(row.path("id").asInt())));
            return ExperimentReader.read(whole.row(), whole.config(), tasks);
        } catch (DeterminedRejection no) {
            throw new IOException(
                    "the master does not show experiment %s: %s"
                            .formatted(row.path("id").asString(), no.getMessage()),
                    no);
        }
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob seen) throws InterruptedException {
        try {
            DeterminedExperiment now = read(action.job());
            return switch (action.kind()) {
                case CANCEL -> cancel(action, now);
                case HOLD, STOP -> hold(action, now);
                case SHRINK, MOVE, GROW, START -> run(action, now, seen);
                case ORDER -> order(action, now);
            };
        } catch (DeterminedVerificationFailure lie) {
            return new StepOutcome.Unchanged(String.valueOf(lie.getMessage()));
        } catch (DeterminedRejection no) {
            String words = "experiment %s: %s".formatted(action.job(), no.getMessage());
            return no.status() == DeterminedRejection.NOT_FOUND
                    ? new StepOutcome.NoResponse(words)
                    : new StepOutcome.Rejected(words);
        } catch (IOException away) {
            return new StepOutcome.NoResponse("experiment %s: %s".formatted(action.job(), away.getMessage()));
        }
    }

    private DeterminedExperiment read(String id) throws IOException, InterruptedException, DeterminedRejection {
        return DeterminedExperiment.of(client.experiment(id));
    }

    private StepOutcome cancel(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        if (now.isParked()) {
            // it has ended already: it only is not to be continued any more
            mark(action, now, JobPlacement.NONE, OptionalInt.empty());
            return asked(Step.ENDING, "it will not be continued");
        }
        if (!now.isTerminal()) {
            client.tell(now.id(), now.isStopping() ? "kill" : "cancel");
        }
        DeterminedExperiment then = read(now.id());
        return then.isTerminal() || then.isStopping()
                ? asked(Step.ENDING, "it was called off")
                : new StepOutcome.Unchanged("experiment %s was called off and is %s".formatted(now.id(), then.state()));
    }

    private StepOutcome order(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        client.queue(now.job(), "priority", ExperimentReader.urgency(action.priority()));
        return asked(Step.ORDERING, "its priority was set");
    }

    private StepOutcome hold(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        if (now.isParked()) {
            mark(action, now, JobPlacement.NONE, now.nextContinuation());
            return asked(Step.HOLDING, "it is cancelled, and will be continued");
        }
        if (now.isTerminal()) {
            return new StepOutcome.NoResponse("experiment %s has ended".formatted(now.id()));
        }
        if (now.isStopping()) {
            return asked(Step.HOLDING, "it is ending");
        }
        mark(action, now, JobPlacement.NONE, OptionalInt.empty());
        if (!now.isPaused()) {
            client.tell(now.id(), "pause");
            DeterminedExperiment then = read(now.id());
            if (!then.isPaused() && !then.isTerminal() && !then.isStopping()) {
                return new StepOutcome.Unchanged(
                        "experiment %s was paused and is %s".formatted(now.id(), then.state()));
            }
        }
        return asked(Step.HOLDING, "it was paused");
    }

    private StepOutcome run(JobAction action, DeterminedExperiment now, PlatformJob seen)
            throws IOException, InterruptedException, DeterminedRejection {
        if (action.placement().slots().size() != 1) {
            return new StepOutcome.Rejected("Determined runs a job in one pool, and not in %s"
                    .formatted(action.placement().slots().keySet()));
        }
        String pool = action.placement().slots().firstKey();
        int slots = action.placement().total();
        if (!now.pool().equals(pool) && !seen.annotation().names("pools").contains(pool)) {
            return new StepOutcome.Rejected("experiment %s is in pool %s now, and does not say that it may run in %s"
                    .formatted(now.id(), now.pool(), pool));
        }
        boolean fits = now.pool().equals(pool) && now.slots() == slots;
        if (now.isParked()) {
            return resume(action, now, pool, slots);
        }
        if (now.slots() != slots && !ExperimentReader.keepsLatestCheckpoint(now.config())) {
            return new StepOutcome.Rejected(ExperimentReader.LOSES_CHECKPOINT);
        }
        if (now.isTerminal() || now.isStopping()) {
            // one that Spur cancels to continue it is stopping for a moment
            return now.isStopping() && now.notes().continuation().isPresent()
                    ? asked(Step.HOLDING, "it is being cancelled, to be continued")
                    : new StepOutcome.NoResponse("experiment %s has ended".formatted(now.id()));
        }
        if (!now.isPaused() && fits && seen.state() != State.STOPPING) {
            mark(action, now, action.placement(), OptionalInt.empty());
            return asked(Step.STARTING, "it is active there already");
        }
        if (!now.isPaused() || seen.state() != State.HELD) {
            return hold(action, now);
        }
        return now.slots() == slots ? activate(action, now, pool) : cut(action, now, pool, slots);
    }

    private StepOutcome activate(JobAction action, DeterminedExperiment now, String pool)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, now, action.placement(), OptionalInt.empty());
        if (!now.pool().equals(pool)) {
            client.queue(now.job(), "resourcePool", pool);
            DeterminedExperiment moved = read(now.id());
            if (!moved.pool().equals(pool)) {
                return new StepOutcome.Unchanged(
                        "experiment %s was moved to pool %s and is in %s".formatted(now.id(), pool, moved.pool()));
            }
        }
        client.tell(now.id(), "activate");
        return isActive(read(now.id()), "activated");
    }

    /** Cancels a paused experiment, to continue it with another size. What it was cancelled for is written first. */
    private StepOutcome cut(JobAction action, DeterminedExperiment now, String pool, int slots)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, now, action.placement(), now.nextContinuation());
        client.tell(now.id(), "cancel");
        DeterminedExperiment then = read(now.id());
        if (then.isParked()) {
            return resume(action, then, pool, slots);
        }
        return then.isStopping()
                ? asked(Step.HOLDING, "it is being cancelled, to be continued with %d slots".formatted(slots))
                : new StepOutcome.Unchanged("experiment %s was cancelled and is %s".formatted(now.id(), then.state()));
    }

    private StepOutcome resume(JobAction action, DeterminedExperiment parked, String pool, int slots)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, parked, action.placement(), parked.nextContinuation());
        client.resume(parked.id(), parked.continuedWith(pool, slots));
        DeterminedExperiment then = read(parked.id());
        if (!then.isTerminal() && (then.slots() != slots || !then.pool().equals(pool))) {
            return new StepOutcome.Unchanged("experiment %s was continued with %d slots in %s and has %d in %s"
                    .formatted(parked.id(), slots, pool, then.slots(), then.pool()));
        }
        return isActive(then, "continued");
    }

    private StepOutcome isActive(DeterminedExperiment then, String what) {
        return then.isPaused() || then.isTerminal()
                ? new StepOutcome.Unchanged("experiment %s was %s and is %s".formatted(then.id(), what, then.state()))
                : asked(Step.STARTING, "it was " + what);
    }

    /** Writes the mark, unless it says the same already, and reads it back. */
    private void mark(JobAction action, DeterminedExperiment now, JobPlacement there, OptionalInt continuation)
            throws IOException, InterruptedException, DeterminedRejection {
        Notes notes = now.notes().marked(new LastAppliedState(action.revision(), there, clock.instant()), continuation);
        if (notes.saysWhat(now.notes())) {
            return;
        }
        client.notes(now.id(), notes.text());
        if (!read(now.id()).notes().equals(notes)) {
            throw new DeterminedVerificationFailure("experiment %s was marked \"%s\", and the mark does not stand there"
                    .formatted(now.id(), notes.text()));
        }
    }

    private StepOutcome.Accepted asked(Step step, String detail) {
        Duration timeout = settings.timeout().plus(settings.stopWait());
        return new StepOutcome.Accepted(step, timeout, detail);
    }
}
