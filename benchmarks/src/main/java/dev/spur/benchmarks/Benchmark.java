package dev.spur.benchmarks;

/** Something that can be measured by name. */
interface Benchmark {

    /** What people type: one word in lower case. */
    String name();

    /** What is measured, in one line. */
    String summary();

    /** Measures; takes as long as it takes. */
    Table measure() throws Exception;
}
