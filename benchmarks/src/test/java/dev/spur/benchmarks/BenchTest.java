package dev.spur.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void listsWhatThereIs() {
        assertThat(bench()).isZero();
        assertThat(out).hasToString("coffee       How long a coffee lasts\n");
    }

    @Test
    void printsATableForPeople() {
        assertThat(bench("coffee")).isZero();
        assertThat(out).hasToString("cup  minutes\n  1        7\n  2       11\n");
    }

    @Test
    void printsATableForPrograms() {
        assertThat(bench("coffee", "--tsv")).isZero();
        assertThat(out).hasToString("cup\tminutes\n1\t7\n2\t11\n");
    }

    @Test
    void refusesAnUnknownName() {
        assertThat(bench("tea")).isEqualTo(2);
        assertThat(err.toString()).startsWith("There is no benchmark tea.").contains("coffee");
    }

    @Test
    void aRowHasAsManyCellsAsTheHeader() {
        assertThatThrownBy(() -> new Table(List.of("a", "b"), List.of(List.of("1"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private int bench(String... arguments) {
        return new CommandLine(new Bench(List.of(new Coffee())))
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private record Coffee() implements Benchmark {

        @Override
        public String name() {
            return "coffee";
        }

        @Override
        public String summary() {
            return "How long a coffee lasts";
        }

        @Override
        public Table measure() {
            return new Table(List.of("cup", "minutes"), List.of(List.of("1", "7"), List.of("2", "11")));
        }
    }
}
