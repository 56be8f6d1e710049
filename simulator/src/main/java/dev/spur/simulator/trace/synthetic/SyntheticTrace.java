package dev.spur.simulator.trace.synthetic;

import dev.spur.model.Checks;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.JsonErrors;
import dev.spur.model.json.RoundJson;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.rigid.RigidJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import tools.jackson.core.JacksonException;

/**
 * Generator of synthetic traces, deterministic for the same settings, nodes and seed. Settings that differ only in load
 * give the same jobs with other interarrival times: jobs are drawn first, and arrivals are then scaled to meet the load
 * exactly.
 */
public final class SyntheticTrace implements TraceReader {
    private static final double RESTART_SECONDS = 30;

    /** A job without its arrival. */
    private record Drawn(int slots, double seconds, SyntheticModel model, int batch) {
        double slotSeconds() {
            return slots * seconds;
        }
    }

    @Override
    public String format() {
        return "synthetic";
    }

    @Override
    public String summary() {
        return "synthetic trace: settings as JSON, such as {\"jobs\": 500, \"load\": 1.25, \"arrivals\": \"POISSON\","
                + " \"sizes\": \"GAVEL\", \"lengths\": \"HELIOS\", \"style\": \"ELASTIC\"}";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        String json = Files.readString(file);
        try {
            SyntheticSettings settings = RoundJson.mapper().readValue(json, SyntheticSettings.class);
            return generate(settings, options.nodes(), options.seed());
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not a valid settings file of a synthetic trace: %s."
                            .formatted(file, JsonErrors.describe(exception)),
                    exception);
        }
    }

    /**
     * Generates a trace for a cluster of {@code nodes}. No job requests more slots than the largest type has.
     *
     * @throws IllegalArgumentException if the nodes have no slots, or no CPUs although the settings contain host demand
     */
    public static Trace generate(SyntheticSettings settings, List<Node> nodes, long seed) {
        ClusterCapacity capacity = new ClusterCapacity(nodes);
        Checks.require(capacity.allSlots() > 0, "A synthetic trace requires a cluster with slots");
        Checks.require(
                settings.cpuHungry() == null
                        || capacity.share(capacity.largestType()).cpusPerSlot() > 0,
                "cpuHungry (%s) requires nodes with CPUs",
                settings.cpuHungry());
        SplittableRandom random = new SplittableRandom(seed);
        List<Drawn> drawn = draw(settings, capacity, random.split());
        double[] arrivals = arrivals(settings, drawn, capacity, random.split());
        SplittableRandom hosts = random.split();
        RigidJobs rigid = new RigidJobs(nodes, RESTART_SECONDS);
        List<TraceJob> jobs = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            String id = String.format(Locale.ROOT, "job-%05d", i);
            Drawn drawnJob = drawn.get(i);
            TraceJob made = settings.style() == JobStyle.RIGID
                    ? rigid.job(id, arrivals[i], drawnJob.slots, drawnJob.seconds)
                    : elastic(id, arrivals[i], drawnJob, spec(settings.style(), drawnJob, capacity));
            jobs.add(settings.cpuHungry() == null ? made : onHosts(made, settings.cpuHungry(), capacity, hosts));
        }
        return new Trace("synthetic-" + seed, jobs, Map.of());
    }

    private static TraceJob onHosts(TraceJob job, double hungry, ClusterCapacity capacity, SplittableRandom random) {
        HostKind kind = random.nextDouble() < hungry ? HostKind.HUNGRY : HostKind.FRUGAL;
        JobSpec whole = job.viewModel().after(RunHistory.NONE).spec();
        JobSpec spec = kind.apply(whole, capacity.share(capacity.largestType()));
        return new TraceJob(
                job.id(),
                job.arrival(),
                job.tenant(),
                job.deadline(),
                job.requestedSlots(),
                job.aloneSeconds(),
                new SpecGroundTruth(
                        spec, job.truth().startSeconds(true), job.truth().startSeconds(false)),
                PolicyViewModel.complete(spec));
    }

    private static List<Drawn> draw(SyntheticSettings settings, ClusterCapacity capacity, SplittableRandom random) {
        boolean rigid = settings.style() == JobStyle.RIGID;
        int max = rigid ? capacity.maxSlots() : Math.min(SyntheticModel.MAX_SLOTS, capacity.maxSlots());
        List<Drawn> drawn = new ArrayList<>();
        for (int i = 0; i < settings.jobs(); i++) {
            drawn.add(
                    switch (settings.style()) {
                        case BATCH_RANGE -> drawBatch(settings, capacity, random);
                        case SMALLEST_BATCH -> {
                            SyntheticModel model = any(SyntheticModel.WIDE, random);
                            yield withBatch(settings, model, model.initialBatch(), random);
                        }
                        default -> {
                            int slots = Math.min(max, settings.sizes().draw(random));
                            double seconds = settings.lengths().seconds(slots, random);
                            yield new Drawn(slots, seconds, any(SyntheticModel.ALL, random), 0);
                        }
                    });
        }
        return drawn;
    }

    /** Draws a batch size, from the smallest of the range to the capacity of a node. */
    private static Drawn drawBatch(SyntheticSettings settings, ClusterCapacity capacity, SplittableRandom random) {
        SyntheticModel model = any(SyntheticModel.WIDE, random);
        int devices = Math.min(SyntheticModel.MAX_WIDE_SLOTS, capacity.perNode(capacity.largestType()));
        double range = (double) devices * model.maxPerDevice() / model.initialBatch();
        int batch = (int) Math.round(model.initialBatch() * Math.pow(range, random.nextDouble()));
        return withBatch(settings, model, batch, random);
    }

    /** Returns a job whose requested slots follow from the user's batch size. */
    private static Drawn withBatch(
            SyntheticSettings settings, SyntheticModel model, int batch, SplittableRandom random) {
        int slots = model.minSlots(batch);
        return new Drawn(slots, settings.lengths().seconds(slots, random), model, batch);
    }

    private static SyntheticModel any(List<SyntheticModel> models, SplittableRandom random) {
        return models.get(random.nextInt(models.size()));
    }

    /**
     * Returns the arrivals. The first job arrives at 0. The sum of all gaps, including one after the last job, gives
     * exactly the requested load.
     */
    private static double[] arrivals(
            SyntheticSettings settings, List<Drawn> drawn, ClusterCapacity capacity, SplittableRandom random) {
        double[] arrivals = new double[drawn.size()];
        double sum = 0;
        for (int i = 0; i < arrivals.length; i++) {
            arrivals[i] = sum;
            sum += settings.arrivals().gap(random);
        }
        double slotSeconds = drawn.stream().mapToDouble(Drawn::slotSeconds).sum();
        double stretch = slotSeconds / (settings.load() * capacity.allSlots()) / sum;
        for (int i = 0; i < arrivals.length; i++) {
            arrivals[i] *= stretch;
        }
        return arrivals;
    }

    private static JobSpec spec(JobStyle style, Drawn drawnJob, ClusterCapacity capacity) {
        String type = capacity.largestType();
        return switch (style) {
            case RANGED -> drawnJob.model.rangedJob(capacity, type, drawnJob.slots, drawnJob.seconds);
            case BATCH_RANGE, SMALLEST_BATCH ->
                drawnJob.model.batchRangeJob(capacity, type, drawnJob.slots, drawnJob.batch, drawnJob.seconds);
            default -> drawnJob.model.job(capacity, type, drawnJob.slots, drawnJob.seconds);
        };
    }

    private static TraceJob elastic(String id, double arrival, Drawn drawnJob, JobSpec spec) {
        return new TraceJob(
                id,
                arrival,
                "root",
                null,
                drawnJob.slots,
                drawnJob.seconds,
                new SpecGroundTruth(spec, 0, spec.restartPenaltySeconds()),
                PolicyViewModel.complete(spec));
    }
}
