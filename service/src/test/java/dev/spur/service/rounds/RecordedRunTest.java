package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.Job;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ProgressListener;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.Replayer;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.ProgressRate;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A recorded live run that is replayed gives the same plans: both plan by the same code. */
class RecordedRunTest extends LearningTestBase {
    /** What a job holds, without the time since when. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Held(Configuration configuration, List<NodeShare> placement) {
        static Held of(Allocation allocation) {
            return new Held(allocation.configuration(), allocation.placement());
        }
    }

    private final List<RoundProblem> problems = new ArrayList<>();
    private final List<Map<String, Held>> plans = new ArrayList<>();

    /** Plans a round of the service, and records its input and its plan. */
    private void recordedRound() {
        round();
        Long number = world.value(Long.class, "select max(number) from round");
        RoundProblem problem = RoundJson.mapper()
                .treeToValue(
                        api.get("/api/v1/rounds/" + number + "/snapshot")
                                .is(200)
                                .json(),
                        RoundProblem.class);
        Map<String, Held> plan = new TreeMap<>();
        for (Job job : problem.jobs()) {
            JsonNode held = job(job.id()).path("allocation");
            if (held.isObject()) {
                plan.put(job.id(), RoundJson.mapper().treeToValue(held, Held.class));
            }
        }
        problems.add(problem);
        plans.add(plan);
    }

    private String submitted(double samples) {
        ObjectNode body = submission(Wrong.NOTHING);
        ((ObjectNode) body.path("spec"))
                .putObject("work")
                .put("unit", "SAMPLES")
                .put("amount", samples);
        return submit(body);
    }

    @Test
    void replayedGivesTheSamePlans() {
        String first = submitted(5e6);
        recordedRound();
        submitted(2e6);
        recordedRound();
        submitted(9e6);
        recordedRound();
        submitted(1e6);
        recordedRound();
        api.post(JOBS + "/" + first + "/progress", """
                        {"generation": %d, "seq": 1, "samplesTotal": 5000000, "state": "COMPLETED"}
                        """.formatted(
                                job(first).path("generation").longValue()))
                .is(200);
        double end = world.value(
                Double.class, "select extract(epoch from ended_at)::double precision from job where id = ?", first);
        recordedRound();

        assertThat(plans.stream().distinct()).as("each round changes the plan").hasSameSizeAs(plans);
        assertThat(replayed(first, end).subList(0, plans.size())).isEqualTo(plans);
    }

    /** Returns the decisions of a replay of the recorded arrivals and the recorded end. */
    private List<Map<String, Held>> replayed(String ended, double end) {
        Map<String, Job> jobs = new LinkedHashMap<>();
        problems.forEach(problem -> problem.jobs().forEach(job -> jobs.putIfAbsent(job.id(), job)));
        double begin = jobs.values().iterator().next().arrival();
        List<TraceJob> trace = jobs.values().stream()
                .map(job -> traceJob(job, begin, job.id().equals(ended) ? end - job.arrival() : 300))
                .toList();
        List<Map<String, Held>> decisions = new ArrayList<>();
        Replayer.replay(
                new Trace("recorded", trace, Map.of()),
                ClusterConfig.of(problems.get(0)),
                recording(decisions),
                ReplaySettings.DEFAULT.withPlanning(problems.get(0).settings()).withRounds(600, 0.0),
                ProgressListener.NONE);
        return decisions;
    }

    /** A job that runs for {@code seconds}, of which the policy sees what the service saw. */
    private static TraceJob traceJob(Job job, double begin, double seconds) {
        GroundTruth truth = new GroundTruth() {
            @Override
            public ProgressRate progressRate(Configuration configuration, double doneSamples) {
                return new ProgressRate(1, seconds, true);
            }

            @Override
            public double startSeconds(boolean first) {
                return 0;
            }
        };
        PolicyView view = new PolicyView(job.spec(), job.remainingSamples());
        return new TraceJob(
                job.id(), job.arrival() - begin, job.tenant(), job.deadline(), 1, seconds, truth, had -> view);
    }

    private static Policy recording(List<Map<String, Held>> decisions) {
        Policy spur = Policies.spur();
        return new Policy() {
            @Override
            public String name() {
                return spur.name();
            }

            @Override
            public Decision decide(RoundProblem problem) {
                Decision decision = spur.decide(problem);
                Map<String, Held> plan = new TreeMap<>();
                decision.allocations().forEach((job, given) -> plan.put(job, Held.of(given)));
                decisions.add(plan);
                return decision;
            }
        };
    }
}
