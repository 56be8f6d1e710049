package dev.spur.simulator.command;

import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.JobFixture;
import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SelfAuditCommandTest {
    private static final Instant SINCE = Instant.parse("2026-01-10T00:00:00Z");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        return new CommandLine(new SelfAuditCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private Path range() throws IOException {
        return range(problem().nodes(2).build());
    }

    private Path range(RoundProblem state) throws IOException {
        JobSpec spec =
                JobFixture.job("a").slots(1, 2).speeds(100, 200).work(1e5).spec();
        PastJob job = new PastJob("a", "root", SINCE, "DONE", 600.0, 1e5, null, spec, spec, spec);
        PastRange range =
                new PastRange(PastRange.FORMAT, SINCE, SINCE.plusSeconds(86_400), 60, state, List.of(), List.of(job));
        return Files.writeString(
                folder.resolve("range.json"), RoundJson.mapper().writeValueAsString(range));
    }

    @Test
    void printsTheReportAndWritesTheFiles() throws IOException {
        Path csv = folder.resolve("audit.csv");
        Path json = folder.resolve("audit.json");

        int status = run(range().toString(), "--quiet", "--csv", csv.toString(), "--json", json.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        assertThat(out.toString()).contains("1 jobs", "Mean JCT", "without predictions", "fifo-backfill");
        assertThat(Files.readString(csv)).startsWith("replay,mean_jct_seconds").contains("BASELINE", "OPTIMALITY_GAP");
        assertThat(RoundJson.mapper()
                        .readTree(Files.readString(json))
                        .path("since")
                        .asString())
                .isEqualTo("2026-01-10T00:00:00Z");
    }

    @Test
    void namesAMissingFileAndAFileOfAnotherKind() throws IOException {
        assertThat(run("missing.json")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no file missing.json.");

        assertThat(run(Files.writeString(folder.resolve("bad.json"), "{\"jobs\": 1}")
                        .toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("bad.json is not a range that GET /api/v1/outcomes/export returns");
    }

    @Test
    void rejectsAStateThatViolatesRules() throws IOException {
        RoundProblem state = problem().nodes(2).build();

        assertThat(run(range(state.withNodes(
                                List.of(state.nodes().get(0), state.nodes().get(0))))
                        .toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("range.json has a state of the cluster that violates");
    }

    @Test
    void rejectsRoundsWithoutLength() throws IOException {
        assertThat(run(range().toString(), "--round", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--round (0.0) must be above 0");
    }
}
