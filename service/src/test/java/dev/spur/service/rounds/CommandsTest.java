package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.cli.ApplyCommand;
import dev.spur.cli.CancelCommand;
import dev.spur.cli.JobsCommand;
import dev.spur.cli.NodesCommand;
import dev.spur.cli.PlanCommand;
import dev.spur.cli.QueueCommand;
import dev.spur.cli.RecommendCommand;
import dev.spur.cli.SubmitCommand;
import dev.spur.cli.WhatIfCommand;
import dev.spur.cli.WhyCommand;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands for people, against the service. */
class CommandsTest extends ServiceTest {
    private static final String JOB = """
            name: detector
            spec:
              work: {unit: SAMPLES, amount: 600000}
              elasticity: {acceleratorTypes: [A100], minSlots: 2, maxSlots: 2}
              batch: {initial: 128, min: 128, max: 128, maxPerDevice: 128}
              profile:
                points:
                - {acceleratorType: A100, slots: 2, nodes: 1, batchSize: 128, strategy: ALL_REDUCE, samplesPerSecond: 410}
            """;

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @TempDir
    private Path folder;

    /** What a command printed. */
    private record Printed(int status, String out, String err) {
        JsonNode json() {
            return RoundJson.mapper().readTree(out);
        }
    }

    @BeforeEach
    void useTheRealPolicy() {
        policy.use(Policies.spur()::plan);
    }

    @Nested
    class Submit {
        @Test
        void takesYamlAndSaysWhichJobItIs() throws Exception {
            world.node("n1", 2);

            Printed printed = submit(JOB);

            assertThat(printed.status()).isZero();
            assertThat(printed.out()).containsPattern("Submitted job [0-9a-f-]{36} \\(detector\\).");
            assertThat(run(new JobsCommand()).out()).contains("detector", "local");
        }

        @Test
        void printsTheShortExampleWithAllDefaultsAsYaml() throws Exception {
            world.node("n1", 4);

            Printed printed = run(new SubmitCommand(), "../examples/job.yaml", "-o", "yaml");

            assertThat(printed.out())
                    .contains(
                            "name: detector",
                            "owner: local",
                            "tenant: root",
                            "unit: SAMPLES",
                            "minSlots: 1",
                            "maxSlots: 4",
                            "initial: 128",
                            "maxPerDevice: 128");
            round();
            assertThat(run(new JobsCommand()).out()).containsPattern("detector .*RUNNING +4 +A100 +n1 ");
        }

        @Test
        void takesJsonAndAnOwner() throws Exception {
            String json = """
                    {"name": "d", "owner": "ann@example.org", "waitForHardware": true, "spec": {
                      "work": {"unit": "SAMPLES", "amount": 1000}, "elasticity": {"maxSlots": 1},
                      "batch": {"initial": 8, "min": 8, "max": 8, "maxPerDevice": 8}, "family": "small"}}
                    """;
            Path file = Files.writeString(folder.resolve("job.json"), json);

            Printed printed = run(new SubmitCommand(), file.toString(), "--output=json");

            assertThat(printed.json().path("owner").asString()).isEqualTo("ann@example.org");
        }

        @Test
        void takesACommandAndAFewOptions() throws Exception {
            world.node("n1", 4);

            Printed printed = run(
                    new SubmitCommand(),
                    "--gpus=1-4",
                    "--batch=256",
                    "--output=json",
                    "--label=project=x",
                    "--",
                    "torchrun",
                    "src/train.py",
                    "--lr",
                    "0.1");

            assertThat(printed.err()).isEmpty();
            JsonNode job = printed.json();
            assertThat(job.path("name").asString()).isEqualTo("train");
            assertThat(job.at("/labels/project").asString()).isEqualTo("x");
            assertThat(job.at("/command/program").asString()).isEqualTo("torchrun");
            assertThat(job.at("/command/args").valueStream().map(JsonNode::asString))
                    .containsExactly("src/train.py", "--lr", "0.1");
            assertThat(job.at("/command/workdir").asString())
                    .isEqualTo(Path.of("").toAbsolutePath().toString());
            assertThat(job.at("/command/launch").asString()).isEqualTo("PER_NODE");
            assertThat(job.at("/command/env/PET_NPROC_PER_NODE").asString()).isEqualTo("${LOCAL_WORLD_SIZE}");
            assertThat(job.at("/spec/family").asString()).isEqualTo("train");
            assertThat(job.at("/spec/elasticity/maxSlots").intValue()).isEqualTo(4);
            assertThat(job.at("/spec/batch/max").intValue()).isEqualTo(256);
            assertThat(job.at("/spec/work/estimated").booleanValue()).isTrue();
            round();
            assertThat(run(new JobsCommand()).out()).containsPattern("train .*RUNNING +1 +A100 +n1 ");
        }

        @Test
        void optionsReplaceValuesOfTheFile() throws Exception {
            Path file = Files.writeString(folder.resolve("job.yaml"), JOB);

            Printed printed = run(
                    new SubmitCommand(), file.toString(), "--gpus=3", "--batch=128-192", "--name=other", "--dry-run");

            assertThat(printed.out())
                    .contains("name: other", "minSlots: 3", "maxSlots: 3", "max: 192", "samplesPerSecond: 410");
            assertThat(run(new JobsCommand()).out()).contains("No job runs or waits");
        }

        @Test
        void optionsStateRoles() throws Exception {
            Path file = Files.writeString(folder.resolve("job.yaml"), JOB);

            Printed printed = run(
                    new SubmitCommand(),
                    file.toString(),
                    "--role=eval:cpus=2,memory=4,on-failure=restart",
                    "--role-command=eval=python3 eval.py",
                    "-o=json",
                    "--dry-run");

            assertThat(printed.status()).as(printed.err()).isZero();
            JsonNode job = RoundJson.mapper().readTree(printed.out());
            assertThat(job.at("/spec/roles").toString()).isEqualTo("[{\"name\":\"eval\",\"cpus\":2,\"memoryGiB\":4}]");
            assertThat(job.at("/command/roles/eval").toString())
                    .isEqualTo("{\"onFailure\":\"RESTART\",\"program\":\"python3\",\"args\":[\"eval.py\"]}");
            assertThat(run(new SubmitCommand(), file.toString(), "--role=eval:gpus=2")
                            .err())
                    .contains("--role eval:gpus=2 is invalid: it has no 'gpus'");
            assertThat(run(new SubmitCommand(), file.toString(), "--role=eval:cpus=2,memory=4,count=1.5")
                            .err())
                    .contains(
                            "--role eval:cpus=2,memory=4,count=1.5 is invalid: the count '1.5' is not a whole number.");
        }

        @Test
        void namesEveryMistake() throws Exception {
            Printed printed = submit("name: x\nspec: {work: {unit: HOURS, amount: -1}}\n");

            assertThat(printed.status()).isEqualTo(1);
            assertThat(printed.err())
                    .containsPattern("\n  spec\\.work\\.unit \\(--samples or --steps\\): .+")
                    .containsPattern("\n  spec\\.work\\.amount \\(--samples or --steps\\): .+");
        }

        @Test
        void namesEachFieldThatCannotBeProcessed() throws Exception {
            Printed printed = submit(
                    "name: '!'\ntenant: none\nspec: {work: {amount: 1}, elasticity: {minSlots: 1, maxSlots: 2}}\n");

            assertThat(printed.status()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("The service rejected 3 values.")
                    .containsPattern("\n  spec\\.family \\(--family\\): is required.+")
                    .containsPattern("\n  spec\\.batch\\.initial \\(--batch\\): is required.+")
                    .containsPattern("\n  tenant \\(--tenant\\): .+");
        }

        @Test
        void namesTheReasonsWhyAJobCanNeverRun() throws Exception {
            world.node("n1", 1);

            Printed printed = submit(JOB);

            assertThat(printed.status()).isEqualTo(1);
            assertThat(printed.err().lines()).hasSizeGreaterThan(1);
            assertThat(printed.err()).contains("--wait-for-hardware", "2 A100");
        }

        @Test
        void saysThatAFileIsMissing() {
            assertThat(run(new SubmitCommand(), "no-such-file.yaml").err()).contains("There is no file");
        }
    }

    @Test
    void jobsAreListedWithWhatTheyHold() throws Exception {
        world.node("n1", 2);
        submit(JOB);
        round();

        assertThat(run(new JobsCommand()).out())
                .containsPattern("JOB +NAME +OWNER +STATE +SLOTS +TYPE +NODES")
                .containsPattern("detector .*RUNNING +2 +A100 +n1 +0.0 %");
        assertThat(run(new JobsCommand(), "--output=json").json()).hasSize(1);
    }

    @Test
    void nodesAndThePlanShowWhichJobRunsWhere() throws Exception {
        world.node("n1", 2);
        submit(JOB);
        round();

        assertThat(run(new NodesCommand()).out()).containsPattern("n1 .*ACTIVE +A100 +2 +2 .*detector");
        assertThat(run(new PlanCommand()).out())
                .containsPattern(
                        "Plan \\d+ of round \\d+, .*: OPTIMAL, gap 0 %, 1 running, 0 pending\\RFound by [A-Z]+, proved by [A-Z]+")
                .containsPattern("detector +2 +A100 +128 +410 +START +n1");
        assertThat(run(new NodesCommand(), "-o", "name").out()).isEqualTo("n1" + System.lineSeparator());
    }

    @Test
    void nodesEndWithTheIdleSlotsAndTheirReasons() throws Exception {
        world.node("n1", 2);
        world.node("n2", 3);
        submit(JOB);
        round();

        assertThat(run(new NodesCommand()).out())
                .containsPattern("(?m)^n2 ")
                .contains("Idle: 3 of A100 in pool main. 1 job: ");
        assertThat(run(new NodesCommand(), "--pool=main").out()).contains("Idle: 3 of A100 in pool main. ");
        assertThat(run(new NodesCommand(), "-o", "json").json()).hasSize(2);
    }

    @Test
    void whatIfPlansTheJobAndTheNodesAndChangesNothing() throws Exception {
        world.node("n1", 2);
        submit(JOB);
        round();
        Path file = Files.writeString(folder.resolve("second.yaml"), JOB.replace("detector", "second"));

        assertThat(run(new WhatIfCommand(), file.toString()).out())
                .contains("No running job would change.", "second would be pending: ", "1 job would be pending.");
        assertThat(run(new WhatIfCommand(), "--add-nodes=1", "--like=n1", file.toString())
                        .out())
                .containsPattern("second +second +START +- +2 A100, 410/s")
                .contains("0 jobs would be pending.");
        assertThat(run(new WhatIfCommand(), "--remove-node=n1").out())
                .containsPattern("detector +PREEMPT +2 A100, 410/s");
        assertThat(run(new WhatIfCommand(), "--add-nodes=1", "--like=n1").out())
                .contains("No running job would change.", "Idle: 2 of A100 in pool main. 1 job: ");
        assertThat(run(new WhatIfCommand()).status()).isEqualTo(2);
        assertThat(run(new JobsCommand(), "-o", "name").out().lines()).hasSize(1);
    }

    @Test
    void recommendPrintsTheParetoFront() throws Exception {
        world.node("n1", 2);
        Path file = Files.writeString(folder.resolve("job.yaml"), JOB);

        assertThat(run(new RecommendCommand(), file.toString(), "--hours=9").out())
                .containsPattern("NODES +SLOTS +TYPE +BATCH +TIME")
                .containsPattern("2 +A100 +128 +\\d+ min .*MEASURED");
    }

    @Nested
    class Apply {
        private static final String CLUSTER = """
                acceleratorTypes:
                - {name: H100, memoryGiB: 80}
                nodes:
                - {id: h1, pool: big, acceleratorType: H100, devices: [g0, g1], cpus: 64, memoryGiB: 512}
                ---
                pools: [{name: big}]
                tenants: [{name: vision, quotas: {H100: {nominal: 2}}}]
                maintenanceWindows:
                - {name: bios, nodes: [h1], start: "2099-01-01T00:00:00Z", end: "2099-01-02T00:00:00Z"}
                settings: {roundSeconds: 45}
                """;

        @Test
        void namesTheResourceThatFailsAndAppliesTheOthers() throws Exception {
            Printed printed = apply("""
                    tenants: [{name: a, parent: nowhere}, {name: b}, {name: c, weigth: 2}]
                    """);

            assertThat(printed.status()).isEqualTo(1);
            assertThat(printed.err())
                    .contains(
                            "spur: tenants/a: parent: there is no tenant nowhere",
                            "spur: tenants/c: weigth: is unknown");
            assertThat(printed.json().findValuesAsString("result")).containsExactly("failed", "created", "failed");
        }

        @Test
        void nodesInMaintenanceAreMarked() throws Exception {
            Printed applied = apply(CLUSTER.replace("name: bios,", "name: bios, leadSeconds: 7200,")
                    .replace(
                            "2099-01-01T00:00:00Z",
                            Instant.now().plusSeconds(3600).toString()));

            assertThat(applied.err()).isEmpty();
            assertThat(run(new NodesCommand()).out()).containsPattern("h1 +big +ACTIVE \\(maintenance\\) +H100");
        }

        @Test
        void aDryRunReportsAllErrorsAndStoresNothing() throws Exception {
            Printed printed = apply(
                    CLUSTER.replace("cpus: 64", "cpus: -1") + "    groups: [{name: g, tenant: nowhere}]\n".strip()
                            + "\n",
                    "--dry-run");

            assertThat(printed.status()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("spur: nodes/h1: cpus: must be", "spur: groups/g: tenant: there is no tenant nowhere")
                    .doesNotContain("vision");
            assertThat(client().get("/api/v1/pools/big").statusCode()).isEqualTo(404);
            assertThat(printed.json().findValuesAsString("result").stream()
                            .filter(result -> result.startsWith("failed")))
                    .as("the node, the group, and the maintenance of the node")
                    .hasSize(3);
        }

        @Test
        void createsUpdatesAndLeavesUnchanged() throws Exception {
            assertThat(results(CLUSTER, "--dry-run")).containsOnly("created (dry run)", "updated (dry run)");
            assertThat(results(CLUSTER)).containsOnly("created", "updated");
            assertThat(results(CLUSTER)).containsOnly("unchanged");
            assertThat(client().post("/api/v1/nodes/h1/drain", "").statusCode()).isEqualTo(200);

            assertThat(results("nodes: [{id: h1, cpus: 32}]")).containsExactly("updated");
            assertThat(run(new NodesCommand()).out()).containsPattern("h1 +big +DRAINING +H100 +2 +0 +32 ");
        }

        @Test
        void rejectsSectionsThatDoNotExistAndItemsWithoutName() throws Exception {
            assertThat(apply("gpus: []").err()).contains("the section gpus does not exist. Expected sections");
            assertThat(apply("pools: [{}]").status()).isEqualTo(2);
        }

        private List<String> results(String yaml, String... options) throws Exception {
            Printed printed = apply(yaml, options);
            assertThat(printed.err()).isEmpty();
            return printed.json().findValuesAsString("result");
        }

        private Printed apply(String yaml, String... options) throws Exception {
            Path file = Files.writeString(folder.resolve("cluster.yaml"), yaml);
            List<String> words = new ArrayList<>(List.of(options));
            words.addAll(List.of("-f", file.toString(), "-o", "json"));
            return run(new ApplyCommand(), words.toArray(String[]::new));
        }
    }

    @Test
    void theQueueSaysWhyAJobWaits() throws Exception {
        assertThat(run(new QueueCommand()).out()).contains("No pending jobs.");
        world.node("n1", 2);
        submit(JOB);
        submit(JOB.replace("detector", "second"));
        round();

        assertThat(run(new QueueCommand()).out()).containsPattern("second .*OUTRANKED");
        assertThat(run(new QueueCommand(), "--output=json").json()).hasSize(1);
    }

    @Test
    void dataPreparationsAreListedAndExplainedLikeOtherJobs() throws Exception {
        world.node("n1", 2);
        String preparation = """
                {"kind": "DATA_PREPARATION", "owner": "ann", "name": "shuffle", "spec": {"cpus": 8, "workingSetGiB": 64, "minLocalFraction": 1, "seconds": 1800,
                 "slowDown": {"points": [{"localFraction": 1, "factor": 1}]}}}
                """;
        assertThat(client().post("/api/v1/jobs", preparation).statusCode()).isEqualTo(201);
        round();

        assertThat(run(new JobsCommand()).out()).containsPattern("shuffle +ann +RUNNING +- +- +n1 +0.0 %");
        assertThat(run(new WhyCommand(), "shuffle").out()).contains("RUNNING: Starts with 64 of 64 GiB");
    }

    @Nested
    class Why {
        @Test
        void printsTheReasonOfAJobByNameOrPrefixOfItsId() throws Exception {
            world.node("n1", 2);
            submit(JOB);
            submit(JOB.replace("detector", "second"));
            round();
            String running = id("detector");

            assertThat(run(new WhyCommand(), "second", "--unblock").out())
                    .contains("WAITING:", "Reason: OUTRANKED", "To start it: ");
            assertThat(run(new WhyCommand(), running.substring(0, 8)).out()).contains("RUNNING: ", "2 A100");
            assertThat(run(new WhyCommand(), running, "--output=json")
                            .json()
                            .path("jobId")
                            .asString())
                    .isEqualTo(running);
        }

        @Test
        void takesTheJobOfANameThatHasNotEnded() throws Exception {
            submit(JOB + "waitForHardware: true\n");
            run(new CancelCommand(), "detector");
            submit(JOB + "waitForHardware: true\n");

            assertThat(run(new WhyCommand(), "detector").status()).isZero();
            assertThat(run(new CancelCommand(), "detector").out()).contains("(detector) is CANCELLED.");
        }

        @Test
        void refusesANameThatFitsNoneOrSeveral() throws Exception {
            submit(JOB + "waitForHardware: true\n");
            submit(JOB + "waitForHardware: true\n");

            assertThat(run(new WhyCommand(), "nobody").err()).contains("No job");
            assertThat(run(new WhyCommand(), "detector").err()).contains("detector matches 2 jobs");
        }
    }

    @Test
    void cancelCallsAJobOff() throws Exception {
        submit(JOB + "waitForHardware: true\n");

        assertThat(run(new CancelCommand(), "detector").out()).contains("(detector) is CANCELLED.");
        assertThat(run(new JobsCommand()).out()).contains("--all");
        assertThat(run(new JobsCommand(), "--all").out()).contains("CANCELLED");
    }

    @Test
    void thePlanStatesThatRoundsFail() throws Exception {
        world.node("n1", 2);
        submit(JOB);
        Lease lease = new Lease("test", leases.take("test", 600).orElseThrow());
        runner.run(lease, "test");
        awaitFeed();
        assertThat(run(new PlanCommand()).out()).doesNotContain("Warning");
        policy.use(problem -> {
            throw new IllegalStateException("no idea");
        });
        runner.run(lease, "test");
        runner.run(lease, "test");

        assertThat(run(new PlanCommand()).out())
                .contains(
                        "Warning: 2 of the last rounds failed in a row, so this plan remains.", "no idea", "detector");
    }

    @Test
    void withoutAServicePrintsTheAddressThatWasTried() {
        CommandLine line = new CommandLine(new QueueCommand());
        var err = new StringWriter();
        line.setErr(new PrintWriter(err, true));

        assertThat(line.execute("--service", "http://127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString()).contains("The service at http://127.0.0.1:1 does not respond", "SPUR_URL");
    }

    private Printed submit(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("job.yaml"), yaml);
        return run(new SubmitCommand(), file.toString());
    }

    private String id(String name) {
        return run(new JobsCommand(), "--output=json")
                .json()
                .valueStream()
                .filter(job -> job.path("name").asString().equals(name))
                .map(job -> job.path("id").asString())
                .findFirst()
                .orElseThrow();
    }

    private Printed run(Callable<Integer> command, String... arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add(0, "--service=" + address());
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int status = line.execute(words.toArray(String[]::new));
        return new Printed(status, out.toString(), err.toString());
    }

    private void round() throws InterruptedException {
        Lease lease = new Lease("test", leases.take("test", 600).orElseThrow());
        assertThat(runner.run(lease, "test").outcome().planRevision()).isNotNull();
        awaitFeed();
    }
}
