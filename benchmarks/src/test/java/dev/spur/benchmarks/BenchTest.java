package dev.spur.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.simulator.report.ResultTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

class BenchTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void listsWhatThereIs() {
        assertThat(bench()).isZero();
        assertThat(out).hasToString("coffee       How long a coffee lasts at 80 % strength\n");
    }

    @Test
    void printsATableForPeople() {
        assertThat(bench("coffee")).isZero();
        assertThat(out.toString()).endsWith("\ncup  minutes\n  1        7\n  2       11\n");
    }

    @Test
    void printsATableForPrograms() {
        assertThat(bench("coffee", "--tsv")).isZero();
        assertThat(out).hasToString("cup\tminutes\n1\t7\n2\t11\n");
    }

    @Test
    void saysWhichCommandWasMeasuredOnWhichMachine() {
        bench("coffee", "--cups", "1");
        assertThat(out.toString())
                .startsWith("# ./spur bench coffee --cups 1\n# 20")
                .contains(" cores (", "load average");
    }

    @Test
    void keepsTheTableForProgramsFreeOfRemarks() {
        bench("coffee", "--tsv");
        assertThat(err.toString()).startsWith("# ./spur bench coffee --tsv\n");
    }

    @Test
    void aBenchmarkHasOptionsOfItsOwn() {
        assertThat(bench("coffee", "--tsv", "--cups", "1")).isZero();
        assertThat(out).hasToString("cup\tminutes\n1\t7\n");
    }

    @Test
    void printsSummariesLiterallyInItsHelp() {
        assertThat(bench("coffee", "--help")).isZero();
        assertThat(out.toString()).contains("How long a coffee lasts at 80 % strength\n");
        assertThat(bench("--help")).isZero();
        assertThat(out.toString()).containsPattern("coffee +How long a coffee lasts at 80 % strength\n");
    }

    @Test
    void refusesAnUnknownName() {
        assertThat(bench("tea")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("Unmatched argument at index 0: 'tea'")
                .contains("coffee");
    }

    @Test
    void aRowHasAsManyCellsAsTheHeader() {
        assertThatThrownBy(() -> new ResultTable(List.of("a", "b"), List.of(List.of("1"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private int bench(String... arguments) {
        return Bench.commandLine(List.of(new Coffee()))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private static final class Coffee implements Benchmark {
        private static final List<List<String>> CUPS = List.of(List.of("1", "7"), List.of("2", "11"));

        @Option(names = "--cups")
        private int cups = 2;

        @Override
        public String name() {
            return "coffee";
        }

        @Override
        public String summary() {
            return "How long a coffee lasts at 80 % strength";
        }

        @Override
        public ResultTable measure() {
            return new ResultTable(List.of("cup", "minutes"), CUPS.subList(0, cups));
        }
    }
}
