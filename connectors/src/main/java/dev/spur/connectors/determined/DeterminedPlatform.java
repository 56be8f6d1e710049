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
 * A Determined cluster. Jobs are its experiments with a single trial. Pausing an experiment holds the job; activating
 * it releases the job. The trial size is part of the configuration. Spur therefore resizes a paused experiment by
 * canceling it and continuing it with another configuration under the same id. The last-applied state is stored in the
 * notes.
 */
public final class DeterminedPlatform implements Platform {
    private static final String ACTIVE = "states=STATE_ACTIVE&states=STATE_PAUSED&states=STATE_STOPPING_COMPLETED"
            + "&states=STATE_STOPPING_CANCELED&states=STATE_STOPPING_ERROR&states=STATE_STOPPING_KILLED";
    /** Number of most recently ended experiments to read. */
    private static final int ENDED = 100;

    private final DeterminedSettings settings;
    private final DeterminedClient client;
    private final AgentReader agents;
    private final Clock clock;
    /** Permanently ended experiments by id and end time, which need not be read again. */
    private Set<String> permanentlyEnded = Set.of();

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
                throw new IOException(
                        "resource pool %s is scheduled by Kubernetes, which this connector does not support"
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
        client.get("/api/v1/experiments?states=STATE_COMPLETED&states=STATE_CANCELED&states=STATE_ERROR"
                        + "&sortBy=SORT_BY_END_TIME&orderBy=ORDER_BY_DESC&labels=%s&limit=%d"
                                .formatted(ExperimentReader.LABEL, ENDED))
                .path("experiments")
                .forEach(rows::add);
        Tasks tasks = new Tasks(client.get("/api/v1/tasks"));
        List<PlatformJob> jobs = new ArrayList<>();
        Set<String> over = new HashSet<>();
        for (JsonNode row : rows) {
            PlatformJob job = job(row, tasks);
            jobs.add(job);
            if (job.state().hasEnded()) {
                over.add(ExperimentReader.ending(row));
            }
        }
        permanentlyEnded = over;
        jobs.addAll(tasks.others());
        return jobs;
    }

    /** Lists contain neither notes nor configurations, so each experiment offered to Spur is read by its id. */
    private PlatformJob job(JsonNode row, Tasks tasks) throws IOException, InterruptedException {
        if (permanentlyEnded.contains(ExperimentReader.ending(row)) || !ExperimentReader.isOffered(row)) {
            return ExperimentReader.read(row, row.path("nothing"), tasks);
        }
        try {
            DeterminedExperiment whole = DeterminedExperiment.of(
                    client.experiment(Integer.toString(row.path("id").asInt())));
            return ExperimentReader.read(whole.row(), whole.config(), tasks);
        } catch (DeterminedRejection rejection) {
            throw new IOException(
                    "the master rejected the request for experiment %s: %s"
                            .formatted(row.path("id").asString(), rejection.getMessage()),
                    rejection);
        }
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob observed) throws InterruptedException {
        try {
            DeterminedExperiment now = read(action.job());
            return switch (action.kind()) {
                case CANCEL -> cancel(action, now);
                case HOLD, STOP -> hold(action, now);
                case SHRINK, MOVE, GROW, START -> run(action, now, observed);
                case ORDER -> order(action, now);
            };
        } catch (DeterminedVerificationFailure unverified) {
            return new StepOutcome.Unchanged(String.valueOf(unverified.getMessage()));
        } catch (DeterminedRejection rejection) {
            String text = "experiment %s: %s".formatted(action.job(), rejection.getMessage());
            return rejection.status() == DeterminedRejection.NOT_FOUND
                    ? new StepOutcome.NoResponse(text)
                    : new StepOutcome.Rejected(text);
        } catch (IOException unreachable) {
            return new StepOutcome.NoResponse("experiment %s: %s".formatted(action.job(), unreachable.getMessage()));
        }
    }

    private DeterminedExperiment read(String id) throws IOException, InterruptedException, DeterminedRejection {
        return DeterminedExperiment.of(client.experiment(id));
    }

    private StepOutcome cancel(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        if (now.waitsForActivation()) {
            // it has ended already; clearing the continuation cancels it
            mark(action, now, JobPlacement.NONE, OptionalInt.empty());
            return accept(Step.ENDING, "its continuation was canceled");
        }
        if (!now.isTerminal()) {
            client.changeState(now.id(), now.isStopping() ? "kill" : "cancel");
        }
        DeterminedExperiment latest = read(now.id());
        return latest.isTerminal() || latest.isStopping()
                ? accept(Step.ENDING, "it was canceled")
                : new StepOutcome.Unchanged("experiment %s was canceled but is %s".formatted(now.id(), latest.state()));
    }

    private StepOutcome order(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        client.queue(now.job(), "priority", ExperimentReader.toDeterminedPriority(action.priority()));
        return accept(Step.ORDERING, "its priority was set");
    }

    private StepOutcome hold(JobAction action, DeterminedExperiment now)
            throws IOException, InterruptedException, DeterminedRejection {
        if (now.waitsForActivation()) {
            mark(action, now, JobPlacement.NONE, now.nextContinuation());
            return accept(Step.HOLDING, "it is canceled for a later continuation");
        }
        if (now.isTerminal()) {
            return new StepOutcome.NoResponse("experiment %s has ended".formatted(now.id()));
        }
        if (now.isStopping()) {
            return accept(Step.HOLDING, "it is ending");
        }
        mark(action, now, JobPlacement.NONE, OptionalInt.empty());
        if (!now.isPaused()) {
            client.changeState(now.id(), "pause");
            DeterminedExperiment latest = read(now.id());
            if (!latest.isPaused() && !latest.isTerminal() && !latest.isStopping()) {
                return new StepOutcome.Unchanged(
                        "experiment %s was paused but is %s".formatted(now.id(), latest.state()));
            }
        }
        return accept(Step.HOLDING, "it was paused");
    }

    private StepOutcome run(JobAction action, DeterminedExperiment now, PlatformJob observed)
            throws IOException, InterruptedException, DeterminedRejection {
        if (action.placement().slots().size() != 1) {
            return new StepOutcome.Rejected("Determined runs a job in exactly one pool, not in %s"
                    .formatted(action.placement().slots().keySet()));
        }
        String pool = action.placement().slots().firstKey();
        JobPlacement there = action.placement();
        if (!now.pool().equals(pool) && !observed.annotation().names("pools").contains(pool)) {
            return new StepOutcome.Rejected("experiment %s is in pool %s and its setting pools does not permit %s"
                    .formatted(now.id(), now.pool(), pool));
        }
        boolean fits = now.pool().equals(pool) && now.hasSizeOf(there);
        if (now.waitsForActivation()) {
            return resume(action, now, pool);
        }
        if (!now.hasSizeOf(there) && !ExperimentReader.keepsLatestCheckpoint(now.config())) {
            return new StepOutcome.Rejected(ExperimentReader.LOSES_CHECKPOINT);
        }
        if (now.isTerminal() || now.isStopping()) {
            // an experiment canceled for continuation is briefly in a stopping state
            return now.isStopping() && now.notes().continuation().isPresent()
                    ? accept(Step.HOLDING, "it is being canceled for continuation")
                    : new StepOutcome.NoResponse("experiment %s has ended".formatted(now.id()));
        }
        if (!now.isPaused() && fits && observed.state() != State.STOPPING) {
            mark(action, now, there, OptionalInt.empty());
            return accept(Step.STARTING, "it is already active with this placement");
        }
        if (!now.isPaused() || observed.state() != State.HELD) {
            return hold(action, now);
        }
        return now.hasSizeOf(there) ? activate(action, now, pool) : resize(action, now, pool);
    }

    private StepOutcome activate(JobAction action, DeterminedExperiment now, String pool)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, now, action.placement(), OptionalInt.empty());
        if (!now.pool().equals(pool)) {
            client.queue(now.job(), "resourcePool", pool);
            DeterminedExperiment moved = read(now.id());
            if (!moved.pool().equals(pool)) {
                return new StepOutcome.Unchanged(
                        "experiment %s was moved to pool %s but is in %s".formatted(now.id(), pool, moved.pool()));
            }
        }
        client.changeState(now.id(), "activate");
        return isActive(read(now.id()), "activated");
    }

    /**
     * Cancels a paused experiment in order to continue it with another number of slots or batch size. The last-applied
     * state with the pending continuation is written first.
     */
    private StepOutcome resize(JobAction action, DeterminedExperiment now, String pool)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, now, action.placement(), now.nextContinuation());
        client.changeState(now.id(), "cancel");
        DeterminedExperiment latest = read(now.id());
        if (latest.waitsForActivation()) {
            return resume(action, latest, pool);
        }
        return latest.isStopping()
                ? accept(
                        Step.HOLDING,
                        "it is being canceled for continuation with %s".formatted(describe(action.placement())))
                : new StepOutcome.Unchanged("experiment %s was canceled but is %s".formatted(now.id(), latest.state()));
    }

    private StepOutcome resume(JobAction action, DeterminedExperiment canceled, String pool)
            throws IOException, InterruptedException, DeterminedRejection {
        mark(action, canceled, action.placement(), canceled.nextContinuation());
        JobPlacement there = action.placement();
        client.resume(canceled.id(), canceled.continuedWith(pool, there));
        DeterminedExperiment latest = read(canceled.id());
        if (!latest.isTerminal() && !(latest.hasSizeOf(there) && latest.pool().equals(pool))) {
            return new StepOutcome.Unchanged(
                    "experiment %s was continued with %s in %s but has %d slots, batch %s in %s"
                            .formatted(
                                    canceled.id(),
                                    describe(there),
                                    pool,
                                    latest.slots(),
                                    ExperimentReader.batch(latest.config()),
                                    latest.pool()));
        }
        return isActive(latest, "continued");
    }

    private static String describe(JobPlacement there) {
        return there.total() + " slots" + (there.batch() == null ? "" : ", batch " + there.batch());
    }

    private StepOutcome isActive(DeterminedExperiment latest, String what) {
        return latest.isPaused() || latest.isTerminal()
                ? new StepOutcome.Unchanged(
                        "experiment %s was %s but is %s".formatted(latest.id(), what, latest.state()))
                : accept(Step.STARTING, "it was " + what);
    }

    /** Writes the last-applied state if it changed, and verifies it by reading it back. */
    private void mark(JobAction action, DeterminedExperiment now, JobPlacement there, OptionalInt continuation)
            throws IOException, InterruptedException, DeterminedRejection {
        Notes notes = now.notes()
                .withLastApplied(new LastAppliedState(action.revision(), there, clock.instant()), continuation);
        if (notes.hasSameState(now.notes())) {
            return;
        }
        client.notes(now.id(), notes.text());
        if (!read(now.id()).notes().equals(notes)) {
            throw new DeterminedVerificationFailure(
                    "experiment %s: Spur wrote the state \"%s\" but the notes do not contain it"
                            .formatted(now.id(), notes.text()));
        }
    }

    private StepOutcome.Accepted accept(Step step, String detail) {
        Duration timeout = settings.timeout().plus(settings.stopWait());
        return new StepOutcome.Accepted(step, timeout, detail);
    }
}
