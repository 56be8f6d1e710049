package dev.spur.simulator.trace.spurformat;

import dev.spur.model.allocation.Shapes;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.json.JsonErrors;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.utility.Goodput;
import dev.spur.simulator.trace.EstimatedWork;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.ReadOptions;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.simulator.trace.TraceReader;
import dev.spur.simulator.trace.parsing.SkipCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;

/**
 * Reader of traces in Spur's own format. Jobs run exactly at the speeds of their models, and policies know these speeds
 * from the start.
 */
public final class SpurTrace implements TraceReader {
    @Override
    public String format() {
        return "spur";
    }

    @Override
    public String summary() {
        return "Spur's own: models with measured speeds, and jobs that train them, as JSON";
    }

    @Override
    public Trace read(Path file, ReadOptions options) throws IOException {
        return parse(String.valueOf(file.getFileName()), Files.readString(file), options.nodes());
    }

    /**
     * Returns the trace of {@code json} for a cluster of {@code nodes}.
     *
     * @throws IOException if it is not a trace in Spur's format
     */
    public static Trace parse(String name, String json, List<Node> nodes) throws IOException {
        try {
            Jobs jobs = new Jobs(RoundJson.mapper().readValue(json, SpurTraceFile.class), nodes);
            jobs.spurFile.jobs().forEach(jobs::add);
            return new Trace(name, jobs.retainedJobs, jobs.skips.counts());
        } catch (JacksonException exception) {
            throw new IOException(
                    "%s is not a trace of Spur: %s.".formatted(name, JsonErrors.describe(exception)), exception);
        }
    }

    /** Collector of the jobs of a trace. */
    private static final class Jobs {
        private final SpurTraceFile spurFile;
        private final List<Node> nodes;
        private final Map<String, ThroughputProfile> profiles = new HashMap<>();
        private final Set<String> ids = new HashSet<>();
        private final List<TraceJob> retainedJobs = new ArrayList<>();
        private final SkipCounter skips = new SkipCounter();

        Jobs(SpurTraceFile spurFile, List<Node> nodes) {
            this.spurFile = spurFile;
            this.nodes = nodes;
            spurFile.models().forEach((name, model) -> profiles.put(name, model.profile()));
        }

        void add(SpurTraceJob job) {
            SpurTraceModel model = spurFile.models().get(job.model());
            ThroughputProfile profile = profiles.get(job.model());
            if (model == null || profile == null) {
                skips.add("of an unknown model");
            } else if (!ids.add(job.id())) {
                skips.add("with an id seen before");
            } else if (job.estimatedSamples() != null && model.assumedStalls() != null) {
                skips.add("with an estimate of its samples and assumed stalls");
            } else {
                JobSpec spec = spec(job, model, profile);
                double speed = meanGoodput(spec, job.requestedSlots());
                if (speed > 0) {
                    retainedJobs.add(traceJob(job, model, spec, speed));
                } else if (!spec.plannedBatch().dividesAmong(job.requestedSlots())) {
                    skips.add("whose slots do not share the batch equally");
                } else {
                    skips.add("that run on no type of the cluster");
                }
            }
        }

        private static TraceJob traceJob(SpurTraceJob job, SpurTraceModel model, JobSpec spec, double speed) {
            SpurTraceModel.AssumedStalls assumed = model.assumedStalls();
            return new TraceJob(
                    job.id(),
                    job.arrival(),
                    job.tenant() == null ? "root" : job.tenant(),
                    job.deadline(),
                    job.requestedSlots(),
                    job.samples() / speed,
                    new SpecGroundTruth(spec, spec.restartPenaltySeconds(), spec.restartPenaltySeconds()),
                    assumed == null ? withoutLearning(job, spec) : new LearningViewModel(assumed.in(spec), job.model()),
                    job.dependsOn() == null ? List.of() : job.dependsOn());
        }

        private static PolicyViewModel withoutLearning(SpurTraceJob job, JobSpec spec) {
            return job.estimatedSamples() == null
                    ? PolicyViewModel.complete(spec)
                    : EstimatedWork.of(spec, job.estimatedSamples() / job.samples());
        }

        private static JobSpec spec(SpurTraceJob job, SpurTraceModel model, ThroughputProfile profile) {
            int min = job.minSlots() == null ? job.requestedSlots() : job.minSlots();
            int max = job.maxSlots() == null ? job.requestedSlots() : job.maxSlots();
            boolean powers = Boolean.TRUE.equals(job.powersOfTwo());
            JobSpec spec = new JobSpec(
                    new Work(WorkUnit.SAMPLES, job.samples(), null),
                    new Elasticity(List.of(), List.of(), min, max, powers, List.of(), null, false)
                            .withDeviceShare(job.deviceShare()),
                    model.batch(max),
                    Synchronization.allReduceOnly(),
                    model.efficiency(),
                    profile,
                    model.demand(),
                    model.restart(),
                    0,
                    true,
                    1,
                    0,
                    null,
                    null);
            return spec.edit()
                    .host(model.demand(), model.hostSensitivity())
                    .changeCosts(model.changeCosts())
                    .revenue(job.revenue())
                    .build();
        }

        /**
         * Returns the goodput on {@code slots} of one type at the best batch size, averaged over the slots of the types
         * on which the job runs; 0 if there is none.
         */
        private double meanGoodput(JobSpec spec, int slots) {
            double sum = 0;
            int all = 0;
            for (Node node : nodes) {
                String type = node.acceleratorType();
                if (type != null) {
                    int spread = Shapes.consolidate(slots, node.slots()).size();
                    double goodput = goodput(spec, type, slots, spread);
                    sum += node.slots() * goodput;
                    all += goodput > 0 ? node.slots() : 0;
                }
            }
            return all == 0 ? 0 : sum / all;
        }

        private static double goodput(JobSpec spec, String type, int slots, int spread) {
            return Goodput.bestBatch(spec, type, slots, spread, SyncStrategy.ALL_REDUCE, 0).stream()
                    .mapToDouble(batch -> Goodput.of(spec, type, slots, spread, SyncStrategy.ALL_REDUCE, 0, batch))
                    .sum();
        }
    }
}
