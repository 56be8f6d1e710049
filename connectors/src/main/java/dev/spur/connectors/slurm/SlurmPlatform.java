package dev.spur.connectors.slurm;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.HostResources;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAnnotation.Signal;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.LastAppliedState;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A Slurm cluster. Sizes and placements change by requeue: signal, requeue and hold, update, release. The last-applied
 * state is stored in AdminComment, which only Slurm operators can write. Each change is verified immediately by reading
 * the job.
 */
public final class SlurmPlatform implements Platform {
    private final SlurmSettings settings;
    private final SlurmClient client;
    private final SlurmNodeReader nodes;
    private final Clock clock;

    public SlurmPlatform(SlurmSettings settings, Clock clock) {
        this.settings = settings;
        this.client = new SlurmClient(settings);
        this.nodes = new SlurmNodeReader(settings.partitions());
        this.clock = clock;
    }

    @Override
    public ControlLevel maxControlLevel() {
        return ControlLevel.RESIZE;
    }

    @Override
    public List<PlatformNode> inventory() throws IOException, InterruptedException {
        return client.list("nodes").stream()
                .flatMap(row -> nodes.read(row).stream())
                .toList();
    }

    @Override
    public List<PlatformJob> workload() throws IOException, InterruptedException {
        return client.list("jobs").stream()
                .map(row -> JobReader.read(row, clock.instant()))
                .toList();
    }

    @Override
    public StepOutcome apply(JobAction action, PlatformJob observed) throws InterruptedException {
        try {
            return switch (action.kind()) {
                case CANCEL -> cancel(action);
                case HOLD, STOP -> hold(action, read(action.job()));
                case SHRINK, MOVE, GROW, START -> run(action, read(action.job()));
                case ORDER -> order(action);
            };
        } catch (SlurmVerificationFailure unverified) {
            return new StepOutcome.Unchanged(String.valueOf(unverified.getMessage()));
        } catch (SlurmRejection rejection) {
            String text = "job %s: %s".formatted(action.job(), rejection.getMessage());
            return rejection.number() == SlurmRejection.NO_SUCH_JOB
                    ? new StepOutcome.NoResponse(text)
                    : new StepOutcome.Rejected(text);
        } catch (IOException unreachable) {
            return new StepOutcome.NoResponse("job %s: %s".formatted(action.job(), unreachable.getMessage()));
        }
    }

    private PlatformJob read(String id) throws IOException, InterruptedException, SlurmRejection {
        JsonNode row = client.job(id);
        return JobReader.read(row, clock.instant());
    }

    private StepOutcome cancel(JobAction action) throws IOException, InterruptedException, SlurmRejection {
        client.cancel(action.job());
        State now = read(action.job()).state();
        return now.hasEnded() || now == State.STOPPING
                ? accept(Step.ENDING, "it was canceled")
                : new StepOutcome.Unchanged("job %s was canceled but is %s".formatted(action.job(), now));
    }

    private StepOutcome order(JobAction action) throws IOException, InterruptedException, SlurmRejection {
        client.control("update", "jobid=" + action.job(), "Priority=" + action.priority());
        long now = read(action.job()).priority();
        return now == action.priority()
                ? accept(Step.ORDERING, "its priority was set")
                : new StepOutcome.Unchanged(
                        "job %s was given priority %d but has %d".formatted(action.job(), action.priority(), now));
    }

    private StepOutcome hold(JobAction action, PlatformJob job)
            throws IOException, InterruptedException, SlurmRejection {
        return switch (job.state()) {
            case HELD -> {
                mark(action, job, JobPlacement.NONE);
                yield accept(Step.HOLDING, "it is held");
            }
            case WAITING -> holdWaiting(action, job);
            case RUNNING -> stop(action, job);
            case STOPPING -> accept(Step.HOLDING, "it is stopping");
            case DONE, FAILED, CANCELLED -> new StepOutcome.NoResponse("job %s has ended".formatted(job.id()));
        };
    }

    /**
     * Holds a waiting job as its owner would, so that the owner can release it. Only operators could release an
     * operator's hold.
     */
    private StepOutcome holdWaiting(JobAction action, PlatformJob job)
            throws IOException, InterruptedException, SlurmRejection {
        mark(action, job, JobPlacement.NONE);
        client.control("uhold", job.id());
        State now = read(job.id()).state();
        return now == State.WAITING
                ? new StepOutcome.Unchanged("job %s was held but can still start".formatted(job.id()))
                : accept(Step.HOLDING, "it was held");
    }

    private StepOutcome stop(JobAction action, PlatformJob job)
            throws IOException, InterruptedException, SlurmRejection {
        Optional<LastAppliedState> requested =
                job.mark().filter(mark -> mark.revision() == action.revision() && !mark.runs());
        Optional<Signal> signal = job.annotation().signal();
        if (signal.isPresent() && requested.isEmpty()) {
            client.signal(job.id(), signal.get().name());
            mark(action, job, JobPlacement.NONE);
            return new StepOutcome.Accepted(
                    Step.SIGNALLED, Duration.ofSeconds(signal.get().seconds()), "a checkpoint was requested");
        }
        mark(action, job, JobPlacement.NONE);
        Duration left = Duration.ZERO;
        if (signal.isPresent() && requested.isPresent()) {
            left = Duration.between(
                    clock.instant(),
                    requested.get().since().plusSeconds(signal.get().seconds()));
        }
        if (!left.isNegative() && !left.isZero()) {
            return new StepOutcome.Accepted(Step.SIGNALLED, left, "a checkpoint was requested");
        }
        client.control("requeuehold", job.id());
        State now = read(job.id()).state();
        return now == State.RUNNING
                ? new StepOutcome.Unchanged("job %s was requeued but still runs".formatted(job.id()))
                : accept(Step.HOLDING, "it was requeued");
    }

    private StepOutcome run(JobAction action, PlatformJob job)
            throws IOException, InterruptedException, SlurmRejection {
        JobPlacement there = action.placement();
        if (job.state() == State.RUNNING && job.held().equals(there)) {
            mark(action, job, there);
            return accept(Step.STARTING, "it already runs with this placement");
        }
        if (job.state() != State.HELD) {
            return hold(action, job);
        }
        int perNode = there.total() / there.slots().size();
        if (there.slots().values().stream().anyMatch(slots -> slots != perNode)) {
            return new StepOutcome.Rejected(
                    "Slurm gives each node of a job the same number of GPUs, not %s".formatted(there.slots()));
        }
        mark(action, job, there);
        shape(job.id(), there, perNode);
        PlatformJob shaped = read(job.id());
        if (!shaped.pinned().equals(there)) {
            return new StepOutcome.Unchanged(
                    "job %s was given placement %s but has %s".formatted(job.id(), there, shaped.pinned()));
        }
        return release(job.id());
    }

    /**
     * Rewrites the request of a held job. GPU types stay as requested, because Slurm rejects requests that mix typed
     * and untyped GPUs. A grant of CPUs must also change the minimum of a node, because Slurm allocates at least that.
     *
     * <p>Slurm delays a requeued job by the lifetime of a credential (two minutes by default). A node rejects a
     * credential that is not newer than the end of the previous run, and the job would be lost. Clusters with
     * synchronized clocks need a shorter delay.
     */
    private void shape(String id, JobPlacement there, int perNode)
            throws IOException, InterruptedException, SlurmRejection {
        JsonNode row = client.job(id);
        String inAll = row.path("tres_per_job").asString("");
        int count = there.slots().size();
        int tasks = tasks(row, there);
        HostResources host = there.host();
        List<String> update = new ArrayList<>(List.of(
                "update",
                "jobid=" + id,
                "NumNodes=%d-%d".formatted(count, count),
                "NumTasks=" + tasks,
                "NumCPUs=" + (host == null ? cpus(row, tasks) : count * cpusOfNode(host, perNode)),
                "ReqNodeList=" + String.join(",", there.slots().keySet()),
                inAll.isBlank()
                        ? "TresPerNode="
                                + Gres.request(row.path("tres_per_node").asString(""), perNode)
                        : "TresPerJob=" + Gres.request(inAll, there.total())));
        if (host != null) {
            update.addAll(List.of(
                    "CPUsPerTask=" + cpusOfTask(cpusOfNode(host, perNode), tasks, count),
                    "MinCPUsNode=" + cpusOfNode(host, perNode),
                    "MinMemoryNode=" + host.memoryMiB() * perNode));
        }
        if (row.path("restart_cnt").asInt(0) > 0) {
            update.add("StartTime=now+" + settings.restart().toSeconds());
        }
        client.control(update.toArray(String[]::new));
    }

    /**
     * Returns the number of tasks. Tasks per node stay as requested; otherwise the number stays the same, but at least
     * one task per node.
     */
    private int tasks(JsonNode row, JobPlacement there) {
        int perNode = row.path("tasks_per_node").asInt(0);
        int count = there.slots().size();
        int before = row.path("tasks").asInt(1);
        PlatformJob job = JobReader.read(row, clock.instant());
        if (perNode > 0) {
            return perNode * count;
        }
        return before == job.requested().slots() ? there.total() : Math.max(before, count);
    }

    /** Returns the number of CPUs that keeps the CPUs per task. */
    private static int cpus(JsonNode row, int tasks) {
        int before = Math.max(1, row.path("tasks").asInt(1));
        return (Math.max(1, row.path("cpus").asInt(1)) * tasks + before - 1) / before;
    }

    /** Returns the CPUs that {@code perNode} slots are granted on a node. */
    private static long cpusOfNode(HostResources host, int perNode) {
        return Math.round(host.cpus() * perNode);
    }

    /**
     * Returns the CPUs of each task.
     *
     * @throws SlurmRejection if the tasks of a node cannot share its CPUs equally: Slurm would never start the job
     */
    private static long cpusOfTask(long cpus, int tasks, int nodes) throws SlurmRejection {
        int perNode = tasks / nodes;
        if (tasks % nodes != 0 || cpus % perNode != 0) {
            throw new SlurmRejection(
                    0,
                    "%d tasks on %d nodes cannot share %d CPUs of each node equally. State one task on each node, or"
                                    .formatted(tasks, nodes, cpus)
                            + " host-levels whose CPUs are a multiple of its tasks");
        }
        return cpus / perNode;
    }

    private StepOutcome release(String id) throws IOException, InterruptedException, SlurmRejection {
        client.change(id, Map.of("hold", false));
        return read(id).state() == State.HELD
                ? new StepOutcome.Unchanged("job %s was released but is still held".formatted(id))
                : accept(Step.STARTING, "it was released");
    }

    /** Writes the last-applied state if it changed, and verifies it by reading it back. */
    private void mark(JobAction action, PlatformJob job, JobPlacement there)
            throws IOException, InterruptedException, SlurmRejection {
        LastAppliedState mark = new LastAppliedState(action.revision(), there, clock.instant());
        Optional<LastAppliedState> now = job.mark();
        if (now.isPresent()
                && now.get().revision() == mark.revision()
                && now.get().placement().equals(there)) {
            return;
        }
        client.control("update", "jobid=" + job.id(), "AdminComment=" + mark.text());
        if (!read(job.id()).mark().equals(Optional.of(mark))) {
            throw new SlurmVerificationFailure(
                    "job %s: Spur wrote the state \"%s\" but the AdminComment does not contain it"
                            .formatted(job.id(), mark.text()));
        }
    }

    private StepOutcome.Accepted accept(Step step, String detail) {
        return new StepOutcome.Accepted(step, settings.killWait().plus(settings.timeout()), detail);
    }
}
