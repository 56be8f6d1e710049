/** The reality suite: random scenarios of real clusters, replayed under many policies. */
@NullMarked
package dev.spur.benchmarks.reality;

import org.jspecify.annotations.NullMarked;
