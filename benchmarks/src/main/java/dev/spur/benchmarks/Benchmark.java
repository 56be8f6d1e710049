package dev.spur.benchmarks;

import dev.spur.simulator.report.ResultTable;
import picocli.CommandLine.Option;

/** Something that can be measured by name. Its own options, if it has any, are fields annotated with {@link Option}. */
interface Benchmark {

    /** What people type: one word in lower case. */
    String name();

    /** What is measured, in one line. */
    String summary();

    /** Measures; takes as long as it takes. */
    ResultTable measure() throws Exception;
}
