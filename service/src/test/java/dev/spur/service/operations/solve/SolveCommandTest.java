package dev.spur.service.operations.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.SolverStats;
import dev.spur.solver.policy.Policies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SolveCommandTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "round.json");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Nested
    class ASavedRound {
        @Test
        void getsThePlanOfThePolicy() throws Exception {
            RoundProblem problem = SnapshotFile.read(Files.readAllBytes(EXAMPLE));

            assertThat(solve(EXAMPLE.toString(), "--json")).isZero();
            assertThat(withoutTimes(RoundJson.readPlan(out.toString())))
                    .isEqualTo(withoutTimes(Policies.spur().plan(problem)));
        }

        @Test
        void getsTheSamePlanEachTime() {
            assertThat(planOf(EXAMPLE.toString())).isEqualTo(planOf(EXAMPLE.toString()));
        }

        @Test
        void isTheSameInFullAndCompressed() throws Exception {
            RoundProblem problem = SnapshotFile.read(Files.readAllBytes(EXAMPLE));
            Path full = file(RoundJson.write(problem));
            Path packed = Files.write(directory.resolve("round.json.gz"), gzip(Files.readAllBytes(full)));

            assertThat(SnapshotFile.read(Files.readAllBytes(full))).hasToString(problem.toString());
            assertThat(planOf(full.toString()))
                    .isEqualTo(planOf(packed.toString()))
                    .isEqualTo(planOf(EXAMPLE.toString()));
        }

        @Test
        void comesFromStandardInput() throws Exception {
            InputStream before = System.in;
            try {
                System.setIn(new ByteArrayInputStream(Files.readAllBytes(EXAMPLE)));
                assertThat(planOf("-")).isEqualTo(planOf(EXAMPLE.toString()));
            } finally {
                System.setIn(before);
            }
        }

        @Test
        void isWorthAsMuchUnderBothPolicies() {
            assertThat(planOf(EXAMPLE.toString(), "--policy", "cp-sat")
                            .quality()
                            .objectiveValue())
                    .isEqualTo(planOf(EXAMPLE.toString()).quality().objectiveValue());
        }
    }

    @Nested
    class TheTable {
        @Test
        void saysWhoRunsWhoWaitsAndHowGoodThePlanIs() {
            assertThat(solve(EXAMPLE.toString())).isZero();
            assertThat(out.toString())
                    .contains("JOB", "CHANGE", "SLOTS", "UTILITY", "translation", "a100-1")
                    .contains("POSITION", "embedding", "UNSATISFIABLE")
                    .contains("gap 0 %: OPTIMAL")
                    .containsPattern("candidates \\d+\\.\\d ms");
            assertThat(err.toString()).isEmpty();
        }
    }

    @Nested
    class TheExport {
        @Test
        void isWrittenAsWellAsThePlan() throws Exception {
            Path program = directory.resolve("round.mps");

            assertThat(solve(EXAMPLE.toString(), "--export", program.toString()))
                    .isZero();

            assertThat(out.toString()).contains("gap 0 %: OPTIMAL");
            assertThat(err.toString()).contains("wrote " + program);
            assertThat(Files.readString(program)).contains("ROWS", "COLUMNS", "ENDATA");
        }

        @Test
        void changesNoPlan() {
            assertThat(planOf(
                            EXAMPLE.toString(),
                            "--export",
                            directory.resolve("round.mps").toString()))
                    .isEqualTo(planOf(EXAMPLE.toString()));
        }

        @Test
        void isRefusedWithAnotherSuffixPolicyOrFolder() {
            assertThat(solve(EXAMPLE.toString(), "--export", "round.lp")).isEqualTo(2);
            assertThat(err.toString()).contains("round.lp", "must end with .mps");
            assertThat(solve(EXAMPLE.toString(), "--export", "round.mps", "--policy", "fifo"))
                    .isEqualTo(2);
            assertThat(err.toString()).contains("the policy is fifo", "Omit --policy");
            assertThat(solve(
                            EXAMPLE.toString(),
                            "--export",
                            directory.resolve("none").resolve("a.mps").toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("cannot write", "none");
        }
    }

    @Nested
    class WhatIsWrong {
        @Test
        void isReportedFieldByField() throws Exception {
            Path round = file(Files.readString(EXAMPLE)
                    .replace("\"gapTarget\": 0", "\"gapTarget\": -1, \"colour\": 7")
                    .replace("\"now\": 1795284000,", ""));

            assertRefused(
                    round,
                    "/now: is required",
                    "/settings/colour: is unknown",
                    "/settings/gapTarget: must be at least 0; it is -1");
        }

        @Test
        void isReportedWherePartsContradict() throws Exception {
            Path round = file(Files.readString(EXAMPLE)
                    .replace("\"tenant\": \"language\"", "\"tenant\": \"nobody\"")
                    .replace("{\"name\": \"A100\", \"memoryGiB\": 40}, ", ""));

            assertRefused(round, "nobody", "A100");
            assertThat(err.toString().lines()).hasSizeGreaterThan(3);
        }

        @Test
        void isReportedInOneLineIfItIsNoJson() throws Exception {
            assertRefused(file("{\"format\": \"spur-snapshot/1\","), "is not well-formed JSON", "line 1");
            assertThat(err.toString().lines()).hasSize(1).noneMatch(line -> line.contains("Source"));
        }

        @Test
        void isReportedInOneLineIfItIsBrokenGzip() throws Exception {
            byte[] packed = gzip(Files.readAllBytes(EXAMPLE));
            Path half = directory.resolve("half.gz");
            Files.write(half, Arrays.copyOf(packed, packed.length / 2));

            assertRefused(half, "decompression fails");
        }

        @Test
        void isReportedIfThereIsNoFileOrNoSuchPolicy() {
            assertThat(solve(directory.resolve("nothing.json").toString())).isEqualTo(2);
            assertThat(err.toString()).contains("There is no file", "nothing.json");
            assertThat(solve(EXAMPLE.toString(), "--policy", "dice")).isEqualTo(2);
            assertThat(err.toString())
                    .contains("The policy dice does not exist; expected one of spur, cp-sat, highs, greedy, fifo,");
            assertThat(out.toString()).isEmpty();
        }

        private void assertRefused(Path round, String... complaints) {
            assertThat(solve(round.toString())).isEqualTo(2);
            assertThat(err.toString()).contains(complaints);
            assertThat(out.toString()).isEmpty();
        }
    }

    private Path file(String json) throws IOException {
        return Files.writeString(directory.resolve("round.json"), json);
    }

    private RoundPlan planOf(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        out.getBuffer().setLength(0);
        assertThat(solve(all.toArray(String[]::new))).as(err.toString()).isZero();
        return withoutTimes(RoundJson.readPlan(out.toString()));
    }

    private int solve(String... arguments) {
        return new CommandLine(new SolveCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private static RoundPlan withoutTimes(RoundPlan plan) {
        SolverStats stats = plan.stats();
        SolverStats timeless = new SolverStats(
                stats.jobs(),
                stats.candidates(),
                stats.couplingConstraints(),
                stats.work(),
                List.of(),
                stats.duals(),
                stats.shadowPrices(),
                stats.idleSlots());
        return new RoundPlan(
                plan.running(), plan.waiting(), plan.deadlineStatuses(), plan.quality(), timeless, plan.memory());
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
            stream.write(bytes);
        }
        return packed.toByteArray();
    }
}
