package dev.spur.service.api;

import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import dev.spur.model.round.PlannedPreparation;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.model.utility.PreparationUtility;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.GreedyPolicy;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Tests of jobs that prepare data, on two nodes and under a policy that grants what the test says. */
public abstract class PreparationsTest extends ServiceTest {
    @LocalServerPort
    int port;

    @Autowired
    public TestRounds rounds;

    public ContractedClient api;
    public final Map<String, PreparationAllocation> grants = new LinkedHashMap<>();

    @BeforeEach
    void aClusterOfTwoNodes() {
        world.node("n1", 4);
        world.node("n2", 4);
        rounds.begin();
        api = new ContractedClient(port);
        grants.clear();
        policy.use(this::granting);
    }

    /** Grants what the test says. */
    RoundPlan granting(RoundProblem problem) {
        List<PlannedPreparation> running = new ArrayList<>();
        List<PendingJob> waiting = new ArrayList<>();
        PreparationUtility utility = new PreparationUtility(problem);
        problem.preparations().forEach(preparation -> {
            PreparationAllocation grant = grants.get(preparation.id());
            PreparationAllocation held = preparation.grant();
            if (grant == null) {
                waiting.add(new PendingJob(
                        preparation.id(),
                        PendingReason.INSUFFICIENT_LOCAL_MEMORY,
                        null,
                        null,
                        null,
                        waiting.size() + 1,
                        "There is no room."));
            } else {
                double since = held != null && held.node().equals(grant.node()) ? held.since() : problem.now();
                PreparationAllocation given =
                        new PreparationAllocation(grant.node(), grant.cpus(), grant.localGiB(), grant.loans(), since);
                double slowDown = preparation.spec().slowDown(given.localGiB(), given.borrowedGiB());
                running.add(new PlannedPreparation(
                        preparation.id(), given, slowDown, utility.of(preparation, given), "It fits."));
            }
        });
        running.sort((one, other) -> one.jobId().compareTo(other.jobId()));
        RoundPlan plan = new GreedyPolicy().decide(problem).plan();
        double all = running.stream().mapToDouble(PlannedPreparation::utility).sum();
        return problem.preparations().isEmpty()
                ? plan
                : plan.withPreparations(new PreparationPlan(
                        running, waiting, SolutionQuality.of(SolveStatus.WORK_LIMIT, all, all + 1, 0)));
    }

    static String submission(String more) {
        return """
                {"kind": "DATA_PREPARATION", "owner": "ann", "name": "shuffle"%s, "spec": {"cpus": 8, "workingSetGiB": 64, "minLocalFraction": 0.5, "seconds": 1800,
                 "slowDown": {"points": [{"localFraction": 0.5, "factor": 1.6}, {"localFraction": 1, "factor": 1}]}}}
                """.formatted(more);
    }

    String submitted() {
        return submitted("");
    }

    public String submitted(String more) {
        return api.post("/api/v1/jobs", submission(more))
                .is(201)
                .json()
                .path("id")
                .asString();
    }

    public JsonNode shown(String id) {
        return api.get("/api/v1/jobs/" + id).is(200).json();
    }

    public void runs(String id) {
        grants.put(id, new PreparationAllocation("n1", 8, 48, List.of(new Loan("n2", 16)), 0));
        rounds.run();
    }

    Answer report(String id, long generation, long seq, String state) {
        return api.post("/api/v1/jobs/%s/progress".formatted(id), """
                {"generation": %d, "seq": %d, "doneSeconds": 600, "state": "%s", "activity": {"n2": 7}}
                """.formatted(generation, seq, state));
    }

    String jobAwaiting(String... preparations) {
        String dependsOn =
                Arrays.stream(preparations).map("{\"job\": \"%s\"}"::formatted).collect(Collectors.joining(", "));
        return api.post("/api/v1/jobs", job(dependsOn))
                .is(201)
                .json()
                .path("id")
                .asString();
    }

    public static String job(String dependsOn) {
        return """
                {"owner": "ann", "name": "train", "dependsOn": [%s], "spec": {"work": {"unit": "SAMPLES", "amount": 1000000},
                 "elasticity": {"minSlots": 1, "maxSlots": 4}, "batch": {"initial": 64, "min": 64, "max": 64, "maxPerDevice": 64},
                 "profile": {"points": [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64, "samplesPerSecond": 100}]}}}
                """.formatted(dependsOn);
    }
}
