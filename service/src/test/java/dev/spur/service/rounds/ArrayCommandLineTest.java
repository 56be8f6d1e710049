package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.cli.CancelCommand;
import dev.spur.cli.JobsCommand;
import dev.spur.cli.PriorityCommand;
import dev.spur.cli.SubmitCommand;
import dev.spur.cli.WhyCommand;
import dev.spur.model.json.RoundJson;
import dev.spur.service.plans.Lease;
import dev.spur.service.plans.LeaseStore;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import picocli.CommandLine;

/** Commands for arrays and dependencies, against the service, on four slots. */
class ArrayCommandLineTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @BeforeEach
    void addANode() {
        policy.use(Policies.spur()::plan);
        world.node("n1", 4);
    }

    private String submit(String name, String... options) {
        List<String> words = new ArrayList<>(List.of("-o", "name", "--name=" + name, "--gpus=1"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "python3", "run.py"));
        return run(new SubmitCommand(), words.toArray(String[]::new)).strip();
    }

    private String run(Object command, String... arguments) {
        List<String> words = new ArrayList<>(List.of("--service=" + address()));
        words.addAll(List.of(arguments));
        var out = new StringWriter();
        var err = new StringWriter();
        CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
        line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        line.execute(words.toArray(String[]::new));
        return out + err.toString();
    }

    private void round() throws InterruptedException {
        Lease lease = new Lease("test", leases.take("test", 600).orElseThrow());
        assertThat(runner.run(lease, "test").outcome().planRevision()).isNotNull();
        awaitFeed();
    }

    @Nested
    class AnArray {
        @Test
        void isOneLineWithTheStatesOfItsJobs() throws InterruptedException {
            submit("sweep", "--array=0-9%3");
            round();

            assertThat(run(new JobsCommand()))
                    .containsPattern("sweep\\[0-9%3].*3 running, 7 waiting +3 ")
                    .doesNotContain("sweep-1");
            assertThat(run(new JobsCommand(), "--each")).contains("sweep-0", "sweep-9");
            assertThat(run(new JobsCommand(), "--array=sweep")).contains("sweep-0", "sweep-9");
        }

        @Test
        void isChangedAsAWhole() {
            String id = submit("sweep", "--array=0-9");

            assertThat(run(new PriorityCommand(), "sweep", "3")).contains("Array " + id + " (sweep) has priority 3.");
            assertThat(world.value(
                            Long.class,
                            "select count(*) from job where spec ->> 'priority' = '3' and array_id = ?",
                            id))
                    .isEqualTo(10);
            assertThat(run(new CancelCommand(), id)).contains("Array " + id + " (sweep): 10 cancelled.");
        }

        @Test
        void namesTheOptionOfAMistake() {
            assertThat(run(new SubmitCommand(), "--array=3-1", "--", "python3", "run.py"))
                    .contains("--array", "is no range");
            assertThat(run(new SubmitCommand(), "--array=1-3%x", "--", "python3", "run.py"))
                    .contains("no number after %");
        }

        @Test
        void isPrintedBeforeItsSubmission() {
            String printed = run(
                    new SubmitCommand(),
                    "--array=1,3%2",
                    "--dry-run",
                    "-o",
                    "json",
                    "--after=x",
                    "--",
                    "python3",
                    "run.py");

            assertThat(RoundJson.mapper().readTree(printed).path("indices").asString())
                    .isEqualTo("1,3");
            assertThat(RoundJson.mapper().readTree(printed).path("limit").asInt())
                    .isEqualTo(2);
            assertThat(RoundJson.mapper()
                            .readTree(printed)
                            .at("/job/dependsOn/0/job")
                            .asString())
                    .isEqualTo("x");
        }
    }

    @Nested
    class ADependency {
        @Test
        void isStatedByNameAndExplainedWithItsChain() throws InterruptedException {
            submit("prepare");
            submit("train", "--after=prepare");
            submit("evaluate", "--after-any=train", "--after-start=prepare");
            round();

            assertThat(run(new WhyCommand(), "evaluate"))
                    .contains("DEPENDENCY")
                    .containsPattern(
                            "Waits until train \\([0-9a-f-]+, WAITING|Waits until train \\([0-9a-f-]+, SUBMITTED")
                    .containsPattern("\n  Waits until prepare \\([0-9a-f-]+, RUNNING\\) has succeeded");
        }

        @Test
        void mayBeOnAnArray() {
            String array = submit("sweep", "--array=0-9");
            submit("collect", "--after=sweep", "--begin=2099-01-01T00:00:00Z");
            submit("report", "--after-any=" + array);

            assertThat(run(new WhyCommand(), "collect"))
                    .contains("NOT_BEFORE", "2099-01-01")
                    .contains("Waits until sweep (%s, 10 jobs left) has succeeded".formatted(array));
            assertThat(run(new WhyCommand(), "report")).contains("(%s, 10 jobs left) has ended".formatted(array));
        }
    }
}
