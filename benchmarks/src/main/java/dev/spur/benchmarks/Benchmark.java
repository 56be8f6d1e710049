package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import java.util.List;
import picocli.CommandLine.Option;

/** A benchmark that {@code ./spur bench} runs by name. Options are fields annotated with {@link Option}. */
interface Benchmark {

    /** Returns the name of the subcommand: one word in lower case. */
    String name();

    /** Returns a one-line description of the measurement. */
    String summary();

    /** Runs the measurement and returns its table. There is no time limit. */
    ResultTable measure() throws Exception;

    /** Returns further tables of the last measurement, which precede its table; none by default. */
    default List<ResultTable> details() {
        return List.of();
    }

    /** Returns what the last measurement found to be wrong; then the command ends with status 1. None by default. */
    default List<String> violations() {
        return List.of();
    }
}
