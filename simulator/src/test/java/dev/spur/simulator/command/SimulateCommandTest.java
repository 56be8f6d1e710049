package dev.spur.simulator.command;

import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateCommandTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    private record Result(int status, String out, String err) {}

    @TempDir
    private Path folder;

    @Nested
    class WhoReplaysTheExample {
        @Test
        void getsARowForEachPolicy() throws IOException {
            Result result = example("--policy", "srtf,fifo", "--tsv");

            assertThat(result.status()).isZero();
            List<String> lines = result.out().lines().toList();
            assertThat(lines).hasSize(3);
            assertThat(lines.get(0).split("\t"))
                    .containsExactly(
                            "policy",
                            "jobs",
                            "mean JCT (s)",
                            "median JCT (s)",
                            "p99 JCT (s)",
                            "mean queueing (s)",
                            "makespan (h)",
                            "GPU-hours",
                            "efficiency",
                            "restarts/job",
                            "worst FTF",
                            "decision (ms)",
                            "gap median/p99/max (%)");
            assertThat(lines.get(1)).startsWith("srtf\t60\t");
            assertThat(lines.get(2)).startsWith("fifo\t60\t");
            assertThat(result.err()).contains("60 jobs", "0 unfinished jobs");
        }

        @Test
        void getsTheFilesAskedFor() throws IOException {
            Path page = folder.resolve("page.html");
            Path json = folder.resolve("all.json");
            Path csv = folder.resolve("csv");

            Result result = example(
                    "--policy",
                    "fifo",
                    "--report",
                    page.toString(),
                    "--json",
                    json.toString(),
                    "--csv",
                    csv.toString());

            assertThat(result.status()).isZero();
            assertThat(Files.readString(page).contains("Job completion times")).isTrue();
            assertThat(Files.readString(json).contains("\"policy\":\"fifo\"")).isTrue();
            assertThat(Files.readAllLines(csv.resolve("jobs.csv"))).hasSize(61);
        }

        @Test
        void mayLetRunningJobsChangeTheirSlots() throws IOException {
            String restarts = example("--policy", "sia", "--tsv").out();
            String cheaper = example("--policy", "sia", "--tsv", "--rescale-share", "0", "--migrate-share", "0")
                    .out();

            assertThat(meanJct(cheaper)).isLessThan(meanJct(restarts));
        }

        private double meanJct(String table) {
            return Double.parseDouble(
                    table.lines().skip(1).findFirst().orElseThrow().split("\t", -1)[2]);
        }

        @Test
        void mayLetNodesFail() throws IOException {
            String calm = example("--policy", "fifo", "--tsv").out();
            String failing = example("--policy", "fifo", "--tsv", "--node-failures", "2", "--checkpoint", "300")
                    .out();

            assertThat(failing).startsWith("policy").isNotEqualTo(calm);
        }
    }

    @Nested
    class WhoGoesOn {
        @Test
        void getsTheSameTableWithoutAnotherReplay() throws IOException {
            String file = folder.resolve("rows.jsonl").toString();
            example("--policy", "fifo", "--tsv", "--resume", file);
            List<String> retained = Files.readAllLines(Path.of(file));

            Result both = example("--policy", "fifo,srtf", "--tsv", "--resume", file);
            Result again = example("--policy", "fifo,srtf", "--tsv", "--resume", file);

            assertThat(Files.readAllLines(Path.of(file))).hasSize(2).startsWith(retained.get(0));
            assertThat(again.out()).isEqualTo(both.out());
            example("--policy", "fifo", "--tsv", "--round", "300", "--resume", file);
            assertThat(Files.readAllLines(Path.of(file))).hasSize(3);
        }

        @Test
        void isWarnedThatOnlyRowsAreKept() throws IOException {
            Result result = example("--policy", "fifo", "--resume", "x", "--json", "y");

            assertThat(result.err()).contains("leave out --csv, --json and --report");
        }
    }

    @Nested
    class WhoMakesAMistake {
        @Test
        void getsTheKnownPoliciesAndFormats() throws IOException {
            assertThat(example("--policy", "magic").err()).contains("no policy magic", "spur", "cp-sat");
            assertThat(run("--trace", "x", "--format", "odd", "--policy", "spur", "--cluster", cluster())
                            .err())
                    .contains("no format odd", "philly", "spur");
            assertThat(example("--policy", "spur", "--knowledge", "all").err())
                    .contains("oracle, bootstrap, predicted, profiled");
            assertThat(example("--policy", "spur", "--rescale-share", "-1").err())
                    .contains("--rescale-share and --migrate-share must be at least 0");
        }

        @Test
        void getsTheNameOfTheMissingFile() throws IOException {
            Result result =
                    run("--trace", "missing.json", "--format", "spur", "--policy", "spur", "--cluster", cluster());

            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("no file missing.json");
        }

        @Test
        void getsTheErrorsOfAFile() throws IOException {
            Path bad = Files.writeString(folder.resolve("bad.json"), "{\"jobs\": [{\"id\": \"a\"}]}");

            Result result =
                    run("--trace", bad.toString(), "--format", "spur", "--policy", "spur", "--cluster", cluster());

            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains("bad.json is not a trace of Spur");
        }
    }

    @Nested
    class ASnapshot {
        private Path snapshot(JobFixture... jobs) throws IOException {
            RoundProblem problem = problem().nodes(4, 4).jobs(jobs).build();
            return Files.writeString(folder.resolve("snapshot.json"), RoundJson.write(problem));
        }

        private JobFixture job(String id) {
            return JobFixture.job(id).slots(1, 4).speeds(1, 2, 3, 4).work(3600);
        }

        @Test
        void isReplayedWithItsJobsOnItsNodes() throws IOException {
            Result result =
                    run("--snapshot", snapshot(job("a"), job("b")).toString(), "--policy", "spur,fifo", "--tsv");

            assertThat(result.err()).contains("2 jobs");
            assertThat(result.status()).isZero();
            List<String> lines = result.out().lines().toList();
            assertThat(lines.get(1)).startsWith("spur\t2\t");
            assertThat(lines.get(2)).startsWith("fifo\t2\t");
        }

        @Test
        void givesATraceItsNodesOrTakesThoseOfAClusterFile() throws IOException {
            String snapshot = snapshot(job("a")).toString();

            Result otherJobs = run(
                    "--snapshot",
                    snapshot,
                    "--trace",
                    EXAMPLES.resolve("trace.json").toString(),
                    "--format",
                    "spur",
                    "--policy",
                    "fifo",
                    "--tsv");
            Result otherNodes = run("--snapshot", snapshot, "--cluster", cluster(), "--policy", "fifo", "--tsv");

            assertThat(otherJobs.out()).contains("fifo\t60\t");
            assertThat(otherNodes.out()).contains("fifo\t1\t");
        }

        @Test
        void isRejectedWithTheCause() throws IOException {
            assertThat(run("--policy", "fifo").err()).contains("--trace and --cluster are required without --snapshot");
            assertThat(run("--snapshot", cluster(), "--policy", "fifo").err())
                    .contains("cluster.json is not a snapshot");
            assertThat(run("--snapshot", snapshot().toString(), "--policy", "fifo")
                            .err())
                    .contains("snapshot.json has no job that is pending or running");
        }

        @Test
        void withoutATraceAllowsNoOptionsOfTraces() throws IOException {
            String snapshot = snapshot(job("a")).toString();

            for (String[] option : List.of(
                    new String[] {"--format", "csv"},
                    new String[] {"--profiles", "x"},
                    new String[] {"--columns", "submit=x"},
                    new String[] {"--knowledge", "oracle"})) {
                Result result = run("--snapshot", snapshot, "--policy", "fifo", option[0], option[1]);

                assertThat(result.status()).isEqualTo(2);
                assertThat(result.err()).contains("describe a trace: add --trace");
            }
        }

        @Test
        void ofOtherContentIsReplayedAgain() throws IOException {
            Path rows = folder.resolve("rows.jsonl");
            for (double speed : new double[] {1, 2, 2}) {
                String snapshot = snapshot(job("a").speeds(1, 1 + speed / 4)).toString();

                run("--snapshot", snapshot, "--policy", "fifo", "--resume", rows.toString());
            }

            assertThat(Files.readAllLines(rows)).hasSize(2);
        }
    }

    private static String cluster() {
        return EXAMPLES.resolve("cluster.json").toString();
    }

    private static Result example(String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "--trace", EXAMPLES.resolve("trace.json").toString(), "--format", "spur", "--cluster", cluster()));
        all.addAll(Arrays.asList(more));
        return run(all.toArray(String[]::new));
    }

    @Test
    void helpListsPoliciesAndFormats() {
        assertThat(new CommandLine(new SimulateCommand()).getUsageMessage())
                .contains("tiresias")
                .contains("philly");
    }

    private static Result run(String... arguments) throws IOException {
        try (StringWriter out = new StringWriter();
                StringWriter err = new StringWriter()) {
            int status = new CommandLine(new SimulateCommand())
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(arguments);
            return new Result(status, out.toString(), err.toString());
        }
    }
}
