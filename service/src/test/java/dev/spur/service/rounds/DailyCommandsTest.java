package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.cli.ActivateCommand;
import dev.spur.cli.CancelCommand;
import dev.spur.cli.CordonCommand;
import dev.spur.cli.DescribeCommand;
import dev.spur.cli.DrainCommand;
import dev.spur.cli.HoldCommand;
import dev.spur.cli.JobEditCommand;
import dev.spur.cli.JobsCommand;
import dev.spur.cli.LabelCommand;
import dev.spur.cli.NodesCommand;
import dev.spur.cli.PriorityCommand;
import dev.spur.cli.ReleaseCommand;
import dev.spur.cli.RetryCommand;
import dev.spur.cli.SubmitCommand;
import dev.spur.cli.TenantsCommand;
import dev.spur.cli.TokenCommand;
import dev.spur.cli.UsageCommand;
import dev.spur.cli.WaitCommand;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands of daily work with jobs, nodes, tenants and tokens, against the service. */
class DailyCommandsTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    /** What a command printed. */
    private record Printed(int status, String out, String err) {
        JsonNode json() {
            return RoundJson.mapper().readTree(out);
        }
    }

    @BeforeEach
    void addANode() {
        policy.use(Policies.spur()::plan);
        world.node("n1", 4);
    }

    @Nested
    class Submit {
        @Test
        void answersInAFewLinesWithTheNextCommandAndThePage() {
            Printed printed = submit("train", "--gpus=1-4", "--batch=64-256");

            assertThat(printed.out().lines()).hasSize(6);
            assertThat(printed.out())
                    .containsPattern("Submitted job [0-9a-f-]{36} \\(train\\)\\.")
                    .contains(
                            "State: SUBMITTED, 0 of 1 to 4 slots now; batch size 64 to 256",
                            "may change the batch size within 64 to 256")
                    .containsPattern("Next: \\./spur why [0-9a-f-]{36}")
                    .containsPattern("Page: " + address() + "/#/job/[0-9a-f-]{36}")
                    .contains("Warning: No agent is connected", "./spur agent --service " + address());
        }

        @Test
        void namesTheOptionOfAMissingValue() {
            Printed printed = run(new SubmitCommand(), "--gpus", "1-4", "--", "python3", "a.py");

            assertThat(printed.err()).startsWith("spur: --batch: is required").doesNotContain("/spec", "422");
            assertThat(printed.status()).isEqualTo(1);
        }
    }

    @Test
    void heldJobsWaitUntilTheyAreReleased() {
        submit("one");
        submit("two");

        assertThat(run(new HoldCommand(), "one", "two").out())
                .containsPattern("\\(one\\) is SUBMITTED \\(held\\)\\.")
                .containsPattern("\\(two\\) is SUBMITTED \\(held\\)\\.");
        assertThat(run(new ReleaseCommand(), "one").out()).containsPattern("\\(one\\) is SUBMITTED\\.");
    }

    @Test
    void eachFailureIsReportedAndTheOtherJobsAreChanged() {
        submit("one");
        submit("two");

        Printed printed = run(new CancelCommand(), "none", "one", "missing", "two");

        assertThat(printed.err()).contains("spur: none: No job has", "spur: missing: No job has");
        assertThat(printed.out()).contains("(one) is CANCELLED.", "(two) is CANCELLED.");
        assertThat(printed.status()).isEqualTo(1);
    }

    @Test
    void thePriorityChangesAndMayBeNegative() {
        submit("one");

        assertThat(run(new PriorityCommand(), "one", "7").out()).contains("(one) has priority 7.");
        assertThat(run(new PriorityCommand(), "one", "-3").out()).contains("(one) has priority -3.");
        Printed wrong = run(new PriorityCommand(), "one", "11");
        assertThat(wrong.err()).contains("The priority 11 is out of range; expected -10 to 10.");
        assertThat(wrong.status()).isEqualTo(2);
    }

    @Test
    void theTimeLimitIsStatedAndChanged() {
        submit("one", "--gpus=1", "--time=4:00:00");
        assertThat(run(new DescribeCommand(), "one").out()).containsPattern("Time limit: +4:00:00\\R");

        assertThat(run(new JobEditCommand(), "one", "--time", "1-0").out()).contains("(one) was changed.");
        assertThat(run(new DescribeCommand(), "one").out()).containsPattern("Time limit: +24:00:00\\R");
        run(new JobEditCommand(), "one", "--time", "unlimited");
        assertThat(run(new DescribeCommand(), "one").out()).doesNotContain("Time limit");
        assertThat(run(new JobEditCommand(), "one").err()).contains("Nothing to change");
        assertThat(run(new JobEditCommand(), "one", "--time", "soon").err()).contains("'soon' is no time");
    }

    @Test
    void scriptsOfSlurmBecomeArraysThatDependOnJobs(@TempDir Path folder) throws Exception {
        submit("one");
        Path script = Files.writeString(folder.resolve("sweep.sh"), """
                #!/bin/bash
                #SBATCH --array=0-2%1 --dependency=afterok:one --gpus=a100:1
                python3 run.py
                """);

        Printed printed = run(new SubmitCommand(), script.toString());
        assertThat(printed.out()).as(printed.err()).contains("(sweep[0-2%1]) of 3 jobs.");

        JsonNode member = run(new DescribeCommand(), "sweep-1", "-o", "json").json();
        assertThat(member.at("/dependsOn/0/when").asString()).isEqualTo("SUCCEEDED");
        assertThat(member.at("/spec/elasticity/acceleratorTypes/0").asString()).isEqualTo("A100");
        assertThat(member.at("/command/env/SLURM_ARRAY_TASK_ID").asString()).isEqualTo("1");
    }

    @Nested
    class NumberOfSlots {
        @Test
        void changesTogetherWithTheBatchOfAJobThatStatesNone() {
            run(new SubmitCommand(), "--name=one", "--gpus=2", "--", "true");

            assertThat(run(new JobEditCommand(), "one", "--gpus=4").err()).isEmpty();
            JsonNode batch = onlyJob().at("/spec/batch");
            for (String size : List.of("initial", "min", "max")) {
                assertThat(batch.path(size).asInt()).as(size).isEqualTo(4);
            }
            assertThat(batch.path("maxPerDevice").asInt()).isEqualTo(1);
        }

        @Test
        void divideAStatedBatch() {
            submit("one", "--gpus=2", "--batch=64");

            Printed printed = run(new JobEditCommand(), "one", "--gpus=3");

            assertThat(printed.err())
                    .contains("no allowed number of slots divides the batch size of the job (64 to 64)")
                    .contains("state a divisor, or submit the job again with another batch size");
            assertThat(onlyJob().at("/spec/elasticity/maxSlots").asInt()).isEqualTo(2);
        }
    }

    @Test
    void describePrintsAllFactsInWords() throws Exception {
        submit("one", "--gpus=2", "--batch=64-256", "--label=project=x");
        round();

        assertThat(run(new DescribeCommand(), "one").out())
                .containsPattern("one \\([0-9a-f-]{36}\\)")
                .containsPattern("State: +RUNNING")
                .containsPattern("Reason: +.+")
                .containsPattern("Runs on: +2 A100 in pool .+, started .+, batch size \\d+")
                .containsPattern("Node: +n1: .+, .+")
                .containsPattern("Submitted: +.+ by local for tenant root")
                .containsPattern("Command: +python3 one.py 'a b'")
                .containsPattern("Slots: +2")
                .containsPattern("Batch size: +64 to 256 samples, initially 64, at most 64 per device")
                .containsPattern("Labels: +project=x")
                .containsPattern("AT +EVENT +DETAIL")
                .contains("SUBMITTED", "STARTED");
        JsonNode json = run(new DescribeCommand(), "one", "-o", "json").json();
        assertThat(json.at("/explanation/state").asString()).isEqualTo("RUNNING");
        assertThat(json.path("events")).hasSize(2);
    }

    @Test
    void sharesOfADeviceAreShownWithTheirJobs() throws Exception {
        world.sql("update node set shares_devices = true");
        assertThat(submit("left", "--gpu-share=0.5").out()).contains("0 of 1 slots now (share 0.5)");
        submit("right", "--gpu-share=0.25");
        round();

        assertThat(run(new NodesCommand(), "-o", "json")
                        .json()
                        .at("/0/usedSlots")
                        .asInt())
                .isEqualTo(1);
        assertThat(run(new NodesCommand()).out()).contains("left (0.5)", "right (0.25)");
        assertThat(run(new JobsCommand(), "-o", "wide").out()).containsPattern("left +.+ RUNNING +0\\.5 +A100");
        assertThat(run(new DescribeCommand(), "left").out())
                .containsPattern("Runs on: +0\\.5 of 1 A100")
                .containsPattern("Slots: +1 \\(share 0\\.5\\)");
    }

    @Test
    void aWrongShareNamesItsOption() {
        world.sql("update node set shares_devices = true");

        assertThat(run(new SubmitCommand(), "--gpu-share=1.5", "--batch=64", "--", "python3", "a.py")
                        .err())
                .startsWith("spur: --gpu-share: must be at most 0.99");
    }

    @Nested
    class Wait {
        @Test
        void succeedsOnlyIfAllJobsAreDone() {
            submit("fine");
            world.sql("update job set state = 'DONE', ended_at = now() where name = ?", "fine");
            submit("gone");
            run(new CancelCommand(), "gone");

            assertThat(run(new WaitCommand(), "fine").status()).isZero();
            Printed printed = run(new WaitCommand(), "fine", "gone");
            assertThat(printed.out()).contains("(fine) is DONE.", "(gone) is CANCELLED.");
            assertThat(printed.status()).isEqualTo(1);
        }

        @Test
        void endsAfterTheTimeout() {
            submit("one");

            Printed printed = run(new WaitCommand(), "one", "--timeout=0");

            assertThat(printed.err()).contains("1 of 1 jobs have not ended after 0 s.");
            assertThat(printed.status()).isEqualTo(3);
        }
    }

    @Test
    void retrySubmitsTheSameSettingsAsANewJob() {
        submit("one", "--gpus=2", "--batch=64-256", "--label=project=x", "--steps=100", "--priority=2");
        JsonNode old = onlyJob();
        run(new CancelCommand(), "one");

        Printed printed = run(new RetryCommand(), "one");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.out())
                .containsPattern("Submitted job %s again, as [0-9a-f-]{36} \\(one\\)\\."
                        .formatted(old.path("id").asString()));
        JsonNode added = onlyJob();
        assertThat(added.path("id")).isNotEqualTo(old.path("id"));
        for (String same : List.of("spec", "command", "labels", "tenant", "owner")) {
            assertThat(added.path(same)).as(same).isEqualTo(old.path(same));
        }
    }

    @Nested
    class Nodes {
        @Test
        void drainCordonAndActivateStateTheirEffect() {
            world.node("n2", 4);

            assertThat(run(new DrainCommand(), "n1", "n2").out())
                    .contains("Node n1 is DRAINING: its preemptible jobs move away", "Node n2 is DRAINING");
            assertThat(run(new CordonCommand(), "n1").out()).contains("Node n1 is CORDONED: its jobs stay");
            assertThat(run(new ActivateCommand(), "n1").out()).contains("Node n1 is ACTIVE: its jobs run");
            assertThat(run(new DrainCommand(), "nope").status()).isEqualTo(1);
        }

        @Test
        void labelSetsAndRemovesLabels() {
            assertThat(run(new LabelCommand(), "n1", "zone=a", "fast=").out())
                    .contains("Labels of node n1: fast=, zone=a.");
            assertThat(run(new LabelCommand(), "n1", "zone=b", "fast-").out()).contains("Labels of node n1: zone=b.");
            assertThat(run(new LabelCommand(), "n1", "zone-").out()).contains("Node n1 has no labels.");
            assertThat(run(new LabelCommand(), "n1", "zone").err())
                    .contains("The label 'zone' must be NAME=VALUE to set it, or NAME- to remove it.");
            assertThat(run(new LabelCommand(), "nope", "zone=a").status()).isEqualTo(1);
        }

        @Test
        void aPoolThatDoesNotExistIsAFailure() {
            Printed printed = run(new NodesCommand(), "--pool=nope");

            assertThat(printed.err()).contains("There is no pool nope. Pools: ");
            assertThat(printed.status()).isEqualTo(1);
        }
    }

    @Test
    void usageAndTenantsAreListed() throws Exception {
        submit("one", "--label=project=x");
        round();

        assertThat(run(new UsageCommand()).out())
                .contains("Usage from 7.0 d ago to now")
                .containsPattern("TENANT +TYPE +SLOT-HOURS")
                .containsPattern("root +A100 +0\\.00");
        assertThat(run(new UsageCommand(), "--label=project").out()).containsPattern("x +A100");
        assertThat(run(new UsageCommand(), "--by=owner", "--label=project").status())
                .isEqualTo(2);
        assertThat(run(new TenantsCommand()).out()).containsPattern("root +- +1 .*no limit");
    }

    @Test
    void tokensAreIssuedListedAndRevoked() {
        Printed issued = token("create", "agent-n1", "--role=executor", "--node=n1", "--expires=12h");
        assertThat(issued.out())
                .contains("Issued token agent-n1 with the role EXECUTOR, which expires at ")
                .containsPattern(
                        "Start the agent: SPUR_TOKEN=\\S+ \\./spur agent --service " + address() + " --node n1");

        assertThat(token("list").out()).containsPattern("agent-n1 +EXECUTOR +node n1 +.+ in 12.0 h");
        assertThat(token("create", "a b", "--role=viewer").err()).startsWith("spur: NAME: ");
        assertThat(token("create", "a", "--role=viewer", "--expires=soon").status())
                .isEqualTo(2);
        assertThat(token("revoke", "agent-n1").out()).contains("(agent-n1) is revoked.");
        assertThat(token("revoke", "agent-n1").err())
                .contains("No valid token has the id, id prefix or name agent-n1.");
    }

    private Printed token(String subcommand, String... arguments) {
        List<String> words = new ArrayList<>(List.of(subcommand, "--service=" + address()));
        words.addAll(List.of(arguments));
        return execute(new TokenCommand(), words);
    }

    private Printed submit(String name, String... options) {
        List<String> words = new ArrayList<>(List.of("--service=" + address(), "--name=" + name, "--batch=64"));
        if (List.of(options).stream().anyMatch(option -> option.startsWith("--batch"))) {
            words.remove("--batch=64");
        }
        words.addAll(List.of(options));
        words.addAll(List.of("--", "python3", name + ".py", "a b"));
        Printed printed = execute(new SubmitCommand(), words);
        assertThat(printed.err()).isEmpty();
        return printed;
    }

    private JsonNode onlyJob() {
        String id = run(new JobsCommand(), "-o", "name").out().strip();
        return run(new DescribeCommand(), id, "-o", "json").json();
    }

    private Printed run(Object command, String... arguments) {
        List<String> words = new ArrayList<>(List.of("--service=" + address()));
        words.addAll(List.of(arguments));
        return execute(command, words);
    }

    private static Printed execute(Object command, List<String> words) {
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
