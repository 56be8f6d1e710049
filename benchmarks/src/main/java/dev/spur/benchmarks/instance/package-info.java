/** Problems generated from seeds, for measurements at sizes of which no recorded workload exists. */
@NullMarked
package dev.spur.benchmarks.instance;

import org.jspecify.annotations.NullMarked;
