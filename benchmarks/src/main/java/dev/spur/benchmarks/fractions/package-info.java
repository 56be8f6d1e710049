/** Pods that take shares of GPUs, bound as they arrive: Spur's rounds and published placement scores. */
@NullMarked
package dev.spur.benchmarks.fractions;

import org.jspecify.annotations.NullMarked;
